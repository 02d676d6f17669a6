import { HOOK_ANSWERS, type HookNote } from '../model/hook.ts';

/** What a hook answers, and why. */
export type Reply = Pick<HookNote, 'answer' | 'says'>;

/** Far more than a tag has room for; the function may answer megabytes. */
const MOST_CHARACTERS = 500;

/** Reads a hook's answer. One that makes no sense never lets a roll pass. */
export function readReply(text: string): Reply {
  const { answer, reason } = membersOf(text);
  const known = HOOK_ANSWERS.find((each) => each === answer);
  if (known === undefined)
    return { answer: 'hold', says: `it answered neither ${HOOK_ANSWERS.join(' nor ')}` };
  const says = typeof reason === 'string' ? reason.slice(0, MOST_CHARACTERS).trim() : '';
  return { answer: known, ...(says !== '' && { says }) };
}

function membersOf(text: string): { readonly answer?: unknown; readonly reason?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
