import { describe, expect, test } from 'vitest';
import { digest } from '../../../lambda/core/hooks/digest.ts';
import type { HookNote } from '../../../lambda/core/model/hook.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import { ago, decided, observe, old, ROLL } from '../builders.ts';

const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:approvals';
const OF_THREE = digest(['i-1', 'i-2', 'i-3']);

const noteOf = (answer: HookNote['answer'], note: Partial<HookNote> = {}): HookNote => ({
  stage: 'before-batch',
  key: OF_THREE,
  answer,
  since: ago(300),
  askedAt: ago(300),
  attempt: 1,
  ...note,
});

const batch = (hook?: HookNote, settings: Partial<Settings> = {}, request = ROLL) =>
  decided(
    observe([old('i-1'), old('i-2'), old('i-3')], { settled: 60, roll: { ...(hook && { hook }) } }),
    { beforeBatch: TOPIC, ...settings },
    request,
  );

describe.each([
  ['approve', 'go'],
  ['refuse', 'refuse'],
] as const)('who %ss what was asked', (order, answer) => {
  const request = { begin: false, order, orderedAt: ago(0), question: OF_THREE };

  test('has that noted, however late', () => {
    for (const note of [noteOf('asked'), noteOf('asked', { since: ago(9000), askedAt: ago(9000) })])
      expect(batch(note, {}, request)).toMatchObject({
        kind: 'act',
        reason: { code: 'question-answered', question: OF_THREE, answer },
        actions: [{ kind: 'answer-hook', note: { ...note, answer, askedAt: ago(0) } }],
      });
  });

  test.each([
    ['something else was', noteOf('asked', { key: '00c0ffee' })],
    ['it is answered', noteOf('refuse')],
    ['a function holds', noteOf('hold')],
    ['it was asked anew since', noteOf('asked', { since: ago(-1) })],
    ['nothing was', undefined],
  ])('changes nothing if %s', (_, note) => {
    expect(batch(note, {}, request)).not.toMatchObject({ reason: { code: 'question-answered' } });
  });
});
