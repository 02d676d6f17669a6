import type { Mutation } from '../mutation.ts';

/** What is told of a roll. */
export const RULES_OF_TELLING: readonly Mutation[] = [
  {
    rule: 'a roll tells of its end before its tags go',
    harm: 'Nobody but its log knows that it is over, and the history has no end of it.',
    find: '[begun, trial, batch, course, stop, ending]',
    replace: '[begun, trial, batch, course, stop]',
  },
  {
    rule: 'an event has the same id however often it is told',
    harm: 'Whoever is told twice takes it for two rolls.',
    find: "startedAt?.toISOString() ?? 'not begun', kind,",
    replace: 'now.toISOString(), kind,',
  },
  {
    rule: 'what has been told is noted only then',
    harm: 'An event is lost if the function is killed, or the event bus is out of order.',
    find: 'await tellAll(invocation, eventBus, untold);',
    replace:
      'if (due.told !== undefined && group.roll !== undefined) await note(invocation, memory, target, group.roll.startedAt, due.told);\n    await tellAll(invocation, eventBus, untold);',
  },
  {
    rule: 'an event bus out of order stops no roll',
    harm: 'Groups are left halfway for the sake of a message.',
    find: 'memory.busFailedAt = clock.now();',
    replace: 'throw error;',
  },
];
