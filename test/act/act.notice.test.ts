import {
  AutoScalingClient,
  CreateOrUpdateTagsCommand,
  DescribeAutoScalingGroupsCommand,
} from '@aws-sdk/client-auto-scaling';
import { expect, test } from 'vitest';
import { act } from '../../lambda/act/act.ts';
import { StaleObservation } from '../../lambda/aws/errors.ts';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import { noticeTags } from '../../lambda/tags/roll-tags.ts';
import { describedGroup, UUID } from '../aws/described-group.ts';
import { mocked } from '../aws/mocked.ts';
import { sealedAws } from '../aws/sealed-aws.ts';
import { sealedTags } from '../sealed.ts';

const api = mocked(AutoScalingClient);
const GIVEN = new Date('2026-11-21T11:00:00.000Z');
const NOW = new Date('2026-11-21T11:30:00.000Z');
const NOTICE = { imageIds: ['ami-7a2'], givenAt: GIVEN, until: new Date('2026-11-21T12:00:00.000Z') };

/** Calls an announced roll off, of a group that has these tags by then. */
async function skip(tags: Readonly<Record<string, string>>): Promise<number> {
  const group = describedGroup();
  const sealed = sealedTags({ arn: `${group.AutoScalingGroupARN}` }, 'web', tags);
  const Tags = Object.entries(sealed).map(([Key, Value]) => ({ Key, Value }));
  api.on(DescribeAutoScalingGroupsCommand).resolves({ AutoScalingGroups: [{ ...group, Tags }] });
  api.on(CreateOrUpdateTagsCommand).resolves({});
  const course = { kind: 'abort', since: NOW, because: { code: 'asked' } } as const;
  const action = { kind: 'record-course', group: 'web', course, notice: NOTICE } as const;
  await act(sealedAws(), { cluster: 'web', group: 'web', uuid: UUID, begun: GIVEN }, action, NOW);
  return api.commandCalls(CreateOrUpdateTagsCommand).length;
}

test('a roll that is announced is called off', async () => {
  expect(await skip(noticeTags('web', NOTICE))).toBe(1);
});

test('a roll that has begun since is not ended halfway', async () => {
  await expect(
    skip({ ...noticeTags('web', NOTICE), [GROUP_TAGS.startedAt]: NOW.toISOString() }),
  ).rejects.toThrow(StaleObservation);
  expect(api.commandCalls(CreateOrUpdateTagsCommand)).toHaveLength(0);
});
