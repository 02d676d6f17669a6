import { type Subnet as Described, DescribeSubnetsCommand } from '@aws-sdk/client-ec2';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import { ec2Filter, type Filterable } from '../filters.ts';
import { createPager } from '../paging.ts';
import type { State } from '../state.ts';
import { type Subnet, VPC_ID } from './subnets.ts';

const FILTERED: Filterable<Subnet> = {
  operation: 'DescribeSubnets',
  tagsOf: () => new Map(),
  fields: {
    'availability-zone': ({ availabilityZone }) => [availabilityZone],
    'default-for-az': ({ isDefault }) => [String(isDefault)],
    'subnet-id': ({ id }) => [id],
    'vpc-id': () => [VPC_ID],
  },
};

export function subnetOperations(state: State): Operation[] {
  const page = createPager<Subnet>('DescribeSubnets', {
    default: 1000,
    min: 5,
    max: 1000,
    tokenCode: 'InvalidNextToken',
    limitCode: 'InvalidParameterValue',
  });
  return [
    on(
      DescribeSubnetsCommand,
      { SubnetIds: 'all', Filters: 'all', NextToken: 'all', MaxResults: 'all' },
      ({ SubnetIds: ids, Filters, MaxResults: limit, NextToken: token }) => {
        // ledger: subnets-ids-paged
        if (ids?.length && limit !== undefined)
          throw new AwsError(
            'InvalidParameterCombination',
            'The parameter subnetIds cannot be used with the parameter maxResults',
          );
        const passes = ec2Filter(Filters, FILTERED);
        const subnets = ids?.length ? find(state, ids) : [...state.subnets.values()];
        const { items, token: next } = page(subnets.filter(passes), { limit, token });
        return { Subnets: items.map((subnet) => describe(state, subnet)), NextToken: next };
      },
    ),
  ];
}

/** All or none: one unknown id fails the whole call. */
function find({ subnets }: State, ids: readonly string[]): Subnet[] {
  return ids.map((id) => {
    const subnet = subnets.get(id);
    // ledger: subnets-id-unknown
    if (!subnet) throw new AwsError('InvalidSubnetID.NotFound', `The subnet ID '${id}' does not exist`);
    return subnet;
  });
}

const describe = (
  { account, region }: State,
  { id, addressPrefix, availabilityZone, isDefault, freeAddresses, isIpv6Native }: Subnet,
): Described => ({
  SubnetId: id,
  SubnetArn: `arn:aws:ec2:${region}:${account}:subnet/${id}`,
  VpcId: VPC_ID,
  CidrBlock: isIpv6Native ? undefined : `${addressPrefix}0/24`,
  AvailabilityZone: availabilityZone,
  AvailableIpAddressCount: isIpv6Native ? 0 : freeAddresses,
  Ipv6Native: isIpv6Native,
  DefaultForAz: isDefault,
  State: 'available',
  OwnerId: account,
});
