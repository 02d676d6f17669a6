import { type HookNote, NOTED_ANSWERS } from '../core/model/hook.ts';
import { HOOK_STAGES } from '../core/reasons/held.ts';
import { cutToTag, NONE, sentenceIn } from './tag-values.ts';
import { dateIn } from './times.ts';

/**
 * Writes what a hook was asked and has answered:
 * `<when the roll began> before-batch 9c1f02ab hold <when it was asked first> <and last> 4 not yet`.
 * The roll's beginning comes first, so that a note of an earlier roll counts for nothing.
 */
export function writeHook(
  startedAt: Date,
  { stage, key, answer, since, askedAt, attempt, says }: HookNote,
): string {
  const times = [since.toISOString(), askedAt.toISOString()];
  const words = [startedAt.toISOString(), stage, key, answer, ...times, String(attempt)];
  const said = says === undefined ? NONE : sentenceIn(says);
  return cutToTag([...words, ...(said === NONE ? [] : [said])].join(' '));
}

/** Reads the opened tag; undefined if it is none of this roll, or malformed. */
export function readHook(text: string | undefined, startedAt: Date): HookNote | undefined {
  const [begun, stage, key, answer, first, last, times, ...says] = text?.split(' ') ?? [];
  if (dateIn(begun)?.getTime() !== startedAt.getTime() || key === undefined) return undefined;
  const knownStage = HOOK_STAGES.find((each) => each === stage);
  const knownAnswer = NOTED_ANSWERS.find((each) => each === answer);
  const [since, askedAt] = [dateIn(first), dateIn(last)];
  if (!knownStage || !knownAnswer || !since || !askedAt) return undefined;
  return {
    stage: knownStage,
    key,
    answer: knownAnswer,
    since,
    askedAt,
    attempt: Number(times) || 1,
    ...(says.length > 0 && { says: says.join(' ') }),
  };
}
