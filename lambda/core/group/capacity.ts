import type { Assessment, Attached, Classification } from '../model/assessment.ts';
import type { Fault } from '../model/fault.ts';
import { isStandby, weightOf } from '../model/members.ts';
import type { Observation } from '../model/observation.ts';
import { bestOf, registrationsOf, takesTasks } from '../model/registrations.ts';

/** What is about to drain: instances on which tasks fail, or others, some of them at least. */
export type Drainers = 'failed' | 'others';

/**
 * Members that take no task, where the others make up less than the group's desired capacity: nothing begins to drain then, as
 * it would take from what is too little already. Those that are marked are aside: without a surge they drain themselves,
 * and behind a load balancer the group is larger by them. What is detached counts for nothing, for it is to go.
 *
 * Members that a rollback takes away may never take a task. They don't wait for each other, but all others wait for them: until
 * they are replaced, these may be all that serves.
 *
 * @returns nothing where there are enough
 */
export function idleMembers({ group, observation, classified }: Assessment, drainers: Drainers): Attached[] {
  const { current, drifted, skipped } = classified;
  const failed = failedMembers(classified);
  const all = [...current, ...drifted, ...skipped].filter(({ member }) => !isStandby(member));
  const isAside = (each: Attached) =>
    failed.includes(each) ? drainers === 'failed' : each.instance.alive && each.instance.mark !== undefined;
  const idle = all.filter((each) => !isAside(each) && !serves(each, observation));
  const serving = all.filter((each) => !idle.includes(each));
  return weightOf(serving) < group.desiredCapacity ? idle : [];
}

/** Members that a rollback takes away. */
export function failedMembers({ drifted }: Classification): Attached[] {
  return drifted.filter(({ reasons }) => reasons.includes('rollback'));
}

/** It runs, in service, ACTIVE in the cluster with its agent connected. */
export function serves({ member, instance }: Attached, observation: Observation): boolean {
  return (
    instance.alive && member.lifecycleState === 'InService' && takesTasks(observation, instance.instanceId)
  );
}

/** Those first that serve nobody: nothing is lost with them, and the group is whole the sooner. */
export function idleFirst<Each extends Attached>(members: readonly Each[], observation: Observation): Each[] {
  const idle = members.filter((each) => !serves(each, observation));
  return [...idle, ...members.filter((each) => !idle.includes(each))];
}

/** Why a member takes no task. */
export function idleFault({ member, instance }: Attached, observation: Observation): Fault {
  const { instanceId, alive } = instance;
  const { lifecycleState } = member;
  if (!alive) return { kind: 'idle-gone', instanceId };
  if (lifecycleState !== 'InService') return { kind: 'idle-not-in-service', instanceId, lifecycleState };
  const best = bestOf(registrationsOf(observation, instanceId));
  if (best === undefined) return { kind: 'idle-unregistered', instanceId };
  if (best.status !== 'ACTIVE') return { kind: 'idle-not-active', instanceId, status: best.status };
  return { kind: 'idle-disconnected', instanceId };
}
