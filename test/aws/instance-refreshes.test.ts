import {
  AutoScalingClient,
  DescribeInstanceRefreshesCommand,
  type InstanceRefreshStatus,
} from '@aws-sdk/client-auto-scaling';
import { describe, expect, test } from 'vitest';
import { runningInstanceRefresh } from '../../lambda/aws/instance-refreshes.ts';
import { mocked } from './mocked.ts';
import { sealedAws } from './sealed-aws.ts';

const api = mocked(AutoScalingClient);
const aws = sealedAws();

describe('an instance refresh', () => {
  const refresh = (Status: InstanceRefreshStatus) => ({ InstanceRefreshId: 'r-1', Status });

  test.each(['Pending', 'InProgress', 'Cancelling', 'RollbackInProgress', 'Baking'] as const)(
    'is in progress when it is %s',
    async (status) => {
      api.on(DescribeInstanceRefreshesCommand).resolves({ InstanceRefreshes: [refresh(status)] });
      expect(await runningInstanceRefresh(aws, 'web')).toEqual({
        status: `r-1, ${status}`,
        decidesLaunches: false,
      });
    },
  );

  test.each(['Successful', 'Failed', 'Cancelled', 'RollbackFailed', 'RollbackSuccessful'] as const)(
    'is over when it is %s',
    async (status) => {
      api.on(DescribeInstanceRefreshesCommand).resolves({ InstanceRefreshes: [refresh(status)] });
      expect(await runningInstanceRefresh(aws, 'web')).toBeUndefined();
    },
  );

  test('decides what is launched if it has a desired configuration', async () => {
    const desiring = { ...refresh('InProgress'), DesiredConfiguration: {} };
    api.on(DescribeInstanceRefreshesCommand).resolves({ InstanceRefreshes: [desiring] });
    expect(await runningInstanceRefresh(aws, 'web')).toMatchObject({ decidesLaunches: true });
  });

  test('is found on whichever page it is', async () => {
    api
      .on(DescribeInstanceRefreshesCommand)
      .resolvesOnce({ InstanceRefreshes: [refresh('Failed')], NextToken: 'more' })
      .resolves({ InstanceRefreshes: [refresh('InProgress')] });
    expect(await runningInstanceRefresh(aws, 'web')).toEqual({
      status: 'r-1, InProgress',
      decidesLaunches: false,
    });
    const inputs = api.commandCalls(DescribeInstanceRefreshesCommand).map(({ args: [{ input }] }) => input);
    expect(inputs).toMatchObject([{ AutoScalingGroupName: 'web', MaxRecords: 100 }, { NextToken: 'more' }]);
  });
});
