import type { Failure } from '@aws-sdk/client-ecs';
import { FailureAnswered } from './errors.ts';

/**
 * ECS answers with a success, and tells what it refused in a list. What vanished between the list and the
 * look at it is no fault; everything else is.
 *
 * @param expected reasons, as ECS writes them, that are no fault either
 * @throws FailureAnswered
 */
export function refuseFailures(
  operation: string,
  failures: readonly Failure[] = [],
  ...expected: readonly string[]
): void {
  const failure = failures.find(({ reason = '' }) => reason !== 'MISSING' && !expected.includes(reason));
  if (failure !== undefined) throw new FailureAnswered(sentenceOf(operation, failure));
}

export function sentenceOf(operation: string, { arn, reason, detail }: Failure): string {
  return `${operation} failed for ${arn}: ${[reason, detail].filter(Boolean).join(', ')}`;
}
