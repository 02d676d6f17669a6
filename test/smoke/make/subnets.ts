import { DescribeSubnetsCommand, type Subnet } from '@aws-sdk/client-ec2';
import type { Smoke } from '../smoke.ts';

/** Two of the default VPC, whose instances reach the internet by themselves, and so ECS. */
export async function defaultSubnets({ aws }: Pick<Smoke, 'aws'>): Promise<Subnet[]> {
  const { Subnets = [] } = await aws.ec2.send(
    new DescribeSubnetsCommand({ Filters: [{ Name: 'default-for-az', Values: ['true'] }] }),
  );
  if (Subnets.length === 0)
    throw new Error('There is no default VPC in this Region, and the smoke test makes none');
  return Subnets.slice(0, 2);
}
