import { Stack, Token, Validations } from 'aws-cdk-lib';
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { continueIn, lengthFaults, ownPolicy, roomsOf } from './attached-policies.ts';
import { refuse } from './faults.ts';
import { clusterPart, groupPart, most, type PermissionRow, pack } from './pack.ts';
import type { Permission, PermissionScope, Permissions } from './permissions/permission.ts';
import { type Guess, jsonLength, LONGEST, SHORTEST, USUAL } from './policy-length.ts';

/**
 * Adds the permissions to the role's policies, and for wildcards gives cdk-nag the reasons. They get an
 * inline policy beside the CDK's own, which the CDK would cut without knowing how long it is; what has no
 * room there goes into managed ones.
 *
 * @throws DeploymentError if it has no room in these either
 */
export function grantAll(role: IRole, scope: PermissionScope, permissions: Permissions): IRole {
  for (const permission of permissions(scope)) acknowledge(role, permission);
  const own = ownPolicy(role);
  if (own === undefined) {
    // Its owner writes what it may do, and the CDK may be making a report of that.
    for (const permission of permissions(scope)) role.addToPrincipalPolicy(statementOf(permission));
    return role;
  }
  const rows = folded(permissions, scope);
  const rooms = roomsOf(role);
  const packed = (part: PermissionScope, guess: Guess) =>
    pack(rows, part, rooms, (permission) => lengthOf(role, permission, guess));
  const fits = (part: PermissionScope, guess: Guess) => packed(part, guess) !== undefined;
  const guess = guessFor(role, (each) => fits(scope, each));
  const policies = packed(scope, guess);
  if (policies === undefined) refuse([noRoom(scope, (part) => fits(part, guess))]);
  const [first = [], ...more] = policies.map((statements) => statements.map(statementOf));
  own.addStatements(...first);
  continueIn(
    role,
    more.filter(({ length }) => length > 0),
  );
  role.node.addValidation({ validate: () => lengthFaults(role) });
  return role;
}

/**
 * Names that only CloudFormation knows count as long as they may be. Where that is too long for a role, they
 * share what room it has: each policy then has some for names that turn out longer.
 */
function guessFor(role: IRole, fits: (guess: Guess) => boolean): Guess {
  const { region } = Stack.of(role);
  const places = Token.isUnresolved(region) ? [LONGEST, USUAL, SHORTEST] : [placeOf(region)];
  const guesses = places.flatMap((place) => [place, { ...place, name: 0 }]);
  const guess = guesses.find(fits) ?? guesses.at(-1) ?? SHORTEST;
  return guess.name > 0 ? guess : { ...guess, name: most(LONGEST.name, (name) => fits({ ...guess, name })) };
}

function placeOf(region: string): Guess {
  const { partition = '' } = RegionInfo.get(region);
  return { ...LONGEST, partition: partition.length || LONGEST.partition, region: region.length };
}

/** Statements that differ in their actions alone are one. */
function folded(permissions: Permissions, scope: PermissionScope): PermissionRow[] {
  const made = new WeakMap<PermissionScope, readonly Permission[]>();
  const madeFor = (part: PermissionScope) => {
    const known = made.get(part) ?? permissions(part);
    made.set(part, known);
    return known;
  };
  const alike = new Map<string, number[]>();
  for (const [index, { resources, conditions }] of madeFor(scope).entries()) {
    const key = JSON.stringify([resources, conditions]);
    alike.set(key, [...(alike.get(key) ?? []), index]);
  }
  return [...alike.values()].map((indexes) => (part) => {
    const all = indexes.flatMap((index) => madeFor(part)[index] ?? []);
    const [first] = all;
    if (first === undefined) throw new Error('a part of the clusters has fewer statements than all of them');
    return { ...first, actions: [...new Set(all.flatMap(({ actions }) => actions))] };
  });
}

function statementOf({ actions, resources, conditions }: Permission): PolicyStatement {
  return new PolicyStatement({ actions: [...actions], resources: [...resources], conditions });
}

function lengthOf(role: IRole, permission: Permission, guess: Guess): number {
  return jsonLength(Stack.of(role).resolve(statementOf(permission).toStatementJson()), guess);
}

/** Says what has room. */
function noRoom(scope: PermissionScope, hasRoom: (part: PermissionScope) => boolean): string {
  const { clusters, props } = scope;
  const groups = props.autoScalingGroups ?? [];
  const clustersWithRoom = most(clusters.length, (count) => hasRoom(clusterPart(scope, 0, count)));
  const groupsWithRoom = most(groups.length, (count) => hasRoom(groupPart(scope, 0, count)));
  const asked = [
    `${clusters.length} in clusters`,
    ...(groups.length > 0 ? [`${groups.length} in autoScalingGroups`] : []),
  ];
  const fitting = [
    ...(clustersWithRoom > 0 ? [`the first ${clustersWithRoom} in clusters`] : []),
    ...(groupsWithRoom > 0 ? [`the first ${groupsWithRoom} in autoScalingGroups`] : []),
  ];
  const advice =
    fitting.length > 0
      ? `it has for ${fitting.join(', or ')}: deploy the others in another stack`
      : 'deploy several stacks, or list less in the props';
  return `the policies of a role have no room for the names of ${asked.join(' and ')}; ${advice}`;
}

/** Gives cdk-nag the reason for a wildcard. */
function acknowledge(role: IRole, { why, resources }: Permission): void {
  if (why === undefined) return;
  for (const resource of resources) {
    const finding = `Resource::${asNagWritesIt(Stack.of(role).resolve(resource))}`;
    Validations.of(role).acknowledge({ id: `AwsSolutions-IAM5[${finding}]`, reason: why });
  }
}

/** cdk-nag names a finding by its resource, with CloudFormation's references in angle brackets. */
function asNagWritesIt(resource: unknown): string {
  if (typeof resource === 'string') return resource;
  if (typeof resource !== 'object' || resource === null) return String(resource);
  if ('Ref' in resource) return `<${resource.Ref}>`;
  if ('Fn::GetAtt' in resource && Array.isArray(resource['Fn::GetAtt']))
    return `<${resource['Fn::GetAtt'].join('.')}>`;
  if ('Fn::Join' in resource && Array.isArray(resource['Fn::Join'])) {
    const [delimiter, parts] = resource['Fn::Join'];
    return parts.map(asNagWritesIt).join(delimiter);
  }
  return JSON.stringify(resource);
}
