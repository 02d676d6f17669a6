import type { Group } from '../model/group.ts';
import type { Settings } from '../model/settings.ts';
import { surgeOf } from './surge.ts';

/** How the members of a group are replaced. */
export type Strategy =
  /** Detaches them, and the group launches as many. */
  | 'detach'
  /**
   * Makes the group larger first, because detached members would lose their requests at once, or because
   * hooks must run.
   */
  | 'scale-out'
  /** No extra instances allowed: members drain in place, and the group ends and replaces them. */
  | 'in-place';

/** @param settings those of the group */
export function strategyOf(group: Group, settings: Settings): Strategy {
  if (surgeOf(group, settings) === 0) return 'in-place';
  return group.trafficSources.length > 0 || endsThroughGroup(settings) ? 'scale-out' : 'detach';
}

/**
 * Whether the group ends its old members itself, so that its terminate hooks run, as they don't for detached
 * ones. The members drain in place, and each one ended takes back part of what the group grew by.
 */
export function endsThroughGroup({ terminateHooks }: Settings): boolean {
  return terminateHooks === 'run';
}
