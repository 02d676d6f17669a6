import { Logger } from '@aws-lambda-powertools/logger';
import type { Context } from 'aws-lambda';
import { createAws } from './aws/clients.ts';

/** Of the invocation under way; Lambda gives a process one at a time. */
let remainingSeconds = () => Number.POSITIVE_INFINITY;

/** Clients are kept between invocations: their connections, and what adaptive retries have learnt. */
export const aws = createAws({}, { remaining: () => remainingSeconds() });

export const logger = new Logger({ serviceName: 'ecs-ami-deploy' });

/** @returns how long Lambda will let the invocation live, in seconds, whenever it is asked */
export function beginInvocation(context: Context): () => number {
  logger.addContext(context);
  remainingSeconds = () => context.getRemainingTimeInMillis() / 1000;
  return remainingSeconds;
}
