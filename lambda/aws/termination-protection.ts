import { DescribeInstanceAttributeCommand } from '@aws-sdk/client-ec2';
import type { Aws } from './clients.ts';
import { asAdvice } from './errors.ts';

/**
 * Whether an instance is protected from termination by EC2's own call. AWS tells it of one instance at a time. Where it may
 * not be asked nobody knows, and what it would refuse tells.
 *
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeInstanceAttribute.html
 *
 * @returns undefined where nobody knows
 */
export async function isTerminationProtected({ ec2 }: Aws, instanceId: string): Promise<boolean | undefined> {
  const input = { InstanceId: instanceId, Attribute: 'disableApiTermination' } as const;
  const read = await asAdvice(ec2.send(new DescribeInstanceAttributeCommand(input)));
  return read.kind === 'unread' ? undefined : (read.answer.DisableApiTermination?.Value ?? false);
}
