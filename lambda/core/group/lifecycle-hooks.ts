import type { Assessment } from '../model/assessment.ts';
import type { Group, LifecycleHook } from '../model/group.ts';
import { endsThroughGroup, strategyOf } from './strategy.ts';

/**
 * ECS's own, with which it drains members that a capacity provider's group ends.
 *
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/managed-instance-draining.html
 */
const MANAGED_DRAINING = 'ecs-managed-draining-termination-hook';

type Hooked = Pick<Group, 'details'>;

/** The hooks that hold terminating instances; empty if they weren't read. */
export function terminateHooks({ details: { lifecycleHooks } = {} }: Hooked): readonly LifecycleHook[] {
  if (lifecycleHooks?.kind !== 'read') return [];
  return lifecycleHooks.hooks.filter(({ transition }) => transition === 'terminating');
}

/** The hooks that hold launching instances; empty if they weren't read. */
export function launchHooks({ details: { lifecycleHooks } = {} }: Hooked): readonly LifecycleHook[] {
  if (lifecycleHooks?.kind !== 'read') return [];
  return lifecycleHooks.hooks.filter(({ transition }) => transition === 'launching');
}

/** The owner's hooks that hold terminating instances. */
export function ownersTerminateHooks(group: Hooked): readonly LifecycleHook[] {
  return terminateHooks(group).filter(({ name }) => name !== MANAGED_DRAINING);
}

export function namesOf(hooks: readonly LifecycleHook[]): string {
  return hooks.map(({ name }) => name).join(' and ');
}

/** Warns of the owner's hooks that a roll would skip, or that the hooks could not be read. */
export function skippedHooks({ group, settings }: Assessment): string[] {
  const { lifecycleHooks } = group.details ?? {};
  if (lifecycleHooks?.kind === 'unread')
    return [`the lifecycle hooks of the group could not be read: ${lifecycleHooks.because}`];
  if (endsThroughGroup(settings) || strategyOf(group, settings) === 'in-place') return [];
  const hooks = ownersTerminateHooks(group);
  if (hooks.length === 0) return [];
  const [noun, verb] = hooks.length === 1 ? ['hook', 'does'] : ['hooks', 'do'];
  return [
    `terminate ${noun} ${namesOf(hooks)} ${verb} not run for instances that are detached; with TERMINATE_HOOKS=run the group ` +
      'ends them itself',
  ];
}
