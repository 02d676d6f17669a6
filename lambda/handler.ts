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

/** Some group failed, or was rolled back as its replacements did. The others were carried on. */
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
 * @throws ConfigurationError, EventError before anything is looked at
 * @throws RolloutFailed when a group failed, or its roll was given up, after the others were carried on
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
  // Who only looks is told of all; an alarm is for what was to be done.
  if (failed.length > 0 && changesAws(command)) throw new RolloutFailed(failed);
  return { groups };
}

/** A rollback that somebody asked for is none that an alarm is to tell of. */
function hasFailed({ state, becauseCode = 'cause-lost' }: GroupResult): boolean {
  return state === 'failed' || (state === 'rolled-back' && !isAsked({ code: becauseCode }));
}
