import { isDeepStrictEqual } from 'node:util';
import { describeGroups } from '../aws/autoscaling.ts';
import type { Aws } from '../aws/clients.ts';
import { explain, StaleObservation } from '../aws/errors.ts';
import { rare } from '../aws/rare.ts';
import { GROUP_TAGS } from '../contract.ts';
import type { Action } from '../core/actions/decision.ts';
import { readReply } from '../core/hooks/reply.ts';
import { asksPeople, type HookNote, type HookQuestion } from '../core/model/hook.ts';
import { readHook, writeHook } from '../tags/hook-tag.ts';
import { tag } from './guarded-writes.ts';
import type { Target } from './target.ts';

/** Raised whenever what a hook is asked, or may answer, changes in a way that older ones can't read. */
const VERSION = 1;

/**
 * Asks a hook and records its answer. Killed in between, the next invocation asks the same again, under the
 * same id. One that can't be asked holds.
 */
export async function askHook(
  aws: Aws,
  target: Target,
  action: Action<'ask-hook'>,
  now: Date,
): Promise<void> {
  const { question, before } = action;
  const { startedAt, stage, key, since, attempt } = question;
  const reply = await replyOf(aws, target, action);
  const [record] = await describeGroups(aws, [target.group]);
  // A note of an earlier roll, put back, is none.
  const noted = readHook(record?.tags[GROUP_TAGS.hook], startedAt);
  if (record?.tags[GROUP_TAGS.cluster] !== target.cluster || !isDeepStrictEqual(noted, before))
    throw new StaleObservation(`the tags of group ${target.group} have changed`);
  const note = { stage, key, since, attempt, askedAt: now, ...reply };
  return tag(aws, target, { [GROUP_TAGS.hook]: writeHook(startedAt, note) });
}

/** Records what somebody answered. */
export function answerHook(
  aws: Aws,
  target: Target,
  { startedAt, note }: Action<'answer-hook'>,
): Promise<void> {
  return tag(aws, target, { [GROUP_TAGS.hook]: writeHook(startedAt, note) });
}

async function replyOf(
  aws: Aws,
  target: Target,
  { hook, question }: Action<'ask-hook'>,
): Promise<Pick<HookNote, 'answer' | 'says'>> {
  try {
    if (asksPeople(hook)) {
      const { askPeople } = await rare.topics();
      await askPeople(aws, hook, target, question);
      return { answer: 'asked' };
    }
    const { invoke } = await rare.hooks();
    return readReply(await invoke(aws, hook, eventOf(target, question)));
  } catch (error) {
    return { answer: 'hold', says: `it could not be asked: ${explain(error)}` };
  }
}

/** docs/hooks.md describes it. */
function eventOf({ cluster, group }: Target, { key, ...question }: HookQuestion): object {
  const { stage, startedAt, since, until, attempt, images, replacements, outdated, next } = question;
  return {
    version: VERSION,
    id: [cluster, group, startedAt.toISOString(), stage, key].join('/'),
    stage,
    cluster,
    group,
    startedAt: startedAt.toISOString(),
    images,
    instances: { replacements, outdated, next },
    attempt,
    askedSince: since.toISOString(),
    until: until.toISOString(),
  };
}
