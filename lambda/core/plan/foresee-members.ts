import { isStandby, weightOf } from '../group/standing.ts';
import type { Action } from '../model/decision.ts';
import type { Group, Instance, Member } from '../model/group.ts';
import type { LaunchedFrom } from '../model/launch.ts';

/** Members leave, and as many that run the target take their places, unless the group gets smaller by it. */
export function detached(
  group: Group,
  { instanceIds, decrement }: Extract<Action, { kind: 'detach-instances' }>,
  now: Date,
): Partial<Group> {
  return decrement ? shrunk(group, instanceIds) : replaced(group, instanceIds, now);
}

function shrunk(group: Group, instanceIds: readonly string[]): Partial<Group> {
  const leaving = group.members.filter(({ instanceId }) => instanceIds.includes(instanceId));
  const desiredCapacity = group.desiredCapacity - weightOf(leaving.map((member) => ({ member })));
  return { ...without(group, instanceIds), desiredCapacity };
}

export function ended(
  group: Group,
  { instanceIds, decrement }: Extract<Action, { kind: 'terminate-members' }>,
  now: Date,
): Partial<Group> {
  const instances = group.instances.map((instance) =>
    instanceIds.includes(instance.instanceId) ? { ...instance, alive: false } : instance,
  );
  const left = { ...group, instances };
  return { instances, ...(decrement ? shrunk(left, instanceIds) : replaced(left, instanceIds, now)) };
}

function replaced(group: Group, instanceIds: readonly string[], now: Date): Partial<Group> {
  // What stands by isn't part of the desired capacity, so that nothing is launched for it.
  const leaving = group.members.filter(
    (member) => instanceIds.includes(member.instanceId) && !isStandby(member),
  );
  const replacements = leaving.map(({ instanceId }) => `the replacement of ${instanceId}`);
  const { members } = without(group, instanceIds);
  const launched = newMembers(group, replacements).map((member, index) => ({
    ...member,
    weight: leaving[index]?.weight ?? member.weight,
  }));
  return {
    members: [...members, ...launched],
    instances: [...group.instances, ...newInstances(group, replacements, now)],
  };
}

function without({ members }: Group, instanceIds: readonly string[]): Pick<Group, 'members'> {
  return { members: members.filter(({ instanceId }) => !instanceIds.includes(instanceId)) };
}

export function resized(
  group: Group,
  {
    desiredCapacity = group.desiredCapacity,
    maxSize = group.maxSize,
    minSize = group.minSize,
  }: Extract<Action, { kind: 'set-sizes' }>,
  now: Date,
): Partial<Group> {
  const ids = newIds(group, desiredCapacity - group.desiredCapacity);
  return {
    desiredCapacity,
    maxSize,
    minSize,
    members: [...group.members, ...newMembers(group, ids)],
    instances: [...group.instances, ...newInstances(group, ids, now)],
  };
}

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
