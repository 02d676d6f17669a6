import { ArnFormat, Stack, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { clusterName } from '../lambda/settings/parse-settings.ts';
import type { RolloutSettings } from './rollout-settings.ts';

export interface ClusterReference {
  readonly name: string;
  readonly arn: string;
}

/** Name and ARN of each cluster: our tags carry the name, IAM policies the ARN. */
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

/** An ARN may contain unresolved CDK tokens: partition, Region, account, even the name. */
function nameInArn(arn: string): string {
  if (!Token.isUnresolved(arn)) return clusterName(arn) ?? arn;
  return arn.slice(arn.indexOf(':cluster/') + ':cluster/'.length);
}

/** ARN pattern for every resource of a type, such as all instances. */
export function everyArn(stack: Stack, service: string, type: string): string {
  return stack.formatArn({ service, resource: type, resourceName: '*' });
}

/**
 * ARN pattern for Auto Scaling groups or launch configurations by name; the UUID in their ARNs can't be
 * known in advance.
 */
export function autoScalingArn(stack: Stack, type: string, name: string): string {
  return `${stack.formatArn({ service: 'autoscaling', resource: type })}:*:${type}Name/${name}`;
}

/** The Systems Manager parameter that the setting `image` names, if any. */
export function parameterOf(image = ''): string[] {
  return image.startsWith('ssm:') ? [image.slice('ssm:'.length)] : [];
}

/**
 * ARNs of a parameter, by its name or ARN. A trailing version or label isn't part of the resource, so it is
 * dropped.
 */
export function parameterArns(stack: Stack, nameOrArn: string): string[] {
  const parts = nameOrArn.split(':');
  if (parts[0] === 'arn') return [parts.slice(0, 6).join(':')];
  const [name = ''] = parts;
  return startsUnresolved(name)
    ? // Only the deployment shows whether the name begins with a slash.
      [parameterArn(stack, name), stack.formatArn({ service: 'ssm', resource: `parameter${name}` })]
    : [parameterArn(stack, name)];
}

function startsUnresolved(text: string): boolean {
  return Token.isUnresolved(text) && text.startsWith('${');
}

/** AWS's public parameters belong to no account. An ARN always has exactly one slash after `parameter`. */
function parameterArn(stack: Stack, name: string): string {
  return stack.formatArn({
    service: 'ssm',
    ...(name.startsWith('/aws/service/') ? { account: '' } : {}),
    resource: 'parameter',
    resourceName: name.replace(/^\//, ''),
    arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
  });
}
