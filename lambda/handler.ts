import type { Context } from 'aws-lambda';
import { systemClock } from './clock.ts';
import { isAsked } from './core/model/reason.ts';
import type { GroupResult } from './core/result.ts';
import { parseEvent } from './event.ts';
import { loggedJournal } from './journal.ts';
import { awsBy, beginInvocation, logger } from './lambda-process.ts';
import { changesAws, rollOut } from './rollout.ts';
import { parseSettings } from './settings/parse-settings.ts';

/** What the function answers. */
export interface Result {
  readonly groups: readonly GroupResult[];
}

/** Some group failed, or was rolled back because its replacements failed. The other groups went on. */
export class RolloutFailed extends Error {
  override readonly name = 'RolloutFailed';

  constructor(failed: readonly GroupResult[]) {
    super(failed.map(({ cluster, group, reason }) => `${cluster}/${group}: ${reason}`).join('\n'));
  }
}

/**
 * The Lambda function.
 *
 * @param event a schedule's, a notification's, or `{ action, clusters?, force? }`
 * @throws ConfigurationError, EventError before anything is read from AWS
 * @throws RolloutFailed if a group failed or its roll was given up, after the others have gone on
 */
export async function handler(event: unknown, context: Context): Promise<Result> {
  const remainingSeconds = beginInvocation(context);
  const settings = parseSettings(process.env);
  const command = parseEvent(event, settings.clusters, context.invokedFunctionArn);
  logger.info('invoked', { ...command });
  const journal = loggedJournal(logger, systemClock);
  const invocation = { aws: awsBy(settings), settings, clock: systemClock, journal, remainingSeconds };
  const groups = await rollOut(invocation, command);
  journal.concluded(groups);
  const failed = groups.filter(hasFailed);
  // A command that only looks gets failures in its answer; alarms are for work that failed.
  if (failed.length > 0 && changesAws(command)) throw new RolloutFailed(failed);
  return { groups };
}

/** A rollback that somebody asked for needs no alarm. */
function hasFailed({ state, becauseCode = 'cause-lost' }: GroupResult): boolean {
  return state === 'failed' || (state === 'rolled-back' && !isAsked({ code: becauseCode }));
}
