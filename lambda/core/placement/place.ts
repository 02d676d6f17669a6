import type { ContainerInstance } from '../model/cluster.ts';
import type { Observation } from '../model/observation.ts';
import type { Traits } from '../model/placement.ts';
import { isForsaken } from '../model/registrations.ts';

/** What ECS knows of a container instance when it looks for a place for a task. */
export interface Place extends Traits {
  /** Undefined of one that is yet to be launched. */
  readonly instanceId?: string;
  /** Names of attributes of which nobody can tell whether it will have them. */
  readonly guessed: ReadonlySet<string>;
}

const NOTHING: ReadonlySet<string> = new Set();

/** @returns undefined where ECS told nothing of what it has */
export function placeOf({ instanceId, traits }: ContainerInstance): Place | undefined {
  return traits && { ...traits, instanceId, guessed: NOTHING };
}

/** Container instances that take tasks, or would once their agents are back; of an instance that registered anew the live one. */
export function activeIn(observation: Pick<Observation, 'containerInstances'>): ContainerInstance[] {
  return observation.containerInstances.filter(
    (each) => each.status === 'ACTIVE' && !isForsaken(each, observation),
  );
}

/**
 * What is launched in the place of a member: as the old one, with another image. Attributes of the owner's own come again
 * if user data set them (ECS_INSTANCE_ATTRIBUTES), and not if somebody put them (PutAttributes); ECS doesn't tell which.
 *
 * @param imageId of the image that it will run
 */
export function successorOf({ traits }: ContainerInstance, imageId: string): Place | undefined {
  if (traits === undefined) return undefined;
  const { attributes, capacityProvider, resources } = traits;
  return {
    attributes: new Map([...attributes, ['ecs.ami-id', imageId]]),
    guessed: new Set([...attributes.keys()].filter((name) => !isBuiltIn(name))),
    capacityProvider,
    resources,
  };
}

/** https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-placement-constraints.html#attributes */
function isBuiltIn(name: string): boolean {
  return name.startsWith('ecs.') || isOfAgent(name);
}

/** Those that the agent registers of what it can do. */
export function isOfAgent(name: string): boolean {
  return name.startsWith('com.amazonaws.ecs.') || name.startsWith('ecs.capability.');
}
