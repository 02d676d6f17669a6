import { DescribeInstanceAttributeCommand, type InstanceAttribute } from '@aws-sdk/client-ec2';
import type { Aws } from './clients.ts';
import { tryRead } from './errors.ts';

/**
 * Whether EC2 would refuse to terminate an instance. Stop protection has the same effect without setting
 * termination protection, and AWS returns one attribute of one instance per call. If we may not read them,
 * nobody knows until AWS refuses.
 *
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeInstanceAttribute.html,
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-stop-protection.html
 *
 * @returns undefined if it can't be read
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
  const read = await tryRead(ec2.send(new DescribeInstanceAttributeCommand({ InstanceId, Attribute })));
  return read.kind === 'unread' ? undefined : read.answer;
}
