import {
  CreateAutoScalingGroupCommand,
  type CreateAutoScalingGroupType,
  CreateLaunchConfigurationCommand,
  CreateOrUpdateTagsCommand,
  DescribeAutoScalingGroupsCommand,
  type LaunchConfiguration,
  PutWarmPoolCommand,
} from '@aws-sdk/client-auto-scaling';
import { CreateLaunchTemplateCommand, type RequestLaunchTemplateData } from '@aws-sdk/client-ec2';
import { type Clients, NAMES, present } from './account.ts';

/** The snapshots are those of the simulated images. */
function withoutSnapshots<
  Mapping extends { readonly Ebs?: { readonly SnapshotId?: string | undefined } | undefined },
>(mappings: readonly Mapping[] = []): Mapping[] {
  return mappings.map((mapping) => ({ ...mapping, Ebs: { ...mapping.Ebs, SnapshotId: undefined } }));
}

export async function createGroup(clients: Clients, launch: LaunchConfiguration): Promise<void> {
  const given = Object.entries(launch).filter(([, value]) => value !== '');
  await clients.autoScaling.send(
    new CreateLaunchConfigurationCommand({
      ...Object.fromEntries(given),
      LaunchConfigurationName: NAMES.launchConfiguration,
      BlockDeviceMappings: withoutSnapshots(launch.BlockDeviceMappings),
    }),
  );
  const { launchConfiguration: LaunchConfigurationName, members } = NAMES;
  await create(clients, NAMES.group, members, { LaunchConfigurationName });
}

/** The groups that launch from templates, each from one of its own. */
export async function createTemplateGroups(
  clients: Clients,
  targetGroup: string,
  given: RequestLaunchTemplateData,
): Promise<{ readonly template: string; readonly mixedTemplate: string }> {
  const data = { ...given, BlockDeviceMappings: withoutSnapshots(given.BlockDeviceMappings) };
  const [template, mixedTemplate, poolTemplate] = [
    await createTemplate(clients, NAMES.template, data),
    await createTemplate(clients, `${NAMES.mixedGroup}-launch-template`, data),
    await createTemplate(clients, `${NAMES.poolGroup}-launch-template`, data),
  ] as const;
  await create(clients, NAMES.templateGroup, 1, { LaunchTemplate: byNumber(template) });
  await create(clients, NAMES.mixedGroup, NAMES.mixedMembers, mixed(mixedTemplate, targetGroup));
  await create(clients, NAMES.poolGroup, 0, { LaunchTemplate: byNumber(poolTemplate) });
  await finish(clients);
  return { template, mixedTemplate };
}

const byNumber = (LaunchTemplateId: string) => ({ LaunchTemplateId, Version: '1' });

const mixed = (template: string, targetGroup: string) => ({
  MixedInstancesPolicy: {
    LaunchTemplate: {
      LaunchTemplateSpecification: byNumber(template),
      Overrides: [{ InstanceType: 'm5.large' }, { InstanceType: 'm5a.large' }],
    },
  },
  TargetGroupARNs: [targetGroup],
  LoadBalancerNames: [NAMES.loadBalancer],
});

async function createTemplate(
  { ec2 }: Clients,
  LaunchTemplateName: string,
  LaunchTemplateData: RequestLaunchTemplateData,
): Promise<string> {
  const { LaunchTemplate } = await ec2.send(
    new CreateLaunchTemplateCommand({ LaunchTemplateName, LaunchTemplateData }),
  );
  return present(LaunchTemplate?.LaunchTemplateId, 'launch template');
}

/** The warm pool, and what ECS writes on a group that has a capacity provider. */
async function finish({ autoScaling }: Clients): Promise<void> {
  await autoScaling.send(
    new PutWarmPoolCommand({
      AutoScalingGroupName: NAMES.poolGroup,
      MinSize: 1,
      MaxGroupPreparedCapacity: 1,
      PoolState: 'Stopped',
    }),
  );
  const tag = { ResourceId: NAMES.mixedGroup, ResourceType: 'auto-scaling-group', Key: 'AmazonECSManaged' };
  await autoScaling.send(
    new CreateOrUpdateTagsCommand({ Tags: [{ ...tag, Value: '', PropagateAtLaunch: true }] }),
  );
}

async function create(
  { autoScaling }: Clients,
  AutoScalingGroupName: string,
  count: number,
  rest: Partial<CreateAutoScalingGroupType>,
): Promise<void> {
  await autoScaling.send(
    new CreateAutoScalingGroupCommand({ AutoScalingGroupName, ...sizes(count), ...rest }),
  );
}

const sizes = (count: number) => ({
  MinSize: 0,
  MaxSize: 5,
  DesiredCapacity: count,
  AvailabilityZones: ['eu-central-1a', 'eu-central-1b', 'eu-central-1c'],
});

export async function membersOf({ autoScaling }: Clients, group: string): Promise<string[]> {
  const { AutoScalingGroups = [] } = await autoScaling.send(
    new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [group] }),
  );
  return (AutoScalingGroups[0]?.Instances ?? []).flatMap(({ InstanceId }) => InstanceId ?? []);
}
