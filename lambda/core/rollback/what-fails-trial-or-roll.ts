import type { Decision } from '../actions/decision.ts';
import { alarmOverdue } from '../group/alarms.ts';
import { isOfLoadBalancer } from '../group/blame.ts';
import { crashLoop } from '../group/crashes.ts';
import { stayingUnhealthy } from '../group/health.ts';
import type { Assessment } from '../model/assessment.ts';
import type { Observation } from '../model/observation.ts';
import type { Roll } from '../model/roll.ts';
import { isOver } from '../model/time.ts';

/**
 * What fails a roll, or its trial, at any time: a decision that is `failing`, on which `beginRollback`
 * acts. Beside what is here:
 *
 *   - replacements don't get ready in time: `group/wait-for-readiness.ts`;
 *   - tasks find no place, as the new image lacks something: `keepStrandedServing` in `drain/stranding.ts`;
 *   - the owner's hook refuses what was on trial: `hooks/ask-first.ts`.
 *
 * @returns undefined unless tasks crash again and again, or stay unhealthy, on replacements
 */
export function failingTasks(assessment: Assessment): Decision | undefined {
  const loop = crashLoop(assessment);
  if (loop !== undefined && !isAsked(loop.crash.says, assessment.observation))
    return { kind: 'wait', reason: { code: 'crash-watched', crash: loop.crash } };
  const reason = loop ?? stayingUnhealthy(assessment);
  return reason === undefined ? undefined : { kind: 'blocked', reason, failing: true };
}

/**
 * Its images are withdrawn, as people do with bad ones, and what is chosen instead is what ran before it.
 * Forward, it would take the good old instances for outdated ones.
 *
 * @param next what would be recorded of the roll now
 * @returns undefined if it goes on, or has nothing to go back from
 */
export function failedByWithdrawal(assessment: Assessment, next: Roll): Decision | undefined {
  const { roll, instances, pausedSince } = assessment.group;
  if (roll?.course.kind !== 'forward' || roll.previous.length === 0 || pausedSince !== undefined)
    return undefined;
  const { images } = assessment.observation;
  const isWithdrawn = (imageId: string) => images.get(imageId)?.state !== 'available';
  const instead = next.imageIds.filter((imageId) => !roll.imageIds.includes(imageId));
  const before = instances.filter(({ alive, launchedAt }) => alive && launchedAt < roll.startedAt);
  const isBack = (imageId: string) => before.some((each) => each.imageId === imageId);
  if (instead.length === 0 || !instead.every(isBack) || !roll.imageIds.every(isWithdrawn)) return undefined;
  return { kind: 'blocked', reason: { code: 'image-withdrawn', imageIds: roll.imageIds }, failing: true };
}

/** For so long an invocation asks a load balancer why tasks don't serve: ECS starts one after the other. */
const ASKED_SECONDS = 600;

function isAsked(reason: string, { now, details }: Observation): boolean {
  return !isOfLoadBalancer({ reason }) || isOver(details?.askedSince ?? now, ASKED_SECONDS, now);
}

/** An alarm of the owner's went off during the roll and has lasted too long. A pause holds all the same. */
export function failingAlarm(assessment: Assessment): Decision | undefined {
  if (assessment.group.pausedSince !== undefined) return undefined;
  const reason = alarmOverdue(assessment);
  return reason && { kind: 'blocked', reason, failing: true };
}
