import { ArnFormat, type Stack, Token } from 'aws-cdk-lib';
import type { aws_ecs } from 'aws-cdk-lib/interfaces';

/** ARN pattern for every resource of a type, such as all instances. */
export function everyArn(stack: Stack, service: string, type: string): string {
  return stack.formatArn({ service, resource: type, resourceName: '*' });
}

/**
 * ARN patterns for all tasks or container instances of clusters. An ARN names its cluster only if the service
 * "was created on or after November 16, 2018", or the instance registered when the account had opted in,
 * which all have since April 1, 2021; of others it has a longer id alone.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/ecs-account-settings.html#ecs-resource-ids
 */
export function arnsIn(
  clusters: readonly aws_ecs.ClusterReference[],
  resource: 'task' | 'container-instance',
  stack: Stack,
): string[] {
  return [
    ...clusters.map(({ clusterName }) => everyArn(stack, 'ecs', `${resource}/${clusterName}`)),
    stack.formatArn({ service: 'ecs', resource, resourceName: ID_OF_OLD }),
  ];
}

const ID_OF_OLD = '????????-????-????-????-????????????';

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
