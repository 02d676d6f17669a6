import {
  AutoScalingClient,
  DescribeAccountLimitsCommand,
  DescribeLaunchConfigurationsCommand,
} from '@aws-sdk/client-auto-scaling';
import { DescribeSubnetsCommand, EC2Client } from '@aws-sdk/client-ec2';
import { DescribeTasksCommand, ECSClient, ListTasksCommand } from '@aws-sdk/client-ecs';
import { GetInstanceProfileCommand, IAMClient } from '@aws-sdk/client-iam';
import { describe, expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { launchConfigurationName } from '../../lambda/core/launch-spec/own-launch-specs.ts';
import type { LaunchSource } from '../../lambda/core/model/launch.ts';
import { instanceProfiles } from '../../lambda/look/instance-profiles.ts';
import { preflightFacts, type TaskHosts } from '../../lambda/look/preflight-facts.ts';
import { mocked } from '../aws/mocked.ts';
import { refusal } from '../aws/refusal.ts';
import {
  assessed,
  groupOf,
  OLD,
  observe,
  old,
  PLACE,
  type Scene,
  service,
  TARGET,
} from '../core/builders.ts';

const autoScaling = mocked(AutoScalingClient);
const ec2 = mocked(EC2Client);
const ecs = mocked(ECSClient);
const iam = mocked(IAMClient);
const aws = createAws({ region: 'eu-west-1' });

const SOURCE: LaunchSource = { place: PLACE, imageId: OLD.imageId, target: TARGET };

interface Asked {
  readonly scene?: Scene;
  readonly subnetIds?: readonly string[];
  readonly outdated?: readonly LaunchSource[];
  readonly hosts?: TaskHosts;
}

function facts({ scene = {}, subnetIds = [], outdated = [], hosts = new Map() }: Asked) {
  const observation = observe([old('i-1')], { roll: null, ...scene });
  const assessment = { ...assessed(observation), outdated };
  return preflightFacts(aws, assessment, { subnetIds }, instanceProfiles(aws), hosts);
}

describe('what must be known before a roll begins', () => {
  test('takes no call if nothing is in question', async () => {
    expect(await facts({})).toEqual({ unusableProfiles: [], stuckServices: [] });
    for (const api of [autoScaling, ec2, ecs, iam]) expect(api.calls()).toEqual([]);
  });

  test('is how many addresses are free in all subnets of the group', async () => {
    ec2.on(DescribeSubnetsCommand).resolves({
      Subnets: [
        { SubnetId: 'subnet-1', AvailableIpAddressCount: 3 },
        { SubnetId: 'subnet-2', AvailableIpAddressCount: 4 },
      ],
    });
    expect((await facts({ subnetIds: ['subnet-1', 'subnet-2'] })).freeAddresses).toBe(7);
  });

  test('is how many are free in the subnets of tasks that have their own, asked for with those of the group', async () => {
    const Subnets = [
      { SubnetId: 'subnet-1', AvailableIpAddressCount: 3 },
      { SubnetId: 'subnet-2', AvailableIpAddressCount: 4 },
    ];
    ec2.on(DescribeSubnetsCommand).resolves({ Subnets });
    const placement = {
      expressions: [],
      distinctInstance: false,
      capacityProviders: [],
      subnetIds: ['subnet-2'],
    };
    const scene = { services: [service('api', { placement }), service('web')] };
    expect(await facts({ subnetIds: ['subnet-1'], scene })).toMatchObject({
      freeAddresses: 3,
      taskAddresses: [{ service: 'api', free: 4 }],
    });
    expect(ec2.commandCalls(DescribeSubnetsCommand)).toHaveLength(1);
  });

  test('is which instance profiles nothing can be launched with, each asked for once', async () => {
    iam.on(GetInstanceProfileCommand).rejects(await refusal('iam', 'NoSuchEntity'));
    const source = { ...SOURCE, instanceProfile: 'gone' };
    const launch = { sources: [source, source], mixed: true };
    expect((await facts({ scene: { launch } })).unusableProfiles).toEqual([
      { name: 'gone', state: 'missing' },
    ]);
    expect(iam.calls()).toHaveLength(1);
  });
});

describe('where the tasks run of services that can not move', () => {
  const stuck = service('stuck', { maximumPercent: 100 });

  test('is asked for these alone', async () => {
    ecs
      .on(ListTasksCommand, { serviceName: 'stuck' })
      .resolves({ taskArns: ['t-1', 't-2'] })
      .on(DescribeTasksCommand)
      .resolves({ tasks: [{ containerInstanceArn: 'arn:1' }, { containerInstanceArn: 'arn:1' }] });
    const found = await facts({ scene: { services: [service('api'), stuck] } });
    expect(found.stuckServices).toEqual([{ name: 'stuck', hosts: ['arn:1'] }]);
    expect(ecs.commandCalls(ListTasksCommand)).toHaveLength(1);
  });

  test('is asked once for all groups of a look', async () => {
    ecs.on(ListTasksCommand).resolves({ taskArns: [] });
    const hosts: TaskHosts = new Map();
    const asked = { scene: { services: [stuck] }, hosts };
    expect(await facts(asked)).toEqual(await facts(asked));
    expect(ecs.calls()).toHaveLength(1);
  });
});

describe('the room for launch configurations', () => {
  const limits = (there: number) =>
    autoScaling
      .on(DescribeAccountLimitsCommand)
      .resolves({ MaxNumberOfLaunchConfigurations: 200, NumberOfLaunchConfigurations: there });
  const room = async () => (await facts({ outdated: [SOURCE] })).launchConfigurationRoom;

  test('is what the account has left', async () => {
    limits(199);
    expect(await room()).toBe(1);
    expect(autoScaling.commandCalls(DescribeLaunchConfigurationsCommand)).toEqual([]);
  });

  test('is none if the account is full', async () => {
    limits(200);
    autoScaling.on(DescribeLaunchConfigurationsCommand).resolves({ LaunchConfigurations: [] });
    expect(await room()).toBe(0);
  });

  test('is not in question if a killed run has already made the copy', async () => {
    limits(200);
    const group = groupOf(observe([]));
    const name = launchConfigurationName(group, { uuid: '22222222-' }, TARGET.imageId);
    const made = { LaunchConfigurationName: name, ImageId: TARGET.imageId, InstanceType: 'm5.large' };
    autoScaling
      .on(DescribeLaunchConfigurationsCommand, { LaunchConfigurationNames: [name] })
      .resolves({ LaunchConfigurations: [{ ...made, CreatedTime: new Date(0) }] });
    expect(await room()).toBeUndefined();
  });
});
