import type { ContainerInstance } from '../model/cluster.ts';
import type { Group, Instance, Member } from '../model/group.ts';
import type { LaunchedFrom } from '../model/launch.ts';
import type { Observation } from '../model/observation.ts';

/** An observation of one group, as `plan` carries it from decision to decision. */
export interface Foreseen extends Observation {
  readonly groups: readonly [Group];
}

export function withGroup(observation: Foreseen, changes: Partial<Group>): Foreseen {
  return { ...observation, groups: [{ ...observation.groups[0], ...changes }] };
}

export function withInstances(
  observation: Foreseen,
  instanceIds: readonly string[],
  change: (instance: Instance) => Instance,
): Foreseen {
  const instances = observation.groups[0].instances.map((instance) =>
    instanceIds.includes(instance.instanceId) ? change(instance) : instance,
  );
  return withGroup(observation, { instances });
}

export function withContainerInstances(
  observation: Foreseen,
  change: (each: ContainerInstance) => readonly ContainerInstance[],
): Foreseen {
  return { ...observation, containerInstances: observation.containerInstances.flatMap(change) };
}

/** Ids for members still to be launched. */
export function newIds({ instances }: Group, count: number): string[] {
  const first = instances.length + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => `new member ${first + index}`);
}

export function newMembers({ launch }: Group, instanceIds: readonly string[]): Member[] {
  const place = 'sources' in launch ? launch.sources[0]?.place : undefined;
  const [instanceType = ''] = place?.kind === 'override' ? place.instanceTypes : [];
  const launchedFrom: LaunchedFrom | undefined =
    place?.kind === 'override' ? { ...place, kind: 'launch-template' } : place;
  const member = {
    lifecycleState: 'Pending',
    healthy: true,
    instanceType,
    availabilityZone: '',
    weight: 1,
    launchedFrom,
  };
  return instanceIds.map((instanceId) => ({ ...member, instanceId }));
}

export function newInstances(
  { launch }: Group,
  instanceIds: readonly string[],
  launchedAt: Date,
): Instance[] {
  if ('obstacle' in launch) return [];
  const imageId = launch.sources[0]?.target.imageId ?? '';
  return instanceIds.map((instanceId) => ({ instanceId, alive: true, imageId, launchedAt, excluded: false }));
}
