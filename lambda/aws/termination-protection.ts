import { DescribeInstanceAttributeCommand, type InstanceAttribute } from '@aws-sdk/client-ec2';
import type { Aws } from './clients.ts';
import { asAdvice } from './errors.ts';

/**
 * Whether an instance is protected from termination by EC2's own call: stop protection does that, too, and doesn't set the
 * other. AWS tells it of one attribute of one instance at a time. Where it may not be asked nobody knows, and what it would
 * refuse tells.
 *
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeInstanceAttribute.html,
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-stop-protection.html
 *
 * @returns undefined where nobody knows
 */
export async function isTerminationProtected(aws: Aws, instanceId: string): Promise<boolean | undefined> {
  const byTermination = await attributeOf(aws, instanceId, 'disableApiTermination');
  if (byTermination?.DisableApiTermination?.Value) return true;
  const byStop = await attributeOf(aws, instanceId, 'disableApiStop');
  if (byStop?.DisableApiStop?.Value) return true;
  return byTermination && byStop && false;
}

async function attributeOf(
  { ec2 }: Aws,
  InstanceId: string,
  Attribute: 'disableApiTermination' | 'disableApiStop',
): Promise<InstanceAttribute | undefined> {
  const read = await asAdvice(ec2.send(new DescribeInstanceAttributeCommand({ InstanceId, Attribute })));
  return read.kind === 'unread' ? undefined : read.answer;
}
