import { ArnFormat, Stack, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { clusterName } from '../lambda/settings/parse-settings.ts';
import type { RolloutSettings } from './rollout-settings.ts';

export interface ClusterReference {
  readonly name: string;
  readonly arn: string;
}

/** Name and ARN of each cluster: the name is what our tags carry, the ARN what IAM knows it by. */
export function clusterReferences(
  scope: Construct,
  clusters: RolloutSettings['clusters'],
): ClusterReference[] {
  return clusters.map((cluster) => {
    if (typeof cluster !== 'string') return { name: cluster.clusterName, arn: cluster.clusterArn };
    if (cluster.startsWith('arn:')) return { name: nameInArn(cluster), arn: cluster };
    const arn = Stack.of(scope).formatArn({ service: 'ecs', resource: 'cluster', resourceName: cluster });
    return { name: cluster, arn };
  });
}

/** Partition, Region, account and even the name in an ARN may be unresolved values of the CDK. */
function nameInArn(arn: string): string {
  if (!Token.isUnresolved(arn)) return clusterName(arn) ?? arn;
  return arn.slice(arn.indexOf(':cluster/') + ':cluster/'.length);
}

/** Instances, launch templates and the like, whatever their ids. */
export function everyArn(stack: Stack, service: string, type: string): string {
  return stack.formatArn({ service, resource: type, resourceName: '*' });
}

/** Auto Scaling groups and launch configurations by name; the UUID in their ARNs is nobody's to know. */
export function autoScalingArn(stack: Stack, type: string, name: string): string {
  return `${stack.formatArn({ service: 'autoscaling', resource: type })}:*:${type}Name/${name}`;
}

/** The Systems Manager parameter that the setting `image` names, if it does. */
export function parameterOf(image = ''): string[] {
  return image.startsWith('ssm:') ? [image.slice('ssm:'.length)] : [];
}

/** ARNs of a parameter by its name or ARN; the version or label that either may end in is no part of the resource. */
export function parameterArns(stack: Stack, nameOrArn: string): string[] {
  const parts = nameOrArn.split(':');
  if (parts[0] === 'arn') return [parts.slice(0, 6).join(':')];
  const [name = ''] = parts;
  return startsUnresolved(name)
    ? // Whether the name begins with a slash shows only when it is deployed.
      [parameterArn(stack, name), stack.formatArn({ service: 'ssm', resource: `parameter${name}` })]
    : [parameterArn(stack, name)];
}

function startsUnresolved(text: string): boolean {
  return Token.isUnresolved(text) && text.startsWith('${');
}

/** AWS's public parameters belong to no account; every ARN has one slash after `parameter`, whatever the name has. */
function parameterArn(stack: Stack, name: string): string {
  return stack.formatArn({
    service: 'ssm',
    ...(name.startsWith('/aws/service/') ? { account: '' } : {}),
    resource: 'parameter',
    resourceName: name.replace(/^\//, ''),
    arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
  });
}
