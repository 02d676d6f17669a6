import type { Failure } from '@aws-sdk/client-ecs';
import { FailureAnswered } from './errors.ts';

/**
 * ECS may answer successfully and still list failures. A resource that vanished since it was listed is no
 * error; everything else is.
 *
 * @param expected beginnings of reasons, in ECS's words, that are no errors either
 * @throws FailureAnswered
 */
export function refuseFailures(
  operation: string,
  failures: readonly Failure[] = [],
  ...expected: readonly string[]
): void {
  const failure = failures.find(
    ({ reason = '' }) => reason !== 'MISSING' && !expected.some((each) => reason.startsWith(each)),
  );
  if (failure !== undefined) throw new FailureAnswered(sentenceOf(operation, failure));
}

export function sentenceOf(operation: string, { arn, reason, detail }: Failure): string {
  return `${operation} failed for ${arn}: ${[reason, detail].filter(Boolean).join(', ')}`;
}
