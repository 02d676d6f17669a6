import { describe, expect, test } from 'vitest';
import { ago, decided, observe, old } from '../builders.ts';
import { batch, noteOf, OF_THREE } from './people.ts';

describe.each([
  ['approve', 'go'],
  ['refuse', 'refuse'],
] as const)('who %ss what was asked', (order, answer) => {
  const answers = { group: 'web-ecs', question: OF_THREE };
  const request = { begin: false, order, orderedAt: ago(0), answers };

  test('has that noted, however late', () => {
    for (const since of [ago(0), ago(300), ago(9000)]) {
      const note = noteOf('asked', { since, askedAt: since });
      expect(batch(note, {}, request)).toMatchObject({
        kind: 'act',
        reason: { code: 'question-answered', question: OF_THREE, answer },
        actions: [{ kind: 'answer-hook', note: { ...note, answer, askedAt: ago(0) } }],
      });
    }
  });

  test("changes nothing of another group's question", () => {
    const others = { ...request, answers: { ...answers, group: 'jobs-ecs' } };
    expect(batch(noteOf('asked'), {}, others)).not.toMatchObject({ reason: { code: 'question-answered' } });
  });

  test('changes nothing if they name no question, or no roll is under way', () => {
    const { answers: _, ...unnamed } = request;
    const none = observe([old('i-1'), old('i-2'), old('i-3')], { settled: 60, roll: null });
    for (const decision of [batch(noteOf('asked'), {}, unnamed), decided(none, {}, request)])
      expect(decision).not.toMatchObject({ reason: { code: 'question-answered' } });
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
