import type { Context } from 'aws-lambda';
import { MEMBERSHIP_ENVIRONMENT } from './contract.ts';
import type { GroupResult } from './core/result.ts';
import { type Command, EventError, parseEvent } from './event.ts';
import { awsBy, beginInvocation, logger } from './lambda-process.ts';
import { findBegun } from './look/discover.ts';
import { parseSettings } from './settings/parse-settings.ts';

/** What the function answers. */
export interface Result {
  readonly groups: readonly GroupResult[];
}

/**
 * The Lambda function. What it takes to roll is loaded only if there is something to roll: most ticks of the
 * schedule find nothing.
 *
 * @param event a schedule's, a notification's, or `{ action, clusters?, force? }`
 * @throws ConfigurationError, EventError before anything is read from AWS
 * @throws RolloutFailed if a group failed or its roll was given up, after the others have gone on
 */
export async function handler(event: unknown, context: Context): Promise<Result> {
  const remainingSeconds = beginInvocation(context);
  const settings = parseSettings(process.env);
  const parsed = parseEvent(event, settings.clusters, context.invokedFunctionArn);
  const command = asMember(parsed, process.env[MEMBERSHIP_ENVIRONMENT.table] !== undefined);
  logger.info('invoked', { ...command });
  const aws = awsBy(settings);
  const begun = await findBegun(aws, command);
  if (begun === undefined) return { groups: [] };
  const { roll } = await import('./roll-in-real-time.ts');
  return { groups: await roll({ aws, settings, remainingSeconds }, command, begun, context) };
}

/**
 * A member of a sequence begins by itself, at any tick, what that lets it, and says how it stands.
 *
 * @throws EventError if the event is about a sequence, and there is none
 */
function asMember(command: Command, isMember: boolean): Command {
  if (command.outsideSequence && !isMember)
    throw new EventError(['outsideSequence was true; it means something only to a member of a sequence']);
  return isMember && command.action === 'continue' ? { ...command, action: 'roll' } : command;
}
