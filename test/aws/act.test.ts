import {
  AutoScalingClient,
  CreateOrUpdateTagsCommand,
  DescribeAutoScalingGroupsCommand,
} from '@aws-sdk/client-auto-scaling';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test } from 'vitest';
import { act } from '../../lambda/act.ts';
import { createAws } from '../../lambda/aws/clients.ts';
import { StaleObservation } from '../../lambda/aws/errors.ts';
import { NO_HOLD } from '../../lambda/core/hold.ts';
import type { Hold, Sizes } from '../../lambda/core/model.ts';
import { holdTags, type Tags } from '../../lambda/tags.ts';
import { describedGroup } from './described-group.ts';

const api = mockClient(AutoScalingClient);
const aws = createAws({ region: 'eu-west-1' });
beforeEach(() => api.reset());

const SIZES: Sizes = { desiredCapacity: 2, maxSize: 4 };
const SUSPENDED: Hold = { ...NO_HOLD, suspended: ['AZRebalance'] };

/** Records a hold on a group that bears such tags, and answers what it then is to bear. */
async function recorded(tags: Tags, parts: { before?: Hold; sizes?: Sizes } = {}) {
  const Tags = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
  api
    .on(DescribeAutoScalingGroupsCommand)
    .resolves({ AutoScalingGroups: [describedGroup({ Tags })] })
    .on(CreateOrUpdateTagsCommand)
    .resolves({});
  await act(aws, 'web', { kind: 'record-hold', group: 'web', before: NO_HOLD, hold: SUSPENDED, ...parts });
  const written = api.commandCalls(CreateOrUpdateTagsCommand)[0]?.args[0].input.Tags ?? [];
  return Object.fromEntries(written.map(({ Key, Value }) => [Key, Value]));
}

describe('what is to be put back is recorded', () => {
  test('on a group that says what was seen, with the sizes that were seen', async () => {
    const tags = holdTags('web', NO_HOLD);
    expect(await recorded(tags, { sizes: SIZES })).toEqual(holdTags('web', SUSPENDED));
  });

  test('on a group that says nothing of it yet', async () => {
    const tags = { 'ecs-ami-deploy-cluster': 'web' };
    expect(await recorded(tags)).toEqual(holdTags('web', SUSPENDED));
  });

  test.each([
    ['says something else by now', holdTags('web', SUSPENDED), {}],
    ['is rolled for another cluster', holdTags('jobs', NO_HOLD), {}],
    ['has been cleared of our tags', {}, {}],
    ['has another desired capacity', holdTags('web', NO_HOLD), { sizes: { ...SIZES, desiredCapacity: 3 } }],
    ['has another maximum size', holdTags('web', NO_HOLD), { sizes: { ...SIZES, maxSize: 5 } }],
  ])('never on a group that %s', async (_, tags, parts) => {
    await expect(recorded(tags, parts)).rejects.toThrow(StaleObservation);
    expect(api.commandCalls(CreateOrUpdateTagsCommand)).toHaveLength(0);
  });

  test('never on a group that is gone', async () => {
    api.on(DescribeAutoScalingGroupsCommand).resolves({ AutoScalingGroups: [] });
    const action = { kind: 'record-hold', group: 'web', before: NO_HOLD, hold: SUSPENDED } as const;
    await expect(act(aws, 'web', action)).rejects.toThrow(StaleObservation);
  });
});
