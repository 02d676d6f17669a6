import { digest } from '../../../lambda/core/hooks/ask-first.ts';
import type { HookNote, HookQuestion } from '../../../lambda/core/model/hook.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import type { HookStage } from '../../../lambda/core/reasons/held.ts';
import { ago, decided, groupOf, observe, old, ROLL } from '../builders.ts';

export const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:approvals';
/** How the group of three calls what it asks. */
export const keyOf = (stage: HookStage, ...about: readonly string[]) =>
  digest([groupOf(observe([])).uuid, ago(500).toISOString(), stage, 'ami-7a2', ...about]);
export const OF_THREE = keyOf('before-batch', 'i-1', 'i-2', 'i-3');

/** What a group has noted that asked five minutes ago. */
export const noteOf = (answer: HookNote['answer'], note: Partial<HookNote> = {}): HookNote => ({
  stage: 'before-batch',
  key: OF_THREE,
  answer,
  since: ago(300),
  askedAt: ago(300),
  attempt: 1,
  ...note,
});

/** What becomes of a group of three that would begin a batch. */
export const batch = (hook?: HookNote, settings: Partial<Settings> = {}, request = ROLL) =>
  decided(
    observe([old('i-1'), old('i-2'), old('i-3')], { settled: 60, roll: { ...(hook && { hook }) } }),
    { beforeBatch: TOPIC, ...settings },
    request,
  );

const NOON = new Date('2026-11-21T12:00:00.000Z');
/** What people are asked of a batch. */
export const QUESTION: HookQuestion = {
  stage: 'before-batch',
  key: '00c0ffee',
  since: NOON,
  until: NOON,
  startedAt: NOON,
  attempt: 1,
  images: { from: ['ami-01d'], to: ['ami-7a2'] },
  replacements: [],
  outdated: ['i-2', 'i-3'],
  next: ['i-2'],
};
