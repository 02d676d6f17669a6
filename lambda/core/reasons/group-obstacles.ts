import { describeUnproven, type UnprovenInstances } from './launching.ts';
import { type KindOf, say } from './reason-of.ts';
import { listIds } from './words.ts';

/** Obstacles in what the group is or how it is set up. */
export const GROUP_OBSTACLES = {
  'group-deleting': () => 'the group is being deleted',
  'group-managed': (it: { operator: string }) =>
    `${it.operator} manages the group, and only it may change it`,
  'group-gone': (it: {
    /** Instances that still carry our tags. */
    left: readonly string[];
    /** Those among them that aren't known to have been detached. */
    unproven?: UnprovenInstances;
  }) =>
    [
      'there is no Auto Scaling group of this name',
      ...(it.left.length === 0
        ? []
        : [`${it.left.join(', ')} still have our tags; drain and terminate them by hand`]),
      ...(it.unproven === undefined ? [] : [describeUnproven(it.unproven)]),
    ].join(', but '),
  /** Never reported: such a group is left alone earlier. */
  'group-left-out': () => 'its tag leaves the group out',
  'capacity-not-in-units': (it: { capacityType: string }) =>
    `the group's sizes are in ${it.capacityType}, not in instances, so nobody can tell how many instances a change of ` +
    'them makes; set its DesiredCapacityType to units',
  'launch-process-suspended': () =>
    "the group's Launch process is suspended, so it would launch no replacements; resume it",
  'load-balancer-process-suspended': () =>
    "the group's AddToLoadBalancer process is suspended, so no replacement would serve; resume it",
  'traffic-source-unreadable': (it: { sources: readonly string[] }) =>
    `the group is attached to ${it.sources.join(', ')}, whose health checks can't be read; set MAX_SURGE to 0 to replace its ` +
    'instances one after the other',
  /** Set by its owner's tags, in the words of `settings/owner-tags.ts`. */
  'setting-tags-refused': (it: { faults: readonly string[] }) => it.faults.join('; '),
  'belongs-elsewhere': (it: Belongs & { because: BelongsElsewhere }) => {
    const isHere = it.registered.length > 0;
    const fix = isHere ? 'fix ECS_CLUSTER of these instances, or' : 'if it belongs to that cluster,';
    return `the group is left alone: ${describeBelongs(it)}, and ${say(ELSEWHERE, it.because.kind, it.because)}; ${fix} name it in GROUPS`;
  },
  'belonging-undecided': (belongs: Belongs) =>
    `${describeBelongs(belongs)}; waits for the agents of its new members`,
  'belonging-contested': (it: { clusters: readonly string[] }) =>
    `capacity providers or GROUPS of clusters ${it.clusters.join(' and ')} claim the group, but most of its members are ` +
    'registered in none of them',
};

/** How many of a group's members are registered in a cluster. */
export interface Belongs {
  readonly cluster: string;
  readonly registered: readonly string[];
  readonly members: number;
}

/** Why a group isn't this cluster's. */
const ELSEWHERE = {
  'rolled-for': (it: { cluster: string }) => `its roll is for cluster ${it.cluster}`,
  'registered-in': (it: { cluster: string }) => `most of its members are registered in cluster ${it.cluster}`,
  'only-provided': () => 'a capacity provider alone, which any cluster may be given, proves nothing',
  'not-named': () => 'it has no capacity provider, nor does GROUPS name it',
};

export type BelongsElsewhere = KindOf<typeof ELSEWHERE>;

function describeBelongs({ cluster, registered, members }: Belongs): string {
  const are = registered.length > 1 ? 'are' : 'is';
  const which = registered.length === 0 ? 'none' : `${registered.length}`;
  const ids = registered.length === 0 ? '' : ` (${listIds(registered)})`;
  return `${which} of its ${members} members${ids} ${are} registered in cluster ${cluster}`;
}
