import { DescribeInstancesCommand } from '@aws-sdk/client-ec2';
import { memberIds } from './found.ts';
import type { Smoke } from './smoke.ts';

/** One for each member. */
export async function imagesOfMembers(smoke: Pick<Smoke, 'aws'>): Promise<string[]> {
  const InstanceIds = await memberIds(smoke);
  if (InstanceIds.length === 0) return [];
  const { Reservations = [] } = await smoke.aws.ec2.send(new DescribeInstancesCommand({ InstanceIds }));
  return Reservations.flatMap(({ Instances = [] }) => Instances).map(({ ImageId = '' }) => ImageId);
}
