import type { HookQuestion } from '../model/hook.ts';
import { APPROVED, type HookStage } from '../reasons/held.ts';
import { answerCommand, printable } from '../reasons/words.ts';

/** SNS takes less than 100 characters, and older texts of AWS say: of ASCII. */
const SUBJECT_CHARACTERS = 99;

/** So many instances are named. */
const MOST_NAMED = 10;

const WHEN_REFUSED: Readonly<Record<HookStage, string>> = {
  'trial-passed': 'the roll goes back to the old image',
  'before-batch': 'the roll stops halfway',
};

/**
 * What people read who are asked to approve a step of a roll.
 *
 * @param topic ARN of the topic that tells them
 * @param functionName of the function that asks: a Region may have several
 */
export function approvalRequest(
  { cluster, group }: { readonly cluster: string; readonly group: string },
  { stage, key, images, outdated, next, replacements, until }: HookQuestion,
  topic: string,
  functionName?: string,
): { readonly subject: string; readonly message: string } {
  const where = printable(`${cluster}/${group}`);
  const which = functionName === undefined ? [] : [`--function ${functionName}`];
  const options = [`--region ${topic.split(':')[3]}`, ...which];
  const command = (verb: 'approve' | 'refuse') => answerCommand(verb, { group, question: key }, options);
  const time = until.toISOString();
  const lines = [
    `${where} waits for somebody to approve ${APPROVED[stage]}.`,
    '',
    `From image       ${named(images.from)}`,
    `Onto image       ${named(images.to)}`,
    `Launched so far  ${named(replacements)}`,
    ...(next.length > 0 ? [`To replace now   ${named(next)}`] : []),
    `Outdated         ${named(outdated)}`,
    '',
    `To approve: ${command('approve')}`,
    `To refuse:  ${command('refuse')}`,
    '',
    `Refused, or not approved by ${time}, ${WHEN_REFUSED[stage]}.`,
  ];
  const subject = `Approve ${APPROVED[stage]}? ${where}`.replace(/[^ -~]/g, '?');
  return { subject: subject.slice(0, SUBJECT_CHARACTERS), message: lines.join('\n') };
}

function named(words: readonly string[]): string {
  const rest = words.length - MOST_NAMED;
  const shown = words.slice(0, MOST_NAMED).join(', ');
  if (words.length === 0) return 'none';
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}
