import type { Assessment, Attached, Classification } from '../model/assessment.ts';
import type { ContainerInstance } from '../model/cluster.ts';
import type { Instance, Member } from '../model/group.ts';
import { isStandby, weightOf } from '../model/members.ts';
import type { Observation } from '../model/observation.ts';
import { bestOf, registrationsOf, takesTasks } from '../model/registrations.ts';
import type { Fault } from '../reasons/faults.ts';

/** A member, and what EC2 shows of it, if it answers. */
interface ListedMember {
  readonly member: Member;
  readonly instance?: Instance;
}

/** What is about to drain: only instances on which tasks fail, or at least some others. */
export type Drainers = 'failed' | 'others';

/**
 * Members that take no tasks, if the remaining ones make up less than the group's desired capacity. Nothing
 * starts to drain then, as capacity is already short. Marked members don't count: without a surge they drain
 * in place, and behind a load balancer the group is larger by them. Detached ones don't count, as they leave.
 *
 * Members that a rollback removes may never take a task. While they run they don't wait for each other, but
 * all others wait for them: until they are replaced, those others may be all that serves.
 *
 * @returns an empty list if there is enough capacity
 */
export function idleMembers(
  { group, observation, classified }: Assessment,
  drainers: Drainers,
): ListedMember[] {
  const { current, drifted, skipped, unknown } = classified;
  const failed = new Set<ListedMember>(failedMembers(classified));
  const known: ListedMember[] = [...current, ...drifted, ...skipped];
  const all = [...known, ...unknown.map((member) => ({ member }))].filter(({ member }) => !isStandby(member));
  const isAside = (each: ListedMember) =>
    each.instance?.alive && (failed.has(each) ? drainers === 'failed' : each.instance.mark !== undefined);
  const isIdle = (each: ListedMember) => !isAside(each) && !serves(each, observation);
  const idle = all.filter(isIdle);
  const serving = all.filter((each) => !isIdle(each));
  return weightOf(serving) < group.desiredCapacity ? idle : [];
}

/** By which registrations the members that stay take tasks. */
export function servingBeside({ observation, classified }: Assessment): ContainerInstance[] {
  const { current, drifted, skipped } = classified;
  const staying = [...current, ...drifted, ...skipped].filter(({ instance }) => instance.mark === undefined);
  return staying
    .filter((each) => serves(each, observation))
    .flatMap(({ member }) => bestOf(registrationsOf(observation, member.instanceId)) ?? []);
}

/** Members that a rollback removes. */
export function failedMembers({ drifted }: Classification): Attached[] {
  return drifted.filter(({ reasons }) => reasons.includes('rollback'));
}

/** It is running and in service, and ACTIVE in the cluster with its agent connected. */
export function serves({ member, instance }: ListedMember, observation: Observation): boolean {
  const isAlive = instance?.alive ?? true;
  return isAlive && member.lifecycleState === 'InService' && takesTasks(observation, member.instanceId);
}

/** Puts members that serve nobody first: they are no loss, and the group is whole sooner. */
export function idleFirst<Each extends Attached>(members: readonly Each[], observation: Observation): Each[] {
  const isServing = (each: Each) => serves(each, observation);
  return [...members.filter((each) => !isServing(each)), ...members.filter(isServing)];
}

/** Why a member takes no task. */
export function idleFault({ member, instance }: ListedMember, observation: Observation): Fault {
  const { instanceId, lifecycleState } = member;
  if (instance?.alive === false) return { kind: 'member-gone', instanceId };
  if (lifecycleState !== 'InService') return { kind: 'member-not-in-service', instanceId, lifecycleState };
  const best = bestOf(registrationsOf(observation, instanceId));
  if (best === undefined) return { kind: 'member-unregistered', instanceId };
  // A marked one drains by us.
  if (best.status === 'DRAINING' && instance?.mark === undefined)
    return { kind: 'member-drained-by-others', instanceId };
  if (best.status !== 'ACTIVE') return { kind: 'member-not-active', instanceId, status: best.status };
  return { kind: 'member-disconnected', instanceId };
}
