import type { HookNote, HookQuestion } from '../model/hook.ts';
import { APPROVED, HOOK_STEPS } from '../reasons/held.ts';
import type { Definitions } from './definition.ts';
import { withRoll } from './foreseen.ts';

/** Questions to hooks, and what is noted of their answers. */
export interface HookActions {
  /** Asks a function, or people by a topic, and records the answer on the group's tags. */
  'ask-hook': {
    readonly group: string;
    /** ARN of the function or topic. */
    readonly hook: string;
    readonly question: HookQuestion;
    /** What the tags said: if they say otherwise by now, another invocation has asked. */
    readonly before?: HookNote;
  };
  /** Records what somebody answers. */
  'answer-hook': { readonly group: string; readonly startedAt: Date; readonly note: HookNote };
  'clear-hook': { readonly group: string };
}

export const HOOK_ACTIONS: Definitions<HookActions> = {
  'ask-hook': {
    describe: ({ group, hook, question: { stage } }) =>
      `ask ${hook} about group ${group}, before ${HOOK_STEPS[stage]}`,
    foresee: (observation, { question: { stage, key, since, attempt } }) =>
      withRoll(observation, {
        hook: { stage, key, since, attempt, answer: 'go', askedAt: observation.now },
      }),
  },
  'answer-hook': {
    describe: ({ group, note: { answer, stage } }) =>
      `note on group ${group} that somebody ${answer === 'go' ? 'approves' : 'refuses'} ${APPROVED[stage]}`,
    foresee: (observation, { note: hook }) => withRoll(observation, { hook }),
    onlyRecords: true,
  },
  'clear-hook': {
    describe: ({ group }) => `remove the tag from group ${group} that notes what a hook answered`,
    foresee: (observation) => withRoll(observation, { hook: undefined }),
    onlyRecords: true,
  },
};
