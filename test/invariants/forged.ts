import type { Group } from '../simulated-aws/world/autoscaling/model.ts';
import type { Instance } from '../simulated-aws/world/ec2/model.ts';
import type { State } from '../simulated-aws/world/state.ts';

/**
 * What somebody has made of tags excuses what can't be known without them; it explains nothing that is done.
 */

/** How often somebody has written, or removed, one of these tags of a group. */
export function forgedOften(
  { forgeries }: Pick<State, 'forgeries'>,
  group: Group,
  ...keys: readonly string[]
): number {
  const forged = forgeries.groups.get(group);
  return keys.reduce((sum, key) => sum + (forged?.get(key) ?? 0), 0);
}

/** Whether somebody has written or removed tags of the instance: nobody knows any more whose it is. */
export function isForged({ forgeries }: Pick<State, 'forgeries'>, instance: Instance): boolean {
  return forgeries.instances.has(instance);
}
