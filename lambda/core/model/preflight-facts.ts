import type { Obstacle } from './obstacle.ts';
/** How many private IPv4 addresses are free for tasks that have addresses of their own. */
export interface TaskAddresses {
  readonly service: string;
  /** In all subnets of the service together. */
  readonly free: number;
}
/** A service that new instances may have no place for, as far as that can be told before there are any. */
export interface Misfit {
  readonly service: string;
  /** There is none for sure, so that the roll is not to begin. */
  readonly obstacle?: Obstacle;
  /** Nobody can tell yet: a sentence for a person. */
  readonly warning?: string;
}

/** A misfit with the container instances, by ARN, that its tasks run on. */
export interface PlacedMisfit extends Misfit {
  readonly hosts: readonly string[];
}
/** What is asked of AWS about a group whose roll would begin, beyond what every look asks. */
export interface PreflightFacts {
  /** In all the subnets that the group names together; left out where it names none. */
  readonly freeAddresses?: number;
  /** Of services whose tasks have network interfaces of their own. */
  readonly taskAddresses?: readonly TaskAddresses[];
  /** Instance profiles that the group's launches name and that EC2 won't launch with. */
  readonly unusableProfiles: readonly UnusableProfile[];
  /** How many launch configurations the account may make yet; there when one must be made. */
  readonly launchConfigurationRoom?: number;
  /** How many tags the group has too many for ours to find room, of the 50 that AWS lets it have. */
  readonly tagsTooMany?: number;
  /** Tags of ours that the group gives to each instance it launches. */
  readonly propagatedTags?: readonly string[];
  /** Instances, of those that would be ended past their group, that EC2 will not terminate. */
  readonly terminationProtected?: readonly string[];
  /** Where tasks run of services that can't move. */
  readonly stuckServices: readonly StuckService[];
  /** Services that new instances may have no place for. */
  readonly misfits?: readonly PlacedMisfit[];
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
