import type { ClusterCode, ClusterReason } from '../model/cluster-reason.ts';
import { listIds, subject } from './describe.ts';

/** A message about a whole cluster, as a sentence. */
export function describeCluster<Code extends ClusterCode>(reason: ClusterReason<Code>): string {
  return CLUSTERS[reason.code](reason);
}

const CLUSTERS: { readonly [Code in ClusterCode]: (reason: ClusterReason<Code>) => string } = {
  'no-group': () => 'no Auto Scaling group belongs to the cluster',
  'no-roll-begun': () => 'no roll has begun',
  'instances-astray': ({ strays, ghosts }) =>
    [
      ...(strays.length > 0 ? [`${listIds(strays)} is in no Auto Scaling group, and is left alone`] : []),
      ...(ghosts.length > 0 ? [describeGhosts(ghosts)] : []),
    ].join('; '),
  'tags-forged': ({ resources }) =>
    `${subject(resources, 'has', 'have')} tags that only look like ours: left alone`,
};

function describeGhosts(ghosts: readonly string[]): string {
  const [what, them] = ghosts.length === 1 ? ['instance is', 'it'] : ['instances are', 'them'];
  return (
    `${ghosts.length} ${what} gone but still registered (${listIds(ghosts)}); deregister ${them} in the cluster ` +
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
