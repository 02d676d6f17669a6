import { reservationProblem } from '../ec2/capacity-reservations.ts';
import { bootLater, launchInstance } from '../ec2/instances.ts';
import { findPlacementGroup, placementProblem } from '../ec2/placement-groups.ts';
import { requestedTags } from '../ec2/storage.ts';
import type { State } from '../state.ts';
import { recordActivity } from './activities.ts';
import { addressProblem, interfaceProblem, launchProblem } from './launch-problems.ts';
import { type Launch, nextLaunch, placementGroupOf } from './launch-sources.ts';
import { enterGroup, GROUP_NAME_TAG } from './members.ts';
import type { Group, Member } from './model.ts';
import { isSpotNext } from './purchase-options.ts';
import { zoneToLaunchIn } from './zones.ts';

/** Launches an instance that will become a member, or says why it can't. */
export function launchFor(state: State, group: Group, zone: string): Member | string {
  const launch = nextLaunch(state, group);
  const named = reservationOf(group, launch);
  const place = { instanceType: launch?.instanceType, zone };
  const isOffered = named === undefined || reservationProblem(state, named, place) === undefined;
  const capacityReservationId = isOffered || !mayLaunchElsewhere(group) ? named : undefined;
  const placementGroup = placementGroupOf(group, launch);
  const problem =
    launchProblem(state, launch) ??
    (launch && interfaceProblem(state, launch)) ??
    (capacityReservationId && reservationProblem(state, capacityReservationId, place)) ??
    (placementGroup && placementProblem(state, placementGroup, zone)) ??
    addressProblem(state, zone);
  const failure = faultOf(group, launch) ?? (problem && `${problem} Launching EC2 instance failed.`);
  if (failure !== undefined || !launch?.imageId) return `${failure}`;
  const { launchedFrom, hasOverridesImage } = launch;
  const { instanceType = 'm5.large' } = launch;
  const instance = launchInstance(state, {
    imageId: launch.imageId,
    instanceType,
    isSpot: isSpotNext(group, instanceType),
    userData: launch.userData,
    instanceProfile: launch.instanceProfile,
    capacityReservationId,
    placementGroup: placementGroup === undefined ? undefined : findPlacementGroup(state, placementGroup),
    networkInterfaceId: launch.networkInterfaceId,
    securityGroups: launch.securityGroups,
    launchedBy: group,
    launchedFrom,
    blockDeviceMappings: launch.blockDeviceMappings,
    isTerminationProtected: launch.isTerminationProtected,
    isStopProtected: launch.isStopProtected,
    tags: tagsAtLaunch(group, launch),
    availabilityZone: zone,
  });
  return {
    instance,
    launchedFrom,
    hasOverridesImage,
    lifecycleState: 'Pending',
    healthStatus: 'Healthy',
    failsHealthCheck: false,
    isProtectedFromScaleIn: group.protectsNewInstances,
  };
}

/**
 * "You can set a Capacity Reservation preference and target on your Auto Scaling group to override the
 * settings in your launch template." Open ones are not simulated.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/target-capacity-reservations.html
 */
function reservationOf({ reservations }: Group, launch: Launch | undefined): string | undefined {
  const { CapacityReservationPreference: preference = 'default', CapacityReservationTarget: target } =
    reservations ?? {};
  if (preference === 'default') return launch?.capacityReservationId;
  return preference === 'none' ? undefined : target?.CapacityReservationIds?.[0];
}

/** "If no reserved capacity is available, instances launch as On-Demand." Row launch-reservation-first. */
const mayLaunchElsewhere = ({ reservations }: Group) =>
  reservations?.CapacityReservationPreference === 'capacity-reservations-first';

/** The failure that a test has asked for. */
export function faultOf(
  { launchFault: fault }: Group,
  launch: Pick<Launch, 'imageId'> | undefined,
): string | undefined {
  if (!fault || fault.left === 0) return undefined;
  if (fault.imageId !== undefined && fault.imageId !== launch?.imageId) return undefined;
  fault.left--;
  return fault.message;
}

/**
 * Of a key that both have, the group's counts:
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-tagging.html
 */
function tagsAtLaunch(group: Group, { launchedFrom: from, tagSpecifications }: Launch): [string, string][] {
  const propagated = [...group.tags]
    .filter(([, tag]) => tag.propagatesAtLaunch)
    .map(([key, tag]): [string, string] => [key, tag.value]);
  const template: [string, string][] =
    from.kind === 'launch-template'
      ? [
          ['aws:ec2launchtemplate:id', from.template.id],
          ['aws:ec2launchtemplate:version', String(from.version)],
        ]
      : [];
  const requested = requestedTags(tagSpecifications, 'instance');
  return [...requested, ...propagated, ...template, [GROUP_NAME_TAG, group.name]];
}

/** Launches one member, or says why it can't. */
export function launchMember(
  state: State,
  group: Group,
  zone = zoneToLaunchIn(state, group),
): Member | string {
  const member = launchFor(state, group, zone);
  if (typeof member !== 'string') enterGroup(state, group, member, 'group');
  return member;
}

/** Launches one and lets it come up; a launch that fails shows in the activities alone. */
export function tryLaunch(state: State, group: Group, zone?: string): Member | undefined {
  const member = launchMember(state, group, zone);
  reportLaunch(state, group, member, 'Launching a new EC2 instance');
  if (typeof member === 'string') return undefined;
  bootLater(state, member.instance);
  return member;
}

export function reportLaunch(state: State, group: Group, launched: Member | string, what: string) {
  const Cause = `${group.resizedBy}An instance was started in response to a difference between desired and actual capacity.`;
  if (typeof launched === 'string')
    recordActivity(state, group, {
      Description: `${what}.  Status Reason: ${launched}`,
      Cause,
      StatusCode: 'Failed',
      StatusMessage: launched,
    });
  else
    recordActivity(state, group, {
      Description: `${what}: ${launched.instance.id}`,
      Cause,
      StatusCode: 'InProgress',
    });
}
