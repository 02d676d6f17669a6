import type { State } from '../state.ts';

/** What is launched in a zone is launched in its default subnet. */
export interface Subnet {
  readonly id: string;
  /** What its addresses begin with, such as `10.0.1.`. */
  readonly addressPrefix: string;
  readonly availabilityZone: string;
  readonly isDefault: boolean;
  /** IPv4 addresses. Each instance has one, from its launch until it is terminated. */
  freeAddresses: number;
  /** It only has IPv6 addresses, without limit, and reports no free ones. */
  isIpv6Native: boolean;
}

export const ZONES = ['a', 'b', 'c'] as const;
/** The letter by which a zone differs from the others of its Region. */
export type Zone = (typeof ZONES)[number];

/** The one that all subnets are in. */
export const VPC_ID = 'vpc-00000000000000001';

/**
 * A block /24 has 256 addresses, five of which AWS keeps:
 * https://docs.aws.amazon.com/vpc/latest/userguide/subnet-sizing.html
 */
const ADDRESSES = 251;

export const zoneName = ({ region }: Pick<State, 'region'>, zone: Zone) => `${region}${zone}`;

/** One in each zone, by their ids. */
export function createSubnets(region: string): State['subnets'] {
  const subnets = ZONES.map((zone, index): Subnet => {
    const availabilityZone = zoneName({ region }, zone);
    return {
      id: `subnet-0000000000000000${zone}`,
      addressPrefix: `10.0.${index}.`,
      availabilityZone,
      isDefault: true,
      freeAddresses: ADDRESSES,
      isIpv6Native: false,
    };
  });
  return new Map(subnets.map((subnet) => [subnet.id, subnet]));
}

export function subnetIn({ subnets }: State, zone: string): Subnet {
  const subnet = [...subnets.values()].find((each) => each.isDefault && each.availabilityZone === zone);
  if (!subnet) throw new Error(`No subnet in ${zone}`);
  return subnet;
}

/** A second one in the zone, in which nothing is launched. */
export function addSubnet({ subnets, region }: State, zone: Zone): Subnet {
  const subnet: Subnet = {
    id: `subnet-0000000000000001${zone}`,
    addressPrefix: `10.1.${ZONES.indexOf(zone)}.`,
    availabilityZone: zoneName({ region }, zone),
    isDefault: false,
    freeAddresses: ADDRESSES,
    isIpv6Native: false,
  };
  subnets.set(subnet.id, subnet);
  return subnet;
}

/** As if it had been made so. */
export function makeIpv6Native({ subnets }: State) {
  for (const subnet of subnets.values()) Object.assign(subnet, { isIpv6Native: true, freeAddresses: 0 });
}

export function hasAddress({ isIpv6Native, freeAddresses }: Subnet): boolean {
  return isIpv6Native || freeAddresses > 0;
}

export function setFreeAddresses({ subnets }: State, subnetId: string, freeAddresses: number) {
  const subnet = subnets.get(subnetId);
  if (!subnet) throw new Error(`No subnet ${subnetId}`);
  subnet.freeAddresses = freeAddresses;
}
