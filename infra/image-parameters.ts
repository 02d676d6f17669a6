import { ArnFormat, type Stack, Token } from 'aws-cdk-lib';

/** ARNs of the Systems Manager parameters that the function reads to follow the setting `image`; none for others. */
export function parameterArns(stack: Stack, image = 'auto'): string[] {
  const own = /^ssm:(.+?)(?::[\w.-]+)?$/.exec(image)?.[1];
  if (own !== undefined) return [parameterArn(stack, own)];
  const isAuto = image === 'auto' || Token.isUnresolved(image);
  return isAuto ? [parameterArn(stack, '/aws/service/ecs/optimized-ami/*')] : [];
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
