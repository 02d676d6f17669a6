import type { Decision } from '../actions/decision.ts';
import type { Group, Ordered } from '../model/group.ts';
import type { HookNote } from '../model/hook.ts';
import type { Request } from '../model/request.ts';

/**
 * Notes what somebody answers to a question. They may be late: a question whose time is over counts as
 * refused only until somebody approves.
 *
 * @returns undefined if the group doesn't ask that, has an answer, or asked it anew since it was ordered
 */
export function noteAnswer(
  { name, roll }: Ordered,
  order: 'approve' | 'refuse',
  { answers, orderedAt }: Request,
  now: Date,
): Decision | undefined {
  if (answers?.group !== name) return undefined;
  const { question } = answers;
  if (roll?.hook?.answer !== 'asked' || roll.hook.key !== question) return undefined;
  if (orderedAt !== undefined && roll.hook.since > orderedAt) return undefined;
  const answer = order === 'approve' ? 'go' : 'refuse';
  const note: HookNote = { ...roll.hook, answer, askedAt: now };
  return {
    kind: 'act',
    reason: { code: 'question-answered', question, answer },
    actions: [{ kind: 'answer-hook', group: name, startedAt: roll.startedAt, note }],
  };
}

/**
 * Forgets that a hook held or refused because somebody asks for it: it is asked anew, with the whole limit.
 *
 * @returns undefined if nobody asked, or it held or refused since
 */
export function askAnew({ name, roll }: Group, { retryBefore }: Request): Decision | undefined {
  const hook = roll?.hook;
  if (retryBefore === undefined || hook === undefined || hook.answer === 'go') return undefined;
  if (hook.askedAt >= retryBefore) return undefined;
  return {
    kind: 'act',
    reason: { code: 'hook-asked-anew' },
    actions: [{ kind: 'clear-hook', group: name }],
  };
}
