import { HOOK_ANSWERS, type HookNote } from '../model/hook.ts';

/** What a hook answers, and why. */
export type Reply = Pick<HookNote, 'answer' | 'says'>;

/** Reads a hook's answer. One that makes no sense never lets a roll pass. */
export function readReply(text: string): Reply {
  const { answer, reason } = membersOf(text);
  const known = HOOK_ANSWERS.find((each) => each === answer);
  if (known === undefined)
    return { answer: 'hold', says: `it answered neither ${HOOK_ANSWERS.join(' nor ')}` };
  return { answer: known, ...(typeof reason === 'string' && reason.trim() !== '' && { says: reason }) };
}

function membersOf(text: string): { readonly answer?: unknown; readonly reason?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
