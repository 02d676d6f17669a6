import { type ReasonOf, say } from './reason-of.ts';
import { subject } from './words.ts';

/**
 * What no group's result would say of a cluster. Instances that people are to see to are all named, as
 * nothing else names them.
 */
const CLUSTERS = {
  'no-group': () => 'no Auto Scaling group belongs to the cluster',
  /** To an order that is for begun rolls only. */
  'no-roll-begun': () => 'no roll has begun',
  'instances-astray': (it: {
    /** Members of no group. */
    strays: readonly string[];
    /** Gone, but still registered. */
    ghosts: readonly string[];
  }) =>
    [
      ...(it.strays.length > 0 ? [describeStrays(it.strays)] : []),
      ...(it.ghosts.length > 0 ? [describeGhosts(it.ghosts)] : []),
    ].join('; '),
  /** Tags that only look like ours, on resources of no group. */
  'tags-forged': (it: { resources: readonly string[] }) =>
    `${subject(it.resources, 'has', 'have')} tags that only look like ours: left alone`,
};

export type ClusterCode = keyof typeof CLUSTERS;
export type ClusterReason<Code extends ClusterCode = ClusterCode> = ReasonOf<typeof CLUSTERS, Code>;

/** A message about a whole cluster, as a sentence. */
export function describeCluster(reason: ClusterReason): string {
  return say(CLUSTERS, reason.code, reason);
}

function describeStrays(strays: readonly string[]): string {
  const are = strays.length === 1 ? 'is' : 'are';
  return `${strays.join(', ')} ${are} in no Auto Scaling group, and ${are} left alone`;
}

function describeGhosts(ghosts: readonly string[]): string {
  const [what, them] = ghosts.length === 1 ? ['instance is', 'it'] : ['instances are', 'them'];
  return (
    `${ghosts.length} ${what} gone but still registered (${ghosts.join(', ')}); deregister ${them} in the cluster ` +
    '(aws ecs deregister-container-instance, with --force if ECS believes that tasks run there)'
  );
}

/** An order that reached nobody: a group without instances belongs to no cluster for now. */
export function describeUnheard(order: 'pause' | 'resume'): string {
  return (
    `no group of the cluster got the ${order}: name the group in GROUPS, or give the ${order} again once ` +
    'instances of it have registered'
  );
}
