import { type Candidate, isCutOff } from './candidate.ts';
import type { Decision } from './decision.ts';
import { listIds } from './describe.ts';
import type { Group, Observation } from './model.ts';
import { readiness } from './readiness.ts';
import type { Settings } from './settings.ts';
import type { Standing } from './standing.ts';
import { lingering, tasksOn, unsettled } from './steadiness.ts';
import { isOver, later } from './time.ts';

/**
 * How many polls a fault must have lasted, under the eyes of this invocation, before a limit that ran out long ago counts.
 * An agent reconnects several times an hour, and a group that scales lacks an instance for a moment.
 */
const DEBOUNCE_POLLS = 6;

/** Most faults that a reason names; more are counted. */
const NAMED = 3;

/** Waits for replacements, or says which have exceeded their time; undefined when the group is whole. */
export function waitForReadiness(
  group: Group,
  standing: Standing,
  observation: Observation,
  settings: Settings,
): Decision | undefined {
  const { now } = observation;
  const lacks = readiness(group, standing, observation);
  if (lacks.length === 0) return undefined;
  const what = `replacements are not ready: ${enumerate(lacks.map((lack) => lack.what))}`;
  const begun = batchStartedAt(group, standing);
  const overdue = lacks.filter(({ launchedAt }) => {
    const since = later(begun, launchedAt ?? begun);
    return isOver(since, settings.readyTimeoutSeconds, now);
  });
  if (overdue.length === 0 || !hasLasted(group.watch.unreadySince, settings, now))
    return { kind: 'wait', reason: what };
  return {
    kind: 'blocked',
    reason: `after ${settings.readyTimeoutSeconds} s, ${what}`,
  };
}

/** Waits for the instances in turn, or says which have exceeded their time, and what is left on them or unsteady. */
export function waitForTurns(
  inTurn: readonly Candidate[],
  group: Group,
  standing: Standing,
  observation: Observation,
  settings: Settings,
): Decision {
  const { now } = observation;
  const notDrained = inTurn.filter(({ phase }) => phase === 'next');
  if (notDrained.length > 0) {
    const waiting = waitForReadiness(group, standing, observation, settings);
    if (waiting !== undefined) return waiting;
  }
  const ids = inTurn.map(({ instance }) => instance.instanceId);
  const overdue = inTurn.some(({ instance: { mark } }) =>
    isOver(mark.drainStartedAt ?? now, settings.drainTimeoutSeconds, now),
  );
  const left = inTurn.flatMap((candidate) => leftOn(candidate, observation, overdue));
  const faults = left.length > 0 ? left : unsettled(observation, standing.leaving);
  if (faults.length === 0) {
    const reason = `waits for the services to have been steady for ${settings.stableSeconds} s; in turn: ${listIds(ids)}`;
    return { kind: 'wait', reason };
  }
  const verb = notDrained.length > 0 ? 'is the next to drain' : 'drains';
  const what = `${listIds(ids)} ${verb}: ${enumerate(faults)}`;
  const lasted = left.length > 0 || hasLasted(group.watch.unsettledSince, settings, now);
  if (!overdue || !lasted) return { kind: 'wait', reason: what };
  return { kind: 'blocked', reason: `after ${settings.drainTimeoutSeconds} s, ${what}` };
}

function leftOn(candidate: Candidate, observation: Observation, withIds: boolean): string[] {
  const { instanceId } = candidate.instance;
  const left = lingering(observation, instanceId, withIds);
  if (left.length > 0 || !isCutOff(candidate, observation)) return left;
  const groups = tasksOn(observation, instanceId).map(({ group }) => group.replace('service:', 'service '));
  return [`its agent is not connected, and 1 task of ${groups.join(' and 1 of ')} is left on ${instanceId}`];
}

/** When the instances now marked were chosen; without any, when the roll began. */
function batchStartedAt(group: Group, { detached, drifted }: Standing): Date {
  const marks = [...detached, ...drifted.map(({ instance }) => instance)].flatMap(({ mark }) => mark ?? []);
  const [first, ...others] = marks.map(({ detachStartedAt }) => detachStartedAt);
  return first === undefined ? (group.rollout?.startedAt ?? new Date(0)) : others.reduce(later, first);
}

function hasLasted(since: Date | undefined, { pollSeconds }: Settings, now: Date): boolean {
  return since !== undefined && isOver(since, DEBOUNCE_POLLS * pollSeconds, now);
}

function enumerate(clauses: readonly string[]): string {
  const named = clauses.slice(0, NAMED).join('; ');
  const more = clauses.length - NAMED;
  return more > 0 ? `${named}; and ${more} more` : named;
}
