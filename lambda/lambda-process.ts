import { Logger } from '@aws-lambda-powertools/logger';
import type { Context } from 'aws-lambda';
import { type Aws, createAws } from './aws/clients.ts';
import type { Settings } from './core/model/settings.ts';

/** For the current invocation; Lambda gives a process one at a time. */
let remainingSeconds = () => Number.POSITIVE_INFINITY;

let kept: Aws | undefined;

/**
 * Clients are kept between invocations, with their connections, what adaptive retries have learnt, and the
 * secrets of the seals. The settings of a process never change.
 */
export function awsBy(settings: Settings): Aws {
  kept ??= createAws({}, { remaining: () => remainingSeconds() }, settings);
  return kept;
}

export const logger = new Logger({ serviceName: 'ecs-ami-deploy' });

/** @returns a function that says how many seconds Lambda will let the invocation live */
export function beginInvocation(context: Context): () => number {
  logger.addContext(context);
  remainingSeconds = () => context.getRemainingTimeInMillis() / 1000;
  return remainingSeconds;
}
