import { DescribeSubnetsCommand, type Subnet } from '@aws-sdk/client-ec2';
import type { Smoke } from '../smoke.ts';

/**
 * Two of the default VPC, whose instances can reach the internet, and so ECS; empty if there is no such VPC.
 */
export async function findDefaultSubnets({ aws }: Pick<Smoke, 'aws'>): Promise<Subnet[]> {
  const { Subnets = [] } = await aws.ec2.send(
    new DescribeSubnetsCommand({ Filters: [{ Name: 'default-for-az', Values: ['true'] }] }),
  );
  return Subnets.slice(0, 2);
}
