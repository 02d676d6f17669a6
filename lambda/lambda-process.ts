import { Logger } from '@aws-lambda-powertools/logger';
import type { Context } from 'aws-lambda';
import { type Aws, createAws } from './aws/clients.ts';
import type { Settings } from './core/model/settings.ts';

/** Of the invocation under way; Lambda gives a process one at a time. */
let remainingSeconds = () => Number.POSITIVE_INFINITY;

let kept: Aws | undefined;

/**
 * Kept between invocations: the connections of its clients, what adaptive retries have learnt, and the seal of the state.
 * The settings of a process never change.
 */
export function awsBy(settings: Settings): Aws {
  kept ??= createAws({}, { remaining: () => remainingSeconds() }, settings);
  return kept;
}

export const logger = new Logger({ serviceName: 'ecs-ami-deploy' });

/** @returns how long Lambda will let the invocation live, in seconds, whenever it is asked */
export function beginInvocation(context: Context): () => number {
  logger.addContext(context);
  remainingSeconds = () => context.getRemainingTimeInMillis() / 1000;
  return remainingSeconds;
}
