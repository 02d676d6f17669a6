import { ArnFormat, type Stack, Token } from 'aws-cdk-lib';

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
