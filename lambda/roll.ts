import { systemClock } from './clock.ts';
import { isAsked } from './core/model/reason.ts';
import type { GroupResult } from './core/result.ts';
import type { Command } from './event.ts';
import type { Invocation } from './invocation.ts';
import { loggedJournal } from './journal.ts';
import { logger } from './lambda-process.ts';
import type { Begun } from './look/discover.ts';
import { changesAws, rollOut } from './rollout.ts';

/** Some group failed, or was rolled back because its replacements failed. The other groups went on. */
export class RolloutFailed extends Error {
  override readonly name = 'RolloutFailed';

  constructor(failed: readonly GroupResult[]) {
    super(failed.map(({ cluster, group, reason }) => `${cluster}/${group}: ${reason}`).join('\n'));
  }
}

/**
 * Rolls in real time, and logs it.
 *
 * @throws RolloutFailed
 */
export async function roll(
  given: Pick<Invocation, 'aws' | 'settings' | 'remainingSeconds'>,
  command: Command,
  begun: Begun,
): Promise<GroupResult[]> {
  const journal = loggedJournal(logger, systemClock);
  const groups = await rollOut({ ...given, clock: systemClock, journal }, command, begun);
  journal.concluded(groups);
  const failed = groups.filter(hasFailed);
  // A command that only looks gets failures in its answer; alarms are for work that failed.
  if (failed.length > 0 && changesAws(command)) throw new RolloutFailed(failed);
  return groups;
}

/** A rollback that somebody asked for needs no alarm. */
function hasFailed({ state, becauseCode = 'cause-lost' }: GroupResult): boolean {
  return state === 'failed' || (state === 'rolled-back' && !isAsked({ code: becauseCode }));
}
