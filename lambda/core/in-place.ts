import type { Decision } from './decision.ts';
import { describeReasons, listIds } from './describe.ts';
import { idsOf } from './detach.ts';
import type { Group, Observation } from './model.ts';
import type { Settings } from './settings.ts';
import type { Drifted, Standing } from './standing.ts';
import { waitForReadiness } from './wait.ts';

/**
 * Without a surge, chooses the members that go next: as many as may drain at once. They stay members while they drain, and
 * the group ends them and launches as many. The next are chosen when these are gone and the group is whole.
 *
 * @returns undefined when there is nothing to choose now
 */
export function chooseInPlace(
  group: Group,
  standing: Standing,
  observation: Observation,
  settings: Settings,
): Decision | undefined {
  const { drifted, leaving, detaching } = standing;
  if (drifted.length === 0 || leaving.length + detaching.length > 0) return undefined;
  const waiting = waitForReadiness(group, standing, observation, settings);
  if (waiting !== undefined) return waiting;
  const ending = standing.ending.map(({ instanceId }) => instanceId);
  if (ending.length > 0)
    return { kind: 'wait', reason: `${listIds(ending)} is still being ended by the group` };
  // One that runs no more is gone from ECS, and soon from its group, which replaces it by itself.
  const running = drifted.filter(({ instance }) => instance.alive);
  if (running.length === 0) {
    return { kind: 'wait', reason: `${listIds(idsOf(drifted))} runs no more, and is still a member` };
  }
  const chosen = emptiestFirst(running, observation).slice(0, settings.drainConcurrency);
  const mark = { group: group.name, detachStartedAt: observation.now };
  return {
    kind: 'act',
    reason: `is to replace ${chosen.length} of ${group.members.length} members (${describeReasons(chosen)})`,
    actions: [{ kind: 'mark-instances', instanceIds: idsOf(chosen), mark }],
  };
}

function emptiestFirst(drifted: readonly Drifted[], { containerInstances }: Observation): Drifted[] {
  const tasks = new Map(containerInstances.map((each) => [each.instanceId, each.runningTasksCount]));
  const tasksOn = ({ instance }: Drifted) => tasks.get(instance.instanceId) ?? 0;
  return [...drifted].sort((a, b) => tasksOn(a) - tasksOn(b));
}
