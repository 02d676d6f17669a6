import { addGroup } from './autoscaling/groups.ts';
import { launchMember } from './autoscaling/launch.ts';
import { addLaunchConfiguration } from './autoscaling/launch-configurations.ts';
import type { Group, LaunchSpec } from './autoscaling/model.ts';
import { ROOT_DEVICE } from './ec2/images.ts';
import { boot } from './ec2/instances.ts';
import { addTemplate } from './ec2/launch-templates.ts';
import type { Image } from './ec2/model.ts';
import { registerContainerInstance } from './ecs/agents.ts';
import type { State } from './state.ts';

export interface GroupOptions {
  readonly name: string;
  /** The ECS cluster that its instances join. */
  readonly cluster?: string;
  readonly image: Image;
  readonly instances: number;
  /** Default: a launch configuration. */
  readonly launchSpec?: LaunchSpec['kind'];
  /** How the group refers to its template: a number, `$Latest` or `$Default`. Default: it names no version. */
  readonly version?: string | undefined;
  /** In place of the image's id, such as `resolve:ssm:/path`. Templates only. */
  readonly imageReference?: string;
  readonly instanceType?: string;
  readonly minSize?: number;
  readonly maxSize?: number;
  readonly tags?: Readonly<Record<string, string>>;
}

/** A group whose members run, are InService and have their agents registered. */
export function buildGroup(state: State, options: GroupOptions): Group {
  const { name, instances } = options;
  const group = addGroup(state, {
    name,
    clusterName: options.cluster,
    launchSpec: buildLaunchSpec(state, options),
    minSize: options.minSize ?? 0,
    maxSize: options.maxSize ?? instances,
    desiredCapacity: instances,
  });
  for (const [key, value] of Object.entries(options.tags ?? {}))
    group.tags.set(key, { value, propagatesAtLaunch: true });
  for (let count = 0; count < instances; count++) addMember(state, group);
  return group;
}

function addMember(state: State, group: Group) {
  const member = launchMember(state, group);
  if (typeof member === 'string') throw new Error(member);
  boot(state, member.instance);
  member.lifecycleState = 'InService';
  const cluster = state.clusters.get(group.clusterName ?? '');
  if (cluster) registerContainerInstance(state, cluster, member.instance);
}

function buildLaunchSpec(state: State, options: GroupOptions): LaunchSpec {
  const kind = options.launchSpec ?? 'launch-configuration';
  if (kind === 'launch-configuration') {
    const name = `${options.name}-launch-configuration`;
    addLaunchConfiguration(state, launchFields(name, options), 'owner');
    return { kind, name };
  }
  const template = buildTemplate(state, options);
  const { version } = options;
  if (kind === 'launch-template') return { kind, template, version };
  const specification = {
    LaunchTemplateId: template.id,
    LaunchTemplateName: template.name,
    Version: version ?? '$Default',
  };
  const policy = {
    LaunchTemplate: {
      LaunchTemplateSpecification: specification,
      Overrides: [{ InstanceType: 'm5.large' }, { InstanceType: 'm5a.large' }],
    },
  };
  return { kind, template, version, policy };
}

/** As odd as they come: what a copy of a launch configuration must carry over, or drop. */
function launchFields(name: string, options: GroupOptions) {
  return {
    LaunchConfigurationName: name,
    ImageId: options.image.id,
    InstanceType: options.instanceType ?? 'm5.large',
    SecurityGroups: ['sg-00000000000000001', 'sg-00000000000000002'],
    UserData: userData(options),
    BlockDeviceMappings: blockDeviceMappings(options.image),
    InstanceMonitoring: { Enabled: false },
    SpotPrice: '0.05',
    IamInstanceProfile: 'ecsInstanceRole',
    EbsOptimized: true,
    AssociatePublicIpAddress: false,
    PlacementTenancy: 'default',
    MetadataOptions: {
      HttpTokens: 'required',
      HttpPutResponseHopLimit: 2,
      HttpEndpoint: 'enabled',
    } as const,
  };
}

function buildTemplate(state: State, options: GroupOptions) {
  return addTemplate(state, `${options.name}-launch-template`, {
    ImageId: options.imageReference ?? options.image.id,
    InstanceType: (options.instanceType ?? 'm5.large') as 'm5.large',
    SecurityGroupIds: ['sg-00000000000000001'],
    UserData: userData(options),
    BlockDeviceMappings: blockDeviceMappings(options.image),
    IamInstanceProfile: { Name: 'ecsInstanceRole' },
    MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 2 },
  });
}

function userData({ cluster = 'default' }: GroupOptions): string {
  const script = `#!/bin/bash\necho ECS_CLUSTER=${cluster} >> /etc/ecs/ecs.config\n`;
  return Buffer.from(script).toString('base64');
}

function blockDeviceMappings(image: Image) {
  const ebs = { VolumeType: 'gp3' as const, DeleteOnTermination: true };
  return [
    {
      DeviceName: ROOT_DEVICE,
      Ebs: { ...ebs, SnapshotId: image.rootSnapshotId, VolumeSize: 50, Encrypted: true },
    },
    { DeviceName: '/dev/xvdcz', Ebs: { ...ebs, VolumeSize: 100 } },
  ];
}
