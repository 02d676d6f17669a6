import type { Group, Instance, Member } from '../model/group.ts';
import { sourcesOf } from '../model/launch.ts';
import type { LifecycleHook } from '../model/lifecycle-hook.ts';
import type { Settings } from '../model/settings.ts';
import type { HoldingHooks } from '../reasons/faults.ts';
import type { Warning } from '../reasons/warnings.ts';
import { launchHooks, longestHeartbeat, namesOf } from './lifecycle-hooks.ts';

const DEFAULT_GLOBAL_TIMEOUT_SECONDS = 48 * 3600;

/**
 * How long a new instance may take to get ready once its launch hooks let go of it. Windows gets twice as
 * long: it goes through "several reboots, and often [takes] 15 minutes or longer", and its agent starts only
 * after that.
 *
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/win-ami-config-fast-launch.html
 */
export function readyLimitSeconds({ launch }: Pick<Group, 'launch'>, settings: Settings): number {
  const isWindows = sourcesOf(launch).some(({ target }) => target.platform === 'windows');
  return (isWindows ? 2 : 1) * settings.readyTimeoutSeconds;
}

/**
 * When a new member stops waiting for launch hooks: heartbeats can make a hook hold it for up to its global
 * timeout, and after that for one more heartbeat.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/lifecycle-hooks-overview.html
 */
export function freeSince(
  group: Group,
  { lifecycleState }: Member,
  { instanceId, launchedAt }: Instance,
): Date {
  if (isHeldByHook(lifecycleState)) return secondsAfter(launchedAt, longestSeconds(group));
  return group.details?.inServiceSince?.get(instanceId) ?? secondsAfter(launchedAt, heartbeatSeconds(group));
}

/** Whether a launch hook holds a member or has only just let go of it. */
export function isHeldByHook(lifecycleState: string): boolean {
  return lifecycleState === 'Pending:Wait' || lifecycleState === 'Pending:Proceed';
}

/** How long a launch hook holds an instance without a heartbeat. */
export function heartbeatSeconds(group: Group): number {
  return longestHeartbeat(group, launchHooks(group));
}

/** The longest a hook may hold a member; a member can be held even if no hook could be read. */
function longestSeconds(group: Group): number {
  const longest = launchHooks(group).map(({ globalTimeoutSeconds }) => globalTimeoutSeconds);
  return longest.length === 0 ? DEFAULT_GLOBAL_TIMEOUT_SECONDS : Math.max(...longest);
}

/** The launch hooks that hold a member that isn't in service yet. */
export function heldBy(group: Group, { lifecycleState }: Member): HoldingHooks | undefined {
  const hooks = launchHooks(group);
  if (!isHeldByHook(lifecycleState) || hooks.length === 0) return undefined;
  return holdingHooks(group, hooks);
}

/** Warns before a roll how long launch hooks may hold each replacement. */
export function warnOfLaunchHooks(group: Group): Warning[] {
  const hooks = launchHooks(group);
  if (hooks.length === 0) return [];
  return [{ code: 'launch-hooks-hold', ...holdingHooks(group, hooks) }];
}

function holdingHooks(group: Group, hooks: readonly LifecycleHook[]): HoldingHooks {
  return {
    hooks: namesOf(hooks),
    heartbeatSeconds: heartbeatSeconds(group),
    abandoning: namesOf(hooks.filter(({ abandons }) => abandons)),
  };
}

function secondsAfter(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000);
}
