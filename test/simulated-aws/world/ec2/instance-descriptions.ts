import type { Instance as Described } from '@aws-sdk/client-ec2';
import type { Filterable } from '../filters.ts';
import { findInstanceProfile } from '../iam/instance-profiles.ts';
import type { State } from '../state.ts';
import type { Instance, InstanceState } from './model.ts';
import { subnetIn, VPC_ID } from './subnets.ts';

const STATE_CODES: Readonly<Record<InstanceState, number>> = {
  pending: 0,
  running: 16,
  'shutting-down': 32,
  terminated: 48,
  stopped: 80,
};

/** Some of the filters need to know the image. */
export const filteredInstances = (state: State): Filterable<Instance> => ({
  operation: 'DescribeInstances',
  tagsOf: ({ tags }) => tags,
  fields: {
    architecture: (instance) => [architectureOf(state, instance)],
    'availability-zone': (instance) => [instance.availabilityZone],
    'image-id': (instance) => [instance.imageId],
    'instance-id': (instance) => [instance.id],
    'instance-state-code': (instance) => [`${STATE_CODES[instance.state]}`],
    'instance-state-name': (instance) => [instance.state],
    'instance-type': (instance) => [instance.instanceType],
    'iam-instance-profile.arn': (instance) => [profileOf(state, instance)?.Arn],
    'instance.group-id': ({ securityGroups }) => securityGroups,
    'launch-time': (instance) => [new Date(instance.launchedAtMs).toISOString()],
    'placement-group-name': ({ placementGroup }) => [placementGroup?.name],
    'private-dns-name': (instance) => [privateDnsName(state, instance)],
    'private-ip-address': (instance) => [instance.privateIpAddress],
    'subnet-id': (instance) => [subnetIn(state, instance.availabilityZone).id],
    'vpc-id': () => [VPC_ID],
    'operator.managed': ({ operator }) => [String(operator !== undefined)],
    'operator.principal': ({ operator }) => [operator],
  },
});

export const describeState = (instance: Instance) => ({
  Code: STATE_CODES[instance.state],
  Name: instance.state,
});

const architectureOf = (state: State, { imageId }: Instance) => state.images.get(imageId)?.architecture;

export function describeInstance(state: State, instance: Instance): Described {
  const { operator, placementGroup: placed } = instance;
  return {
    InstanceId: instance.id,
    ImageId: instance.imageId,
    InstanceType: instance.instanceType as Described['InstanceType'],
    LaunchTime: new Date(instance.launchedAtMs),
    Architecture: architectureOf(state, instance),
    IamInstanceProfile: profileOf(state, instance),
    Operator: operator === undefined ? { Managed: false } : { Managed: true, Principal: operator },
    State: describeState(instance),
    ...(instance.isSpot && { InstanceLifecycle: 'spot' }),
    ...(instance.state !== 'terminated' && describeNetwork(state, instance)),
    Placement: {
      AvailabilityZone: instance.availabilityZone,
      ...(placed && { GroupName: placed.name, GroupId: placed.id }),
    },
    Tags: [...instance.tags].map(([Key, Value]) => ({ Key, Value })),
  };
}

/** A terminated instance doesn't show where it was. */
const describeNetwork = (state: State, instance: Instance): Described => ({
  VpcId: VPC_ID,
  SubnetId: subnetIn(state, instance.availabilityZone).id,
  PrivateIpAddress: instance.privateIpAddress,
  PrivateDnsName: privateDnsName(state, instance),
  SecurityGroups: instance.securityGroups.map((id) => ({
    GroupId: id,
    GroupName: state.securityGroups.get(id)?.name,
  })),
});

function profileOf(state: State, { instanceProfile: named }: Instance): Described['IamInstanceProfile'] {
  const found = named === undefined ? undefined : findInstanceProfile(state, named);
  return found && { Arn: found.arn, Id: found.id };
}

/** By its address: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/hostname-types.html */
function privateDnsName({ region }: State, { privateIpAddress }: Instance): string | undefined {
  return privateIpAddress && `ip-${privateIpAddress.replaceAll('.', '-')}.${region}.compute.internal`;
}
