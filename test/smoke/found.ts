import { type AutoScalingGroup, DescribeAutoScalingGroupsCommand } from '@aws-sdk/client-auto-scaling';
import {
  DescribeInstancesCommand,
  DescribeLaunchTemplateVersionsCommand,
  DescribeSnapshotsCommand,
  type Instance,
  type LaunchTemplateVersion,
} from '@aws-sdk/client-ec2';
import { DescribeServicesCommand, type Service } from '@aws-sdk/client-ecs';
import { GetParametersCommand } from '@aws-sdk/client-ssm';
import { BY_TAG, NAME } from './names.ts';
import type { Smoke, StackOutputs } from './smoke.ts';

type Reach = Pick<Smoke, 'aws'>;

/**
 * Where several steps need to know what another made: it is looked up, so that nothing has to be remembered.
 */
export async function findGroup({ aws }: Reach): Promise<AutoScalingGroup | undefined> {
  const { AutoScalingGroups: groups = [] } = await aws.autoScaling.send(
    new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [NAME] }),
  );
  // Of a group that isn't being deleted it is left out, or empty.
  return groups.find(({ Status }) => !Status);
}

export async function theGroup(smoke: Reach): Promise<AutoScalingGroup> {
  return demand(await findGroup(smoke), 'Auto Scaling group');
}

export async function memberIds(smoke: Reach): Promise<string[]> {
  const { Instances: members = [] } = await theGroup(smoke);
  return members.flatMap(({ InstanceId, LifecycleState }) =>
    LifecycleState === 'InService' && InstanceId !== undefined ? [InstanceId] : [],
  );
}

/** Everything that carries the tag and is not terminated, member or not. */
export async function taggedInstances({ aws }: Reach): Promise<Instance[]> {
  const states = ['pending', 'running', 'shutting-down', 'stopping', 'stopped'];
  const { Reservations = [] } = await aws.ec2.send(
    new DescribeInstancesCommand({ Filters: [...BY_TAG, { Name: 'instance-state-name', Values: states }] }),
  );
  return Reservations.flatMap(({ Instances = [] }) => Instances);
}

export async function snapshotId({ aws }: Reach): Promise<string> {
  const { Snapshots = [] } = await aws.ec2.send(
    new DescribeSnapshotsCommand({ OwnerIds: ['self'], Filters: BY_TAG }),
  );
  return demand(Snapshots[0]?.SnapshotId, 'snapshot');
}

/** The one that the group launches from now. */
export async function launchVersion(smoke: Reach): Promise<LaunchTemplateVersion> {
  const { LaunchTemplate: used } = await theGroup(smoke);
  const { LaunchTemplateVersions: [version] = [] } = await smoke.aws.ec2.send(
    new DescribeLaunchTemplateVersionsCommand({
      LaunchTemplateId: used?.LaunchTemplateId,
      Versions: [used?.Version ?? '$Default'],
    }),
  );
  return demand(version, 'launch template version');
}

export async function findService({ aws }: Reach): Promise<Service | undefined> {
  const { services = [] } = await aws.ecs.send(
    new DescribeServicesCommand({ cluster: NAME, services: [NAME] }),
  );
  return services.find(({ status }) => status !== 'INACTIVE');
}

export async function findParameter({ aws }: Reach, name: string): Promise<string | undefined> {
  const { Parameters: [found] = [] } = await aws.ssm.send(new GetParametersCommand({ Names: [name] }));
  return found?.Value;
}

export async function stackOutputs({ stack }: Pick<Smoke, 'stack'>): Promise<StackOutputs> {
  return demand(await stack.outputs(), 'deployed stack');
}

function demand<Found>(found: Found | undefined, what: string): Found {
  if (found === undefined) throw new Error(`There is no ${what} of the smoke test`);
  return found;
}
