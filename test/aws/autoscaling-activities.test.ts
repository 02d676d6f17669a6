import {
  type Activity,
  AutoScalingClient,
  DescribeScalingActivitiesCommand,
} from '@aws-sdk/client-auto-scaling';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test } from 'vitest';
import { describeFailedLaunches } from '../../lambda/aws/autoscaling-activities.ts';
import { createAws } from '../../lambda/aws/clients.ts';

const api = mockClient(AutoScalingClient);
const aws = createAws({ region: 'eu-west-1' });
beforeEach(() => api.reset());

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 12, minute));
const MESSAGE = 'We currently do not have sufficient capacity. Launching EC2 instance failed.';

const activity = (minute: number, parts: Partial<Activity> = {}): Activity => ({
  ActivityId: `a-${minute}`,
  AutoScalingGroupName: 'web',
  Description: `Launching a new EC2 instance.  Status Reason: ${MESSAGE}`,
  Cause: 'At 2026-11-21T12:00:00Z an instance was started in response to a difference.',
  StartTime: at(minute),
  StatusCode: 'Failed',
  StatusMessage: MESSAGE,
  ...parts,
});

const launches = () => describeFailedLaunches(aws, 'web', at(10));

describe('failed launches', () => {
  test('are read the latest first, page by page, and no further back than asked for', async () => {
    api
      .on(DescribeScalingActivitiesCommand)
      .resolvesOnce({ Activities: [activity(30), activity(20)], NextToken: 'more' })
      .resolvesOnce({ Activities: [activity(10), activity(9)], NextToken: 'even more' })
      .rejects(new Error('is never asked for'));
    expect(await launches()).toEqual([30, 20, 10].map((minute) => ({ at: at(minute), message: MESSAGE })));
    const inputs = api.commandCalls(DescribeScalingActivitiesCommand).map(({ args: [{ input }] }) => input);
    expect(inputs).toMatchObject([
      { AutoScalingGroupName: 'web', MaxRecords: 100 },
      { AutoScalingGroupName: 'web', NextToken: 'more' },
    ]);
  });

  test('that were cancelled say why in their description', async () => {
    const Description = 'Launching a new EC2 instance: i-1.  Status Reason: Lifecycle Action was abandoned.';
    const cancelled = activity(30, { StatusCode: 'Cancelled', StatusMessage: undefined, Description });
    api.on(DescribeScalingActivitiesCommand).resolves({ Activities: [cancelled] });
    expect(await launches()).toEqual([{ at: at(30), message: Description }]);
  });

  test('are neither those that went well, or go on, nor what failed otherwise', async () => {
    api.on(DescribeScalingActivitiesCommand).resolves({
      Activities: [
        activity(30, { StatusCode: 'InProgress' }),
        activity(20, { StatusCode: 'Successful' }),
        activity(15, { Description: 'Terminating EC2 instance: i-1' }),
      ],
    });
    expect(await launches()).toEqual([]);
  });
});
