/** Why a roll is not to go on where it was an invocation that said so. */
export const ASKED = 'somebody asked for it';

/** Why it is not where all there is is a word on the group's tag, which whoever may tag the group may have written. */
export const ASKED_BY_TAG = 'somebody asked for it by a tag on the group';

/** Whether a roll was given up for no fault of its own. */
export function isAsked(because: string | undefined): boolean {
  return because === ASKED || because === ASKED_BY_TAG;
}
