import {
  AutoScalingClient,
  CreateOrUpdateTagsCommand,
  DescribeAutoScalingGroupsCommand,
} from '@aws-sdk/client-auto-scaling';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { Uint8ArrayBlobAdapter } from '@smithy/core/serde';
import { expect, test } from 'vitest';
import { act } from '../../lambda/act/act.ts';
import { StaleObservation } from '../../lambda/aws/errors.ts';
import type { HookNote } from '../../lambda/core/model/hook.ts';
import { readHook, writeHook } from '../../lambda/tags/hook-tag.ts';
import { openGroupTags } from '../../lambda/tags/trusted-tags.ts';
import { describedGroup, UUID } from '../aws/described-group.ts';
import { mocked } from '../aws/mocked.ts';
import { sealedAws } from '../aws/sealed-aws.ts';
import { deployedSeal, sealedTags } from '../sealed.ts';

const api = mocked(AutoScalingClient);
const lambda = mocked(LambdaClient);
const STARTED = new Date('2026-11-21T11:00:00.000Z');
const NOW = new Date('2026-11-21T11:30:00.000Z');
const KEY = 'ecs-ami-deploy-hook';
const BEFORE: HookNote = {
  stage: 'before-batch',
  key: '00c0ffee',
  answer: 'hold',
  since: STARTED,
  askedAt: STARTED,
  attempt: 1,
};

const question = {
  stage: 'before-batch',
  key: '00c0ffee',
  since: STARTED,
  attempt: 2,
  startedAt: STARTED,
  until: NOW,
  images: { from: ['ami-01d'], to: ['ami-7a2'] },
  replacements: ['i-9'],
  outdated: ['i-2', 'i-3'],
  next: ['i-2'],
} as const;

/** Asks about a group that bears this note, and answers what is noted then. */
async function asked(answer: string | Error, noted?: string, cluster = 'web') {
  const tags = { 'ecs-ami-deploy-cluster': cluster, 'ecs-ami-deploy-started-at': STARTED.toISOString() };
  const group = describedGroup();
  const sealed = sealedTags({ arn: `${group.AutoScalingGroupARN}` }, cluster, {
    ...tags,
    ...(noted !== undefined && { [KEY]: noted }),
  });
  const Tags = Object.entries(sealed).map(([Key, Value]) => ({ Key, Value }));
  api.on(DescribeAutoScalingGroupsCommand).resolves({ AutoScalingGroups: [{ ...group, Tags }] });
  api.on(CreateOrUpdateTagsCommand).resolves({});
  if (answer instanceof Error) lambda.on(InvokeCommand).rejects(answer);
  else lambda.on(InvokeCommand).resolves({ Payload: Uint8ArrayBlobAdapter.fromString(answer) });
  const action = { kind: 'ask-hook', group: 'web', hook: 'arn:hook', question, before: BEFORE } as const;
  await act(sealedAws(), { cluster: 'web', group: 'web', uuid: UUID, begun: STARTED }, action, NOW);
  const [written] = api.commandCalls(CreateOrUpdateTagsCommand)[0]?.args[0].input.Tags ?? [];
  const opened = openGroupTags(deployedSeal, UUID, { ...sealed, [KEY]: `${written?.Value}` }, ['web']);
  return readHook(opened.tags[KEY], STARTED);
}

const NOTED = writeHook(STARTED, BEFORE);

test('a hook gets what it is about, and its answer is noted', async () => {
  expect(await asked('{"answer":"go","reason":"all quiet"}', NOTED)).toEqual({
    ...BEFORE,
    answer: 'go',
    askedAt: NOW,
    attempt: 2,
    says: 'all quiet',
  });
  const [call] = lambda.commandCalls(InvokeCommand);
  expect(JSON.parse(Buffer.from(call?.args[0].input.Payload as Uint8Array).toString())).toEqual({
    version: 1,
    id: 'web/web/2026-11-21T11:00:00.000Z/before-batch/00c0ffee',
    stage: 'before-batch',
    cluster: 'web',
    group: 'web',
    startedAt: '2026-11-21T11:00:00.000Z',
    images: { from: ['ami-01d'], to: ['ami-7a2'] },
    instances: { replacements: ['i-9'], outdated: ['i-2', 'i-3'], next: ['i-2'] },
    attempt: 2,
    askedSince: '2026-11-21T11:00:00.000Z',
    until: '2026-11-21T11:30:00.000Z',
  });
});

test("a hook that can't be asked holds", async () => {
  expect(await asked(new Error('out of order'), NOTED)).toMatchObject({
    answer: 'hold',
    says: expect.stringMatching(/^it could not be asked: .*out of order/),
  });
});

test.each([
  ['another answer is noted by now', NOTED.replace(' hold ', ' refuse '), 'web'],
  ['the note is gone', undefined, 'web'],
  ['the group is rolled for another cluster', NOTED, 'jobs'],
])('nothing is noted if %s', async (_, noted, cluster) => {
  await expect(asked('{"answer":"go"}', noted, cluster)).rejects.toThrow(StaleObservation);
  expect(api.commandCalls(CreateOrUpdateTagsCommand)).toHaveLength(0);
});
