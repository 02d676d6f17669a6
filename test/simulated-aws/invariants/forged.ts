import type { Group } from '../world/autoscaling/model.ts';
import type { Instance } from '../world/ec2/model.ts';
import type { Watch } from './expectations.ts';

/** What somebody has made of tags excuses what can't be known without them; it explains nothing that is done. */

/** How often somebody has written, or removed, one of these tags of a group. */
export function forgedOften({ state }: Watch, group: Group, ...keys: readonly string[]): number {
  const forged = state.forgeries.groups.get(group);
  return keys.reduce((sum, key) => sum + (forged?.get(key) ?? 0), 0);
}

/** Whether somebody has written, or removed, tags of the instance: nobody can tell any more whose it is. */
export function isForged({ state }: Watch, instance: Instance): boolean {
  return state.forgeries.instances.has(instance);
}
