import { Logger } from '@aws-lambda-powertools/logger';
import type { Context } from 'aws-lambda';
import { createAws } from './aws/clients.ts';
import { systemClock } from './clock.ts';
import { parseSettings } from './config.ts';
import type { GroupResult } from './core/result.ts';
import { parseEvent } from './event.ts';
import { loggedJournal } from './journal.ts';
import { rollOut } from './rollout.ts';

/** What the function answers. */
export interface Result {
  readonly groups: readonly GroupResult[];
}

/** Some group failed. The others were carried on, and the next invocation tries again. */
export class RolloutFailed extends Error {
  override readonly name = 'RolloutFailed';

  constructor(failed: readonly GroupResult[]) {
    super(failed.map(({ cluster, group, reason }) => `${cluster}/${group}: ${reason}`).join('\n'));
  }
}

const logger = new Logger({ serviceName: 'ecs-ami-deploy' });

/** Clients are kept between invocations: their connections, and what adaptive retries have learnt. */
const aws = createAws();

/**
 * The Lambda function.
 *
 * @param event a schedule's, a notification's, or `{ action, clusters?, force? }`
 * @throws ConfigurationError, EventError before anything is looked at
 * @throws RolloutFailed when a group failed, after the others were carried on
 */
export async function handler(event: unknown, context: Context): Promise<Result> {
  logger.addContext(context);
  const settings = parseSettings(process.env);
  const command = parseEvent(event, settings.clusters, context.invokedFunctionArn);
  logger.info('invoked', { ...command });
  const journal = loggedJournal(logger, systemClock);
  const remainingSeconds = () => context.getRemainingTimeInMillis() / 1000;
  const groups = await rollOut({ aws, settings, clock: systemClock, journal, remainingSeconds }, command);
  journal.concluded(groups);
  const failed = groups.filter(({ state }) => state === 'failed');
  if (failed.length > 0) throw new RolloutFailed(failed);
  return { groups };
}
