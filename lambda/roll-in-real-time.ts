import type { Context } from 'aws-lambda';
import { systemClock } from './clock.ts';
import { MEMBERSHIP_ENVIRONMENT } from './contract.ts';
import { isAsked } from './core/reasons/reason.ts';
import type { GroupResult } from './core/result.ts';
import type { Command } from './event.ts';
import type { Invocation, Journal } from './invocation.ts';
import { loggedJournal } from './journal.ts';
import { logger } from './lambda-process.ts';
import type { Begun } from './look/discover.ts';
import { changesAws, rollOut } from './look-act-loop.ts';
import type { MeteredJournal } from './metrics/metered-journal.ts';
import type { Membership } from './sequence/membership.ts';

/** Some group failed, or was rolled back because its replacements failed. The other groups went on. */
export class RolloutFailed extends Error {
  override readonly name = 'RolloutFailed';

  constructor(failed: readonly GroupResult[]) {
    super(failed.map(({ cluster, group, reason }) => `${cluster}/${group}: ${reason}`).join('\n'));
  }
}

type Given = Pick<Invocation, 'aws' | 'settings' | 'remainingSeconds'>;

/**
 * Rolls in real time, and logs it.
 *
 * @throws RolloutFailed
 */
export async function roll(
  given: Given,
  command: Command,
  begun: Begun,
  { invokedFunctionArn }: Pick<Context, 'invokedFunctionArn'>,
): Promise<GroupResult[]> {
  const member = await memberOf(given, command, invokedFunctionArn);
  const logged = loggedJournal(logger, systemClock);
  const metered = await meteredBy(given, command);
  const journal = metered === undefined ? logged : heardByBoth(logged, metered);
  const sequence = member && { sequence: member };
  const groups = await rollOut({ ...given, clock: systemClock, journal, ...sequence }, command, begun);
  if (changesAws(command)) await member?.speak(groups);
  logged.concluded(groups);
  await metered?.concluded(groups);
  const failed = groups.filter(hasFailed);
  // A command that only looks gets failures in its answer; alarms are for work that failed.
  if (failed.length > 0 && changesAws(command)) throw new RolloutFailed(failed);
  return groups;
}

/** What has to do with a sequence is loaded only by its members. */
async function memberOf(
  { aws, settings }: Given,
  command: Command,
  functionArn: string,
): Promise<Membership | undefined> {
  const { [MEMBERSHIP_ENVIRONMENT.table]: table } = process.env;
  if (table === undefined) return undefined;
  const { membershipOf } = await import('./sequence/membership.ts');
  const warn = (text: string) => logger.warn(text);
  const given = { aws, settings, clock: systemClock, command, functionArn, warn };
  return membershipOf(given, process.env);
}

/** Metrics are loaded only where they are wanted. */
async function meteredBy(given: Given, { action }: Command): Promise<MeteredJournal | undefined> {
  const { metrics } = given.settings;
  if (metrics === 'none') return undefined;
  const { meteredJournal } = await import('./metrics/metered-journal.ts');
  const functionName = process.env.AWS_LAMBDA_FUNCTION_NAME;
  return meteredJournal({ ...given, clock: systemClock, action, detail: metrics, functionName, logger });
}

function heardByBoth(logged: Journal, metered: MeteredJournal): Journal {
  return {
    ...logged,
    decided(...heard) {
      logged.decided(...heard);
      metered.decided(...heard);
    },
    failed(...heard) {
      logged.failed(...heard);
      metered.failed(...heard);
    },
  };
}

/** A rollback that somebody asked for needs no alarm. */
function hasFailed({ state, becauseCode = 'cause-lost' }: GroupResult): boolean {
  return state === 'failed' || (state === 'rolled-back' && !isAsked({ code: becauseCode }));
}
