import { Stack } from 'aws-cdk-lib';
import { type IRole, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { FunctionOwner } from './functions.ts';
import { grantAll } from './grant-policies.ts';
import { autoScalingPermissions } from './permissions/autoscaling.ts';
import { ec2Permissions } from './permissions/ec2.ts';
import { ecsPermissions } from './permissions/ecs.ts';
import { HEALTH_PERMISSIONS } from './permissions/health.ts';
import { lambdaPermissions, runPermissions, writeOwnLog } from './permissions/lambda.ts';
import { orderPermissions } from './permissions/orders.ts';
import type { Permission, PermissionScope } from './permissions/permission.ts';
import { membershipPermissions, sequencePermissions } from './permissions/sequence.ts';
import { calendarPermissions, imagePermissions } from './permissions/ssm.ts';
import { eventPermissions, hookPermissions } from './permissions/tells.ts';
import { interruptionPermissions, terminationPermissions } from './permissions/terminations.ts';
import type { EcsAmiDeployProps } from './props.ts';

/**
 * The function's role: it may write its own log, put failed events in the queue, and make the calls of a
 * roll. Resource types and condition keys:
 * https://docs.aws.amazon.com/service-authorization/latest/reference/
 */
export function createRole(owner: FunctionOwner, props: EcsAmiDeployProps): IRole {
  const role = props.role ?? lambdaRole(owner, 'Role', 'ecs-ami-deploy: what a roll of its clusters needs');
  return grantAll(role, scopeOf(role, props), (scope) => [
    ...lambdaPermissions(owner, props),
    ...rollPermissions(scope),
    ...eventPermissions(owner.eventBus?.eventBusArn),
    ...hookPermissions(scope),
    ...membershipPermissions(props.sequenceTableArn),
  ]);
}

function rollPermissions(scope: PermissionScope): Permission[] {
  return [
    ...ecsPermissions(scope),
    ...autoScalingPermissions(scope),
    ...ec2Permissions(scope),
    ...HEALTH_PERMISSIONS,
    ...imagePermissions(scope),
    ...calendarPermissions(scope),
  ];
}

/** The orders function's role: it may find the groups of its clusters and write orders on their tags. */
export function createOrdersRole(owner: FunctionOwner, props: EcsAmiDeployProps): IRole {
  const role =
    props.ordersRole ??
    lambdaRole(owner, 'OrdersRole', 'ecs-ami-deploy: what an order to its clusters needs');
  return grantAll(role, scopeOf(role, props), (scope) => [
    ...lambdaPermissions(owner, props),
    ...orderPermissions(scope),
  ]);
}

/**
 * The widget's role: it may read what a roll reads, and the history, if there is one. What a viewer orders
 * takes the viewer's own rights.
 */
export function createWidgetRole(
  owner: FunctionOwner,
  history: ILogGroup | undefined,
  props: EcsAmiDeployProps,
): IRole {
  const role = lambdaRole(owner, 'WidgetRole', 'ecs-ami-deploy: what its widget on the dashboard shows');
  return grantAll(role, scopeOf(role, props), (scope) => [
    writeOwnLog(owner),
    ...(history === undefined
      ? []
      : [{ actions: ['logs:FilterLogEvents'], resources: [history.logGroupArn] }]),
    ...rollPermissions(scope).flatMap(readsOf),
    ...membershipPermissions(props.sequenceTableArn).flatMap(readsOf),
  ]);
}

/** The role of the function that drains what Auto Scaling ends. */
export function createTerminationsRole(owner: FunctionOwner, props: EcsAmiDeployProps): IRole {
  const role = lambdaRole(
    owner,
    'TerminationsRole',
    'ecs-ami-deploy: what it takes to drain what its groups end',
  );
  return grantAll(role, scopeOf(role, props), (scope) => [
    ...runPermissions(owner, props),
    ...terminationPermissions(scope),
    ...eventPermissions(owner.eventBus?.eventBusArn),
  ]);
}

/** The role of the function that drains what Spot reclaims. */
export function createInterruptionRole(owner: FunctionOwner, props: EcsAmiDeployProps): IRole {
  const role = lambdaRole(
    owner,
    'InterruptionRole',
    'ecs-ami-deploy: what it takes to drain what Spot reclaims',
  );
  return grantAll(role, scopeOf(role, props), (scope) => [
    ...runPermissions(owner, props),
    ...interruptionPermissions(scope),
  ]);
}

/** The role of the function that decides for a sequence. */
export function createSequenceRole(
  owner: Pick<FunctionOwner, 'logGroup' | 'eventBus'> & Construct,
  tableArn: string,
): IRole {
  const role = lambdaRole(owner, 'Role', 'ecs-ami-deploy: what it takes to decide for a sequence');
  return grantAll(role, scopeOf(role, { clusters: [] }), () => [
    writeOwnLog(owner),
    ...sequencePermissions(tableArn),
    ...eventPermissions(owner.eventBus?.eventBusArn),
  ]);
}

/** What of a row only reads. */
function readsOf({ actions, ...row }: Permission): Permission[] {
  const reads = actions.filter((action) => /^[a-z0-9]+:(Describe|Get|List)/.test(action));
  return reads.length === 0 ? [] : [{ ...row, actions: reads }];
}

function lambdaRole(scope: Construct, id: string, description: string): Role {
  return new Role(scope, id, { description, assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
}

function scopeOf(role: IRole, props: EcsAmiDeployProps): PermissionScope {
  return { stack: Stack.of(role), clusters: props.clusters.map(({ clusterRef }) => clusterRef), props };
}
