import type { Action } from '../actions/decision.ts';
import type { ContainerInstance } from '../model/cluster.ts';
import type { Observation } from '../model/observation.ts';
import { hasFailed, isForsaken, isHost } from '../model/registrations.ts';
import type { Candidate } from './candidate.ts';

/**
 * Deregistering without force fails while any task runs. Where a daemon task is left, it is not worth waiting for: the
 * instance is shut down in order, and ECS deregisters it then. What its group ends is left to ECS, too: the hook of its
 * managed draining may hold one that ECS doesn't know any more for two days.
 *
 * What no agent is connected to stays registered when its instance ends, so all of an instance's registrations are
 * deregistered. Of a forsaken one ECS may go on believing in tasks that it has told to stop, as nobody tells it that they
 * have: whether it takes that one isn't documented, nor whether it takes one whose registration failed. Then the one that its
 * agent is connected to is left to ECS, too: without it, a roll killed before the instance ends would take the agent for
 * gone, and end nothing under the tasks that ECS believes in.
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

/** ECS deregisters by itself what it is connected to. */
function isUnheard(containerInstance: ContainerInstance): boolean {
  return hasFailed(containerInstance) && !containerInstance.agentConnected;
}
