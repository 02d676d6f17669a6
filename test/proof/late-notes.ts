import { GROUP_TAGS } from '../../lambda/contract.ts';
import type { Stage } from '../rollout/stage.ts';
import type { Call } from '../simulated-aws/account/call.ts';
import { LONGEST_CALL_SECONDS, LONGEST_LAG_OF_SEVERAL_SECONDS } from './weather.ts';

const LATEST_SECONDS = LONGEST_LAG_OF_SEVERAL_SECONDS + LONGEST_CALL_SECONDS;

/**
 * Of several invocations one may note what it has told right after another has ended the roll: what it reads
 * once more right before lags, or its call is slow, and AWS has no conditional write. The note counts for no
 * other roll, and the next one takes it along; here its owner does.
 */
export function clearLateNotes({ world, account, tell }: Stage): void {
  for (const { name, tags } of world.state.groups.values()) {
    const calls = account.calls.log.filter((call) => call.tookEffect && isOfNote(call, name));
    const ended = calls.findLast(({ operation }) => operation === 'DeleteTags');
    const note = calls.findLast(({ operation }) => operation !== 'DeleteTags');
    if (!tags.has(GROUP_TAGS.told) || ended === undefined || note === undefined) continue;
    // A call's time is when it began: it may have taken effect after one that began later.
    const isLate = Math.abs(note.time - ended.time) <= LATEST_SECONDS * 1000;
    if (note.session === ended.session || !isLate) continue;
    tags.delete(GROUP_TAGS.told);
    tell(name, `its owner takes ${GROUP_TAGS.told} away`);
  }
}

function isOfNote({ operation, input }: Call, group: string): boolean {
  const text = JSON.stringify(input);
  return /Tags$/.test(operation) && text.includes(`"${group}"`) && text.includes(`"${GROUP_TAGS.told}"`);
}
