import type { ContainerInstance, Service } from '../model/cluster.ts';
import type { Observation } from '../model/observation.ts';
import type { Traits } from '../model/placement.ts';
import { isForsaken } from '../model/registrations.ts';

/** What ECS knows about a container instance when it places a task. */
export interface Place extends Traits {
  /** Undefined for an instance that isn't launched yet. */
  readonly instanceId?: string;
  /** Names of attributes that it may or may not have. */
  readonly guessed: ReadonlySet<string>;
}

const NOTHING: ReadonlySet<string> = new Set();

/** @returns undefined if ECS didn't say what it has */
export function placeOf({ instanceId, traits }: ContainerInstance): Place | undefined {
  return traits && { ...traits, instanceId, guessed: NOTHING };
}

/**
 * Container instances that take tasks, or will once their agents reconnect, but those that ECS manages: no
 * task of ours goes there. If an instance registered anew, only the live registration counts.
 */
export function activeIn(observation: Pick<Observation, 'containerInstances'>): ContainerInstance[] {
  return observation.containerInstances.filter(
    (each) => each.status === 'ACTIVE' && !each.managed && !isForsaken(each, observation),
  );
}

/** Whether all its tasks run on instances that ECS manages. */
export function isOnManaged(
  { placement }: Pick<Service, 'placement'>,
  { containerInstances }: Pick<Observation, 'containerInstances'>,
): boolean {
  const names = containerInstances.flatMap(
    ({ managed, traits }) => (managed && traits?.capacityProvider) || [],
  );
  const { capacityProviders = [] } = placement ?? {};
  return capacityProviders.length > 0 && capacityProviders.every((each) => names.includes(each));
}

/**
 * The instance that replaces a member: like the old one, with another image. Custom attributes come back if
 * user data set them (ECS_INSTANCE_ATTRIBUTES), but not if somebody put them (PutAttributes); ECS doesn't say
 * which.
 *
 * @param imageId the image that it will run
 * @param zone where it may be launched; its subnet there is unknown unless the old one is there, too
 */
export function successorOf(
  { traits }: ContainerInstance,
  imageId: string,
  zone: string | undefined,
): Place | undefined {
  if (traits === undefined) return undefined;
  const { attributes, capacityProvider, resources } = traits;
  const before = attributes.get('ecs.availability-zone');
  const moved = zone === undefined || zone === before ? [] : [['ecs.availability-zone', zone] as const];
  return {
    attributes: new Map([...attributes, ['ecs.ami-id', imageId], ...moved]),
    guessed: new Set([
      ...[...attributes.keys()].filter((name) => !isBuiltIn(name)),
      ...(moved.length > 0 ? ['ecs.subnet-id'] : []),
    ]),
    capacityProvider,
    resources,
  };
}

/** https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-placement-constraints.html#attributes */
function isBuiltIn(name: string): boolean {
  return name.startsWith('ecs.') || isOfAgent(name);
}

/** Attributes by which the agent registers its capabilities. */
export function isOfAgent(name: string): boolean {
  return name.startsWith('com.amazonaws.ecs.') || name.startsWith('ecs.capability.');
}
