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
    // A call's time is when it began.
    const isLate = ({ operation, session, time }: Call) =>
      operation !== 'DeleteTags' &&
      session !== ended?.session &&
      Math.abs(time - (ended?.time ?? Number.NaN)) <= LATEST_SECONDS * 1000;
    if (!tags.has(GROUP_TAGS.told) || !calls.some(isLate)) continue;
    tags.delete(GROUP_TAGS.told);
    tell(name, `its owner takes ${GROUP_TAGS.told} away`);
  }
}

function isOfNote({ operation, input }: Call, group: string): boolean {
  const text = JSON.stringify(input);
  return /Tags$/.test(operation) && text.includes(`"${group}"`) && text.includes(`"${GROUP_TAGS.told}"`);
}
