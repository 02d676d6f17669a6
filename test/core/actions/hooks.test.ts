import { expect, test } from 'vitest';
import { describeAction } from '../../../lambda/core/actions/actions.ts';
import { ago, old } from '../builders.ts';
import { noteOf, QUESTION, TOPIC } from '../hooks/people.ts';
import { groupAfter } from './foresight.ts';

const note = noteOf('asked');
const members = [old('i-1')];

test('a hook is foreseen to let the roll go on', () => {
  const { roll } = groupAfter(
    { kind: 'ask-hook', group: 'web-ecs', hook: TOPIC, question: QUESTION },
    members,
  );
  const { stage, key, since, attempt } = QUESTION;
  expect(roll).toMatchObject({ hook: { stage, key, since, attempt, answer: 'go', askedAt: ago(0) } });
});

test('what somebody answers is noted in the roll, and told', () => {
  for (const [answer, told] of [
    ['go', 'approves'],
    ['refuse', 'refuses'],
  ] as const) {
    const action = {
      kind: 'answer-hook',
      group: 'web-ecs',
      startedAt: ago(500),
      note: { ...note, answer },
    } as const;
    expect(groupAfter(action, members).roll).toMatchObject({ startedAt: ago(500), hook: { answer } });
    expect(describeAction(action)).toContain(`that somebody ${told} `);
  }
});

test('what a hook answered is forgotten', () => {
  expect(
    groupAfter({ kind: 'clear-hook', group: 'web-ecs' }, members, { roll: { hook: note } }).roll?.hook,
  ).toBe(undefined);
});

test('a group without a roll gets none by that', () => {
  const action = { kind: 'answer-hook', group: 'web-ecs', startedAt: ago(500), note } as const;
  expect(groupAfter(action, members, { roll: null }).roll).toBeUndefined();
});
