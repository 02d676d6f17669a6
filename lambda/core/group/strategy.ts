import type { Group } from '../model/group.ts';
import type { Settings } from '../model/settings.ts';
import { surgeCount } from './budget.ts';

/** How the members of a group are replaced. */
export type Strategy =
  /** They are detached, and the group launches as many. */
  | 'detach'
  /** The group is made larger first: what sends its members requests would lose a detached one at once, or its hooks are to run. */
  | 'scale-out'
  /** There may be no more instances than usual: they drain as members, and the group ends and replaces them. */
  | 'in-place';

/** @param settings those of the group */
export function strategyOf(group: Group, settings: Settings): Strategy {
  if (surgeCount(settings.maxSurge, group.members.length) === 0) return 'in-place';
  return group.trafficSources.length > 0 || endsThroughGroup(settings) ? 'scale-out' : 'detach';
}

/**
 * Whether the group ends its old members itself, so that its terminate hooks run, which they don't for what is detached:
 * they drain as members, and with each the group gets smaller by what it was made larger.
 */
export function endsThroughGroup({ terminateHooks }: Settings): boolean {
  return terminateHooks === 'run';
}
