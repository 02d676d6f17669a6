import { type Decision, waitForOthers } from '../actions/decision.ts';
import { waitForEnding } from '../drain/ending.ts';
import { isGivenUp, runningOn } from '../drain/phase.ts';
import { idleFirst, serves } from '../group/capacity.ts';
import { spareInstances } from '../group/spare.ts';
import { waitForReadiness } from '../group/wait-for-readiness.ts';
import { notAllOfZone } from '../group/zones.ts';
import type { Drifted, RollAssessment } from '../model/assessment.ts';
import { idSetOf } from '../model/members.ts';
import type { Observation } from '../model/observation.ts';
import { registrationsOf } from '../model/registrations.ts';
import { batchSizeInPlace } from './batch-size.ts';
import { stepsToMarkBatch } from './detach.ts';

/**
 * Without a surge, chooses the members that go next: as many as may drain at once. They stay members while
 * they drain; then the group ends them and launches as many. The next are chosen once these are gone and the
 * group is whole.
 *
 * @returns undefined if there is nothing to choose now
 */
export function chooseInPlace(
  assessment: RollAssessment,
  most = Number.POSITIVE_INFINITY,
): Decision | undefined {
  const { group, observation, settings, classified } = assessment;
  const { drifted, detaching } = classified;
  const leaving = classified.leaving.filter((each) => !isGivenUp(each, observation, settings));
  if (drifted.length === 0 || leaving.length + detaching.length > 0) return undefined;
  const spare = spareInstances(assessment);
  const waiting = waitForReadiness(assessment, spare);
  if (waiting !== undefined) return waiting;
  const ending = waitForEnding(assessment);
  if (ending !== undefined) return ending;
  // A member that no longer runs is gone from ECS, and its group soon replaces it by itself.
  const leavingIds = idSetOf(classified.leaving);
  const others = drifted.filter(({ instance }) => !leavingIds.has(instance.instanceId));
  if (others.length === 0) return undefined;
  const running = others.filter(({ instance }) => instance.alive);
  if (running.length === 0) return waitForOthers(others);
  const { current, skipped } = classified;
  const serving = [...current, ...drifted, ...skipped].filter((each) => serves(each, observation));
  const chosen = notAllOfZone(
    serving.map(({ member }) => member),
    idleFirst(emptiestFirst(running, observation), observation),
    Math.min(batchSizeInPlace(assessment), most),
  );
  return {
    kind: 'act',
    reason: { code: 'members-chosen', count: chosen.length, of: group.members.length, outdated: chosen },
    actions: stepsToMarkBatch(assessment, chosen),
  };
}

function emptiestFirst(drifted: readonly Drifted[], observation: Observation): Drifted[] {
  const tasksOn = ({ instance }: Drifted) => runningOn(registrationsOf(observation, instance.instanceId));
  return [...drifted].sort((a, b) => tasksOn(a) - tasksOn(b));
}
