import type { Obstacle } from '../reasons/obstacles.ts';
import type { Warning } from '../reasons/warnings.ts';
import type { Reserved } from './launch.ts';

/** How many private IPv4 addresses are free for tasks that need their own. */
export interface TaskAddresses {
  readonly service: string;
  /** In all subnets of the service together. */
  readonly free: number;
}
/** A service that new instances may have no room for, as far as that shows before there are any. */
export interface Misfit {
  readonly service: string;
  /** There is certainly no room, so the roll must not begin. */
  readonly obstacle?: Obstacle;
  /** Nobody can tell yet. */
  readonly warning?: Warning<'place-uncertain'>;
}

/** A misfit with the container instances, by ARN, that its tasks run on. */
export interface PlacedMisfit extends Misfit {
  readonly hosts: readonly string[];
}
/** What we ask AWS about a group whose roll would begin, beyond what every look asks. */
export interface PreflightFacts {
  /** In all the group's subnets together; absent if it names none. */
  readonly freeAddresses?: number;
  /** Present if the group launches only in the zone that keeps its zones even. */
  readonly zonalAddresses?: ReadonlyMap<string, number>;
  /** Of groups that launch only into Capacity Reservations, those of the launch specs that change. */
  readonly reservations?: readonly ReservedPlaces[];
  /** Of the placement groups of the old instances, those that take only so many a zone. */
  readonly spreadGroups?: readonly SpreadGroup[];
  /** Of services whose tasks have network interfaces of their own. */
  readonly taskAddresses?: readonly TaskAddresses[];
  /** Instance profiles that the group's launches name but EC2 won't launch with. */
  readonly unusableProfiles: readonly UnusableProfile[];
  /** How many more launch configurations the account may create; present if one is needed. */
  readonly launchConfigurationRoom?: number;
  /** How many tags the group has too many to leave room for ours; AWS allows 50. */
  readonly tagsTooMany?: number;
  /** Tags of ours that the group passes on to each instance it launches. */
  readonly propagatedTags?: readonly string[];
  /** Instances that the roll would terminate itself, but EC2 would refuse to. */
  readonly terminationProtected?: readonly string[];
  /** Services that can't move, and where their tasks run. */
  readonly stuckServices: readonly StuckService[];
  /** Names of traffic sources that serve zones apart; present if a zone may be left without a member. */
  readonly zonalSources?: readonly string[];
  /** Names of traffic sources that know members, and find none of them healthy. */
  readonly illSources?: readonly string[];
  /** Zones of members where traffic sources serve nobody, whatever runs there. */
  readonly unservedZones?: readonly UnservedZones[];
  /** Names of traffic sources with members in a zone that a zonal shift moves requests away from. */
  readonly shiftedSources?: readonly string[];
  /** Services that new instances may have no room for. */
  readonly misfits?: readonly PlacedMisfit[];
}

export interface UnservedZones {
  /** Its name. */
  readonly source: string;
  readonly zones: readonly string[];
}

/** The room in a Capacity Reservation, or in some that aren't named by id. */
export interface ReservedPlaces extends Reserved {
  /** Absent if nobody tells. */
  readonly free?: number;
}

export interface SpreadGroup {
  readonly name: string;
  /** How many more instances it takes, in all zones of the Auto Scaling group together. */
  readonly free: number;
}

export interface UnusableProfile {
  readonly name: string;
  readonly state: 'missing' | 'without-role';
}

export interface StuckService {
  readonly name: string;
  /** ARNs of container instances. */
  readonly hosts: readonly string[];
}
