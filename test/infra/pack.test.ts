import { Stack } from 'aws-cdk-lib';
import { describe, expect, test } from 'vitest';
import { most, type PermissionRow, pack } from '../../infra/pack.ts';
import type { Permission, PermissionScope } from '../../infra/permissions/permission.ts';
import { quickApp } from './deployment.ts';
import { autoScalingGroups, clusters } from './imported.ts';

const NAMES = Array.from({ length: 100 }, (_, index) => `cluster-${index}`.padEnd(40, 'x'));
const GROUPS = Array.from({ length: 50 }, (_, index) => `group-${index}`.padEnd(40, 'x'));

const scopeOf = (names: readonly string[], groups: readonly string[] = []): PermissionScope => {
  const named = clusters(...names);
  return {
    stack: new Stack(quickApp(), 'Stack'),
    clusters: named.map(({ clusterRef }) => clusterRef),
    props: { clusters: named, ...(groups.length > 0 && { autoScalingGroups: autoScalingGroups(...groups) }) },
  };
};

const lengthOf = (statement: Permission) => JSON.stringify(statement).length;
const constant: PermissionRow = () => ({ actions: ['ec2:DescribeInstances'], resources: ['*'] });
const ofClusters: PermissionRow = (scope) => ({
  actions: ['ecs:StopTask'],
  resources: scope.clusters.map(({ clusterName }) => `task/${clusterName}`),
  conditions: { StringEquals: { cluster: scope.clusters.map(({ clusterName }) => clusterName) } },
});
const ofGroups: PermissionRow = (scope) => ({
  actions: ['autoscaling:DetachInstances'],
  resources: (scope.props.autoScalingGroups ?? []).map(({ autoScalingGroupName }) => autoScalingGroupName),
  conditions: { StringEquals: { cluster: scope.clusters.map(({ clusterName }) => clusterName) } },
});
const ofRoles: PermissionRow = () => ({ actions: ['iam:PassRole'], resources: NAMES });

function packed(
  rows: readonly PermissionRow[],
  scope: PermissionScope,
  rooms: readonly number[],
): Permission[][] {
  const policies = pack(rows, scope, rooms, lengthOf);
  if (policies === undefined) throw new Error('there is no room');
  for (const [index, statements] of policies.entries())
    expect(statements.reduce((sum, each) => sum + lengthOf(each) + 1, 0)).toBeLessThanOrEqual(
      rooms[index] ?? 0,
    );
  return policies;
}

function clustersOf({ conditions = {} }: Permission): readonly string[] {
  const { cluster } = conditions.StringEquals as { readonly cluster: readonly string[] };
  return cluster;
}

/** The pairs of clusters and of groups that the statements are for. */
const pairsOf = (statements: readonly Permission[]) =>
  new Set(
    statements.flatMap((statement) =>
      statement.resources.flatMap((resource) =>
        clustersOf(statement).map((cluster) => `${resource} ${cluster}`),
      ),
    ),
  );

describe('statements', () => {
  test('stay in the first policy while they have room there', () => {
    const [first, ...more] = packed([constant, ofClusters], scopeOf(['web', 'jobs']), [1_000, 1_000]);
    expect(first).toHaveLength(2);
    expect(more.flat()).toEqual([]);
  });

  test('come first that are the same for any clusters', () => {
    const [[first] = []] = packed([ofClusters, constant], scopeOf(['web', 'jobs']), [1_000]);
    expect(first?.actions).toEqual(['ec2:DescribeInstances']);
  });

  test('that are short move to the next policy whole', () => {
    const [, second] = packed([constant, ofClusters], scopeOf(['web', 'jobs']), [120, 1_000]);
    expect(second).toHaveLength(1);
  });

  test('that are long are cut by their clusters, at both of their lists', () => {
    const all = packed([ofClusters], scopeOf(NAMES), [3_000, 3_000, 3_000, 3_000]).flat();
    expect(all.length).toBeGreaterThan(2);
    expect(all.flatMap(({ resources }) => resources)).toEqual(NAMES.map((name) => `task/${name}`));
    for (const statement of all)
      expect(clustersOf(statement).map((name) => `task/${name}`)).toEqual(statement.resources);
  });

  test('for clusters and groups are cut so that each group goes with each cluster', () => {
    const scope = scopeOf(NAMES.slice(0, 60), GROUPS);
    const all = packed([ofGroups], scope, Array(8).fill(3_000)).flat();
    expect(pairsOf(all)).toEqual(pairsOf([ofGroups(scope)]));
  });

  test('for other lists are cut by their resources', () => {
    const all = packed([ofRoles], scopeOf(['web']), [2_000, 2_000, 2_000]).flat();
    expect(all.flatMap(({ resources }) => resources)).toEqual(NAMES);
  });

  test('may have no room', () => {
    expect(pack([ofClusters], scopeOf(NAMES), [3_000, 3_000], lengthOf)).toBeUndefined();
    expect(pack([constant], scopeOf(['web']), [10, 10], lengthOf)).toBeUndefined();
  });
});

test.each([0, 1, 7, 9, 10])('the most for which something holds may be %s', (last) => {
  expect(most(10, (count) => count <= last)).toBe(last);
});
