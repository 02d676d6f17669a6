import { GROUP_TAGS } from '../../lambda/contract.ts';
import type { Stage } from '../rollout/stage.ts';
import type { Call } from '../simulated-aws/account/call.ts';
import type { Group } from '../simulated-aws/world/autoscaling/model.ts';
import { LONGEST_CALL_SECONDS, LONGEST_LAG_OF_SEVERAL_SECONDS } from './weather.ts';

const LATEST_SECONDS = LONGEST_LAG_OF_SEVERAL_SECONDS + LONGEST_CALL_SECONDS;

/** What a roll notes near its end. */
const NOTES = [GROUP_TAGS.told, GROUP_TAGS.canary];

/**
 * Of several invocations one may note what it has told, or that the trial is passed, right after another
 * has ended the roll: what it reads once more right before lags, or its call is slow, and AWS has no
 * conditional write. The note counts for no other roll, and the next one takes it along; here its owner does.
 */
export function clearLateNotes(stage: Stage): void {
  for (const group of stage.world.state.groups.values())
    for (const key of NOTES)
      if (group.tags.has(key) && isLate(stage, group.name, key)) clear(stage, group, key);
}

function clear({ tell }: Stage, { name, tags }: Group, key: string): void {
  tags.delete(key);
  tell(name, `its owner takes ${key} away`);
}

/** A call's time is when it began: it may have taken effect after one that began later. */
function isLate({ account }: Stage, group: string, key: string): boolean {
  const calls = account.calls.log.filter((call) => call.tookEffect && isOfNote(call, group, key));
  const ended = calls.findLast(({ operation }) => operation === 'DeleteTags');
  const note = calls.findLast(({ operation }) => operation !== 'DeleteTags');
  if (ended === undefined || note === undefined || note.session === ended.session) return false;
  return Math.abs(note.time - ended.time) <= LATEST_SECONDS * 1000;
}

function isOfNote({ operation, input }: Call, group: string, key: string): boolean {
  const text = JSON.stringify(input);
  return /Tags$/.test(operation) && text.includes(`"${group}"`) && text.includes(`"${key}"`);
}
