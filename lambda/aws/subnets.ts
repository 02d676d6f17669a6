import { paginateDescribeSubnets } from '@aws-sdk/client-ec2';
import { piecesOf } from '../core/model/pieces.ts';
import type { Aws } from './clients.ts';
import { FILTER_VALUES, PAGE } from './ec2.ts';

export interface DescribedSubnet {
  readonly zone: string;
  /** Private IPv4 addresses. */
  readonly free: number;
}

/**
 * The subnets by id. One that doesn't exist is missing; an IPv6-only one, for which AWS answers 0, never runs
 * out of addresses.
 *
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_Subnet.html
 */
export async function describeSubnets(
  { ec2 }: Aws,
  subnetIds: readonly string[],
): Promise<ReadonlyMap<string, DescribedSubnet>> {
  const found = new Map<string, DescribedSubnet>();
  for (const Values of piecesOf([...new Set(subnetIds)], FILTER_VALUES)) {
    // By filter: asking by id for one that doesn't exist would fail the whole call.
    const input = { Filters: [{ Name: 'subnet-id', Values }] };
    for await (const { Subnets = [] } of paginateDescribeSubnets({ client: ec2, pageSize: PAGE }, input)) {
      for (const each of Subnets) {
        const { SubnetId = '', AvailabilityZone: zone = '', AvailableIpAddressCount = 0, Ipv6Native } = each;
        found.set(SubnetId, { zone, free: Ipv6Native ? Number.POSITIVE_INFINITY : AvailableIpAddressCount });
      }
    }
  }
  return found;
}
