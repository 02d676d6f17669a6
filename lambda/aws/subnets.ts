import { paginateDescribeSubnets } from '@aws-sdk/client-ec2';
import { batches } from '../core/group/budget.ts';
import type { Aws } from './clients.ts';

/** Most values in one filter, and the longest page. */
const FILTER_VALUES = 200;
const PAGE = 1000;

/**
 * How many private IPv4 addresses are free in each of some subnets, by subnet. One that doesn't exist is left
 * out; one for IPv6 alone, which tells of 0, has as many as anybody may want.
 *
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_Subnet.html
 */
export async function describeFreeAddresses(
  { ec2 }: Aws,
  subnetIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const Values of batches([...new Set(subnetIds)], FILTER_VALUES)) {
    // By filter: asked for by id, one that doesn't exist would fail the others.
    const input = { Filters: [{ Name: 'subnet-id', Values }] };
    for await (const { Subnets = [] } of paginateDescribeSubnets({ client: ec2, pageSize: PAGE }, input)) {
      for (const { SubnetId = '', AvailableIpAddressCount = 0, Ipv6Native } of Subnets)
        found.set(SubnetId, Ipv6Native ? Number.POSITIVE_INFINITY : AvailableIpAddressCount);
    }
  }
  return found;
}
