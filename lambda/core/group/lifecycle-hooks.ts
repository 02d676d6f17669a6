import type { Assessment } from '../model/assessment.ts';
import type { Group } from '../model/group.ts';
import type { LifecycleHook } from '../model/lifecycle-hook.ts';
import type { Warning } from '../reasons/warnings.ts';
import { endsThroughGroup, strategyOf } from './strategy.ts';

type GroupWithHooks = Pick<Group, 'details'>;

/** The hooks that hold terminating instances; empty if they weren't read. */
export function terminateHooks(group: GroupWithHooks): readonly LifecycleHook[] {
  return hooksAt('terminating', group);
}

/** The hooks that hold launching instances; empty if they weren't read. */
export function launchHooks(group: GroupWithHooks): readonly LifecycleHook[] {
  return hooksAt('launching', group);
}

function hooksAt(
  at: LifecycleHook['transition'],
  { details: { lifecycleHooks } = {} }: GroupWithHooks,
): readonly LifecycleHook[] {
  if (lifecycleHooks?.kind !== 'read') return [];
  return lifecycleHooks.hooks.filter(({ transition }) => transition === at);
}

/** The owner's hooks that hold terminating instances: a drained one needs neither ECS's nor ours. */
export function ownersTerminateHooks(group: GroupWithHooks): readonly LifecycleHook[] {
  return terminateHooks(group).filter(({ drainer }) => drainer !== 'ecs' && drainer !== 'us');
}

/** AWS's default for a hook without a heartbeat timeout, also used if hooks can't be read. */
const DEFAULT_HEARTBEAT_SECONDS = 3600;

/** How long these hooks of a group hold an instance without a heartbeat. */
export function longestHeartbeat({ details }: GroupWithHooks, hooks: readonly LifecycleHook[]): number {
  if (details?.lifecycleHooks?.kind === 'unread') return DEFAULT_HEARTBEAT_SECONDS;
  return Math.max(0, ...hooks.map(({ heartbeatSeconds }) => heartbeatSeconds));
}

export function namesOf(hooks: readonly LifecycleHook[]): string[] {
  return hooks.map(({ name }) => name);
}

/**
 * Tells which way is taken, and why, where AWS writes: "Manual actions can break the scale-in operation of
 * the capacity provider. If you detach an instance …, you need to also deregister the detached instance".
 *
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/managed-termination-protection.html
 */
export function warnOfDetaching({ group, settings }: Assessment): Warning[] {
  const detaches = !endsThroughGroup(settings) && strategyOf(group, settings) !== 'in-place';
  return detaches && group.details?.hasManagedProtection ? [{ code: 'detached-though-protected' }] : [];
}

/** Warns of the owner's hooks that a roll would skip, or that the hooks could not be read. */
export function skippedHooks({ group, settings }: Assessment): Warning[] {
  const { lifecycleHooks } = group.details ?? {};
  if (lifecycleHooks?.kind === 'unread')
    return [{ code: 'lifecycle-hooks-unread', because: lifecycleHooks.because }];
  if (endsThroughGroup(settings) || strategyOf(group, settings) === 'in-place') return [];
  const hooks = ownersTerminateHooks(group);
  return hooks.length === 0 ? [] : [{ code: 'terminate-hooks-skipped', hooks: namesOf(hooks) }];
}
