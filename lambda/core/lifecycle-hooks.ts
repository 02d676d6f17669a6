import type { Group, LifecycleHook } from './model.ts';

/**
 * ECS' own, by which it drains what the group of a capacity provider ends.
 *
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/managed-instance-draining.html
 */
const MANAGED_DRAINING = 'ecs-managed-draining-termination-hook';

type Hooked = Pick<Group, 'lifecycleHooks'>;

/** The hooks that hold what the group ends; none where they weren't read. */
export function terminateHooks({ lifecycleHooks }: Hooked): readonly LifecycleHook[] {
  if (lifecycleHooks?.kind !== 'read') return [];
  return lifecycleHooks.hooks.filter(({ transition }) => transition === 'terminating');
}

/** Those of them that are the owner's. */
export function ownersTerminateHooks(group: Hooked): readonly LifecycleHook[] {
  return terminateHooks(group).filter(({ name }) => name !== MANAGED_DRAINING);
}

export function namesOf(hooks: readonly LifecycleHook[]): string {
  return hooks.map(({ name }) => name).join(' and ');
}
