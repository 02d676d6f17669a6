import type { Action } from '../actions/decision.ts';
import type { ContainerInstance } from '../model/cluster.ts';
import type { Observation } from '../model/observation.ts';
import { hasFailed, isForsaken, isHost } from '../model/registrations.ts';
import type { Candidate } from './phase.ts';

/**
 * Deregisters an instance that is about to end.
 *
 * Deregistering without force fails while any task runs. We don't wait for daemon tasks: the instance shuts
 * down in order, and ECS deregisters it then. We also leave members that their group ends to ECS: the hook of
 * its managed draining may hold an instance that is no longer in ECS for two days.
 *
 * A registration without a connected agent outlives its instance, so we deregister all registrations of an
 * instance. ECS may believe that a forsaken one still has tasks: it told them to stop, but no agent confirms
 * it. Whether ECS lets us deregister that one, or one whose registration failed, isn't documented. If in
 * doubt we leave the connected one to ECS, too: without it, a roll killed before the instance ends would
 * believe the agent gone, and wouldn't end an instance that ECS believes has tasks.
 */
export function deregister({ instance, containerInstances }: Candidate, observation: Observation): Action[] {
  const isDoubtful = containerInstances.some(
    (each) => isForsaken(each, observation) && hasTasks(each, observation),
  );
  return containerInstances.flatMap((containerInstance): Action[] => {
    if (isForsaken(containerInstance, observation))
      return [{ kind: 'deregister', containerInstance, mayStay: true }];
    if (instance.attached) return [];
    if (isUnheard(containerInstance)) return [{ kind: 'deregister', containerInstance, mayStay: true }];
    const isLeft = isDoubtful || hasTasks(containerInstance, observation);
    return !isHost(containerInstance) || isLeft ? [] : [{ kind: 'deregister', containerInstance }];
  });
}

function hasTasks({ arn }: ContainerInstance, { details: { tasks = [] } = {} }: Observation): boolean {
  return tasks.some(({ containerInstanceArn }) => containerInstanceArn === arn);
}

/** ECS deregisters connected ones by itself. */
function isUnheard(containerInstance: ContainerInstance): boolean {
  return hasFailed(containerInstance) && !containerInstance.agentConnected;
}
