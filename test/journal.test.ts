import { Logger } from '@aws-lambda-powertools/logger';
import { expect, test, vi } from 'vitest';
import { assess } from '../lambda/core/group/assess.ts';
import { resultOf } from '../lambda/core/result.ts';
import { loggedJournal } from '../lambda/journal.ts';
import { ago, groupOf, launching, NOW, observe, old, PLACE, SETTINGS } from './core/builders.ts';

const clock = { now: () => NOW, sleep: async () => undefined };

/** The last line of an invocation that did nothing but to decide so. */
function lastLine(scene: Parameters<typeof observe>[1]): object {
  const logger = new Logger();
  const info = vi.spyOn(logger, 'info').mockImplementation(() => undefined);
  const observation = observe([old('i-1')], scene);
  const decided = {
    assessment: assess(groupOf(observation), observation, SETTINGS),
    decision: { kind: 'paused', reason: { code: 'paused' } },
    warnings: [],
    incredible: [],
  } as const;
  const journal = loggedJournal(logger, clock);
  journal.decided('web', decided);
  journal.concluded([resultOf(decided)]);
  const [, fields] = info.mock.lastCall ?? [];
  return Object(fields);
}

test('how old a roll is', () => {
  expect(lastLine({ roll: { startedAt: ago(3600) } })).toMatchObject({ rolloutAgeSeconds: 3600 });
});

test('for how long a newer image is kept from a group', () => {
  expect(lastLine({ roll: null, launch: launching(PLACE) })).toMatchObject({
    heldBackDays: 20.5,
  });
});
