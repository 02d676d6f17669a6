import type { Permission, PermissionScope } from './permissions/permission.ts';

/** One statement, for any part of the clusters and groups. */
export type PermissionRow = (scope: PermissionScope) => Permission;

/** A statement this long is cut rather than moved to another policy as a whole. */
const WORTH_CUTTING = 1_000;

/** A statement is made for a list of something, and can be for a part of it. */
interface Cut {
  readonly items: number;
  part(from: number, to: number): readonly [PermissionRow, PermissionScope];
}

/**
 * Puts statements into policies, in order, and cuts long ones by their clusters, groups, templates or
 * resources. What is the same for any clusters comes first, so that a further cluster moves little.
 *
 * A statement that names the clusters twice, such as by the tags of an instance and of a request, is cut at
 * both alike: a part allows nothing across parts, which no call needs.
 *
 * @param rooms how many characters of statements each policy may have
 * @param lengthOf a statement's
 * @returns undefined if that isn't enough; otherwise the statements of each policy
 */
export function pack(
  rows: readonly PermissionRow[],
  scope: PermissionScope,
  rooms: readonly number[],
  lengthOf: (statement: Permission) => number,
): Permission[][] | undefined {
  const policies: Permission[][] = rooms.map(() => []);
  const largest = Math.max(...rooms.slice(1), 0);
  let current = 0;
  let left = rooms[0] ?? 0;

  const costOf = (statement: Permission) => lengthOf(statement) + ','.length;

  function add(statement: Permission): true {
    policies[current]?.push(statement);
    left -= costOf(statement);
    return true;
  }

  /** @returns whether there was room */
  function place(row: PermissionRow, part: PermissionScope): boolean {
    const statement = row(part);
    const cost = costOf(statement);
    if (cost <= left) return add(statement);
    const groups = groupCut(row, part);
    // With most of a policy taken by the groups, little would be left in each for clusters.
    if (cost > largest && groups.items > 1 && costOf(row(clusterPart(part, 0, 1))) > largest / 2)
      return placeParts(groups, Math.ceil(groups.items / 2));
    const cuts = [clusterCut(row, part), groups, templateCut(row, part), resourceCut(row, part)];
    const cut = cuts.find((each) => each.items > 1 && costOf(made(each, 0, 1)) < cost);
    const fitting =
      cut && cost > WORTH_CUTTING ? most(cut.items - 1, (to) => costOf(made(cut, 0, to)) <= left) : 0;
    if (cut && fitting > 0) return placeParts(cut, fitting);
    current += 1;
    left = rooms[current] ?? 0;
    return current < rooms.length && place(row, part);
  }

  function placeParts({ items, part }: Cut, at: number): boolean {
    return place(...part(0, at)) && place(...part(at, items));
  }

  const least = groupPart(clusterPart(scope, 0, 1), 0, 1);
  const isConstant = (row: PermissionRow) => costOf(row(least)) === costOf(row(scope));
  const inOrder = [...rows.filter(isConstant), ...rows.filter((row) => !isConstant(row))];
  return inOrder.every((row) => place(row, scope)) ? policies : undefined;
}

/** The most, up to a limit, for which it holds; it holds for all below. */
export function most(limit: number, holds: (count: number) => boolean): number {
  let [yes, no] = [0, limit + 1];
  while (no - yes > 1) {
    const middle = Math.floor((yes + no) / 2);
    if (holds(middle)) yes = middle;
    else no = middle;
  }
  return yes;
}

export function clusterPart(scope: PermissionScope, from: number, to: number): PermissionScope {
  return { ...scope, clusters: scope.clusters.slice(from, to) };
}

export function groupPart(scope: PermissionScope, from: number, to: number): PermissionScope {
  const autoScalingGroups = scope.props.autoScalingGroups?.slice(from, to);
  return { ...scope, props: { ...scope.props, autoScalingGroups } };
}

function made({ part }: Cut, from: number, to: number): Permission {
  const [row, scope] = part(from, to);
  return row(scope);
}

const clusterCut = (row: PermissionRow, scope: PermissionScope): Cut => ({
  items: scope.clusters.length,
  part: (from, to) => [row, clusterPart(scope, from, to)],
});

const groupCut = (row: PermissionRow, scope: PermissionScope): Cut => ({
  items: scope.props.autoScalingGroups?.length ?? 0,
  part: (from, to) => [row, groupPart(scope, from, to)],
});

const templateCut = (row: PermissionRow, scope: PermissionScope): Cut => ({
  items: scope.props.launchTemplates?.length ?? 0,
  part(from, to) {
    const launchTemplates = scope.props.launchTemplates?.slice(from, to);
    return [row, { ...scope, props: { ...scope.props, launchTemplates } }];
  },
});

function resourceCut(row: PermissionRow, scope: PermissionScope): Cut {
  const { resources } = row(scope);
  return {
    items: resources.length,
    part: (from, to) => [() => ({ ...row(scope), resources: resources.slice(from, to) }), scope],
  };
}
