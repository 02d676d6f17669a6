import type { Member } from '../model/group.ts';
import type { LifecycleHooks } from '../model/lifecycle-hook.ts';
import { secondsBetween } from '../model/time.ts';

const DRAINERS = { ecs: 'ECS', cdk: "the CDK's hook", us: 'ecs-ami-deploy' } as const;

/**
 * Who drains what a group ends outside a roll: by a scale-in, a rebalancing, a failed health check.
 * In words; whether an owner's own hook does isn't to be seen.
 */
export function drainedBy(hooks: LifecycleHooks): string {
  if (hooks.kind === 'unread') return 'unknown';
  const held = hooks.hooks.filter(({ transition }) => transition === 'terminating');
  const known = held.flatMap(({ drainer }) => (drainer === undefined ? [] : [DRAINERS[drainer]]));
  const others = held.map(({ name }) => name);
  if (known.length > 0) return known.join(' and ');
  return others.length > 0 ? `${others.join(' and ')}, if at all` : 'nobody';
}

/**
 * What a group ends right now, in words: `i-1 is ending, drained by ecs-ami-deploy, 7 min left`.
 *
 * @param since when it began to, by instance, as far as its activities tell
 */
export function endingNow(
  members: readonly Pick<Member, 'instanceId' | 'lifecycleState'>[],
  hooks: LifecycleHooks,
  since: ReadonlyMap<string, Date>,
  now: Date,
): string[] {
  const minutes = minutesToDrain(hooks);
  return members.filter(isEnding).map(({ instanceId }) => {
    const begun = since.get(instanceId);
    const left = begun && minutes && Math.max(0, Math.ceil(minutes - secondsBetween(begun, now) / 60));
    return `${instanceId} is ending, drained by ${drainedBy(hooks)}${left === undefined ? '' : `, ${left} min left`}`;
  });
}

export function isEnding({ lifecycleState }: Pick<Member, 'lifecycleState'>): boolean {
  return lifecycleState.startsWith('Terminating');
}

export function isDrainedByUs(hooks: LifecycleHooks): boolean {
  return hooks.kind === 'read' && hooks.hooks.some(({ drainer }) => drainer === 'us');
}

/** How long what the group ends may take, where we drain it. */
export function minutesToDrain(hooks: LifecycleHooks): number | undefined {
  return hooks.kind === 'read' ? hooks.hooks.flatMap((each) => each.timeoutMinutes ?? []).at(0) : undefined;
}
