import type { ContainerInstance } from '../model/cluster.ts';
import type { Group, Instance, Member } from '../model/group.ts';
import { type LaunchedFrom, sourcesOf } from '../model/launch.ts';
import type { Observation } from '../model/observation.ts';
import type { Roll } from '../model/roll.ts';

/** An observation of one group, as `plan` carries it from decision to decision. */
export interface Foreseen extends Observation {
  readonly groups: readonly [Group];
}

type Changes = Partial<Group> | ((group: Group) => Partial<Group>);

export function withGroup(observation: Foreseen, changes: Changes): Foreseen {
  const [group] = observation.groups;
  const changed = typeof changes === 'function' ? changes(group) : changes;
  return { ...observation, groups: [{ ...group, ...changed }] };
}

/** Changes its roll, if there is one. */
export function withRoll(observation: Foreseen, changes: Partial<Roll>): Foreseen {
  return withGroup(observation, ({ roll }) => ({ roll: roll && { ...roll, ...changes } }));
}

export function withInstances(
  observation: Foreseen,
  instanceIds: readonly string[],
  change: (instance: Instance) => Instance,
): Foreseen {
  return withGroup(observation, ({ instances }) => ({
    instances: instances.map((each) => (instanceIds.includes(each.instanceId) ? change(each) : each)),
  }));
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
  const place = sourcesOf(launch)[0]?.place;
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
  const imageId = sourcesOf(launch)[0]?.target.imageId;
  if (imageId === undefined) return [];
  return instanceIds.map((instanceId) => ({ instanceId, alive: true, imageId, launchedAt, excluded: false }));
}
