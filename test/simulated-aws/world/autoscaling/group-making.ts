import {
  CreateAutoScalingGroupCommand,
  type CreateAutoScalingGroupType,
  DeleteAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import type { Simulated } from '../../account/simulated-input.ts';
import { ZONES, type Zone, zoneName } from '../ec2/subnets.ts';
import type { State } from '../state.ts';
import { requestedSizes } from './capacity.ts';
import { deleteGroup } from './group-deletion.ts';
import { requestedSettings, SIMULATED_UPDATE } from './group-settings.ts';
import { addGroup, findGroup, groupWritten, validationError } from './groups.ts';
import type { Group } from './model.ts';
import { requestedLaunchSpec } from './requested-launch-spec.ts';

/** What can be updated can be given at first, too. */
const SIMULATED_CREATE: Simulated<CreateAutoScalingGroupType> = {
  ...SIMULATED_UPDATE,
  VPCZoneIdentifier: 'all',
  AvailabilityZones: 'all',
  Tags: 'all',
  TargetGroupARNs: 'all',
  LoadBalancerNames: 'all',
};

export function groupMaking(state: State): Operation[] {
  return [
    on(CreateAutoScalingGroupCommand, SIMULATED_CREATE, (input) => {
      const { AutoScalingGroupName: name = '', MinSize: minSize = 0, MaxSize: maxSize = 0 } = input;
      // ledger: create-group-taken
      if (state.groups.has(name)) throw alreadyExists(name);
      const launchSpec = requestedLaunchSpec(state, undefined, input);
      if (!launchSpec)
        // ledger: create-group-launch-spec
        throw validationError(
          'Valid requests must contain either LaunchTemplate, LaunchConfigurationName, InstanceId or MixedInstancesPolicy parameter.',
        );
      const group = addGroup(state, {
        name,
        launchSpec,
        ...requestedSizes({ minSize, maxSize, desiredCapacity: minSize }, input),
        zones: zonesOf(state, input),
        targetGroupArns: input.TargetGroupARNs,
        loadBalancerNames: input.LoadBalancerNames,
      });
      Object.assign(group, requestedSettings(group, input));
      for (const { Key = '', Value = '', PropagateAtLaunch = false } of input.Tags ?? [])
        group.tags.set(Key, { value: Value, propagatesAtLaunch: PropagateAtLaunch });
      groupWritten(state, group, 'call');
      return {};
    }),

    on(DeleteAutoScalingGroupCommand, 'all', ({ AutoScalingGroupName: name, ForceDelete: isForced }) => {
      const group = findGroup(state, name);
      if (!isForced) assertIdle(group);
      deleteGroup(state, group, 'call');
      return {};
    }),
  ];
}

/** The wording: https://github.com/hashicorp/terraform-provider-aws/issues/4247 */
const alreadyExists = (name: string) =>
  new AwsError(
    'AlreadyExists',
    `AutoScalingGroup by this name already exists - A group with the name ${name} already exists`,
  );

/** https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_DeleteAutoScalingGroup.html */
function assertIdle({ members, activities }: Group) {
  if (activities.some(({ EndTime }) => EndTime === undefined))
    // ledger: delete-group-busy
    throw new AwsError(
      'ScalingActivityInProgress',
      'You cannot delete an AutoScalingGroup while there are scaling activities in progress for that group.',
    );
  if (members.size > 0)
    // ledger: delete-group-members
    throw new AwsError(
      'ResourceInUse',
      'You cannot delete an AutoScalingGroup while there are instances or pending Spot instance request(s) still in the group.',
    );
}

/** Those of its subnets, or that it names. */
function zonesOf(state: State, input: CreateAutoScalingGroupType): readonly Zone[] | undefined {
  const { VPCZoneIdentifier: subnets, AvailabilityZones: names } = input;
  if (subnets === undefined && names === undefined)
    // ledger: create-group-zones
    throw validationError('At least one Availability Zone or VPC Subnet is required.');
  const wanted = new Set(names ?? subnets?.split(',').map((id) => zoneOfSubnet(state, id.trim())));
  return ZONES.filter((zone) => wanted.has(zoneName(state, zone)));
}

function zoneOfSubnet({ subnets }: State, id: string): string {
  const subnet = subnets.get(id);
  // ledger: create-group-subnet
  if (!subnet) throw validationError(`The subnet ID '${id}' does not exist`);
  return subnet.availabilityZone;
}
