import {
  CreateLaunchConfigurationCommand,
  DescribeAutoScalingGroupsCommand,
  DetachInstancesCommand,
  type DistributionSegment,
  type LaunchTemplateOverrides,
  type MixedInstancesPolicy,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { DescribeInstanceTypesCommand } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import type { GroupOptions } from '../group-builder.ts';
import { resourceFacts } from '../resource-facts.ts';
import { setUp as setUpGroup } from './set-up.ts';

function setUp(options: Partial<GroupOptions> = {}) {
  const scene = setUpGroup({ launchSpec: 'mixed-instances', maxSize: 10, ...options });
  const { world, clock, call, group, members } = scene;
  const spec = () => {
    if (group.launchSpec.kind !== 'mixed-instances') throw new Error('not mixed');
    return group.launchSpec;
  };
  return {
    ...scene,
    spec,
    types: () => members().map(({ instance }) => instance.instanceType),
    policy: () => scene.describeGroup()?.MixedInstancesPolicy,
    update: (MixedInstancesPolicy: MixedInstancesPolicy) =>
      call(UpdateAutoScalingGroupCommand, { AutoScalingGroupName: 'g', MixedInstancesPolicy }),
    grow(desiredCapacity: number) {
      world.owner.setSizes('g', { desiredCapacity });
      clock.advance(60);
      return members().at(-1);
    },
  };
}

describe('a mixed instances policy', () => {
  it('launches its overrides in turn', () => {
    const { types, grow } = setUp();
    grow(4);
    expect(types()).toEqual(['m5.large', 'm5a.large', 'm5.large', 'm5a.large']);
  });

  it('is described with id, name and version of each template', () => {
    const { policy } = setUp();
    expect(policy()).toMatchObject({
      LaunchTemplate: {
        LaunchTemplateSpecification: {
          LaunchTemplateId: expect.stringMatching('^lt-'),
          LaunchTemplateName: 'g-launch-template',
          Version: '$Default',
        },
        Overrides: [{ InstanceType: 'm5.large' }, { InstanceType: 'm5a.large' }],
      },
      InstancesDistribution: { OnDemandPercentageAboveBaseCapacity: 100 },
    });
  });

  it("launches an override's own template and own image, by id or by parameter", () => {
    const { world } = setUp();
    const arm = world.release('amazon-linux-2023/arm64');
    const gpu = world.release('amazon-linux-2023/gpu');
    const base = world.release('amazon-linux-2023');
    const recommended = '/aws/service/ecs/optimized-ami/amazon-linux-2023/recommended/image_id';
    const group = world.addGroup({
      ...{ name: 'h', image: base, instances: 4, launchSpec: 'mixed-instances' },
      overrides: [
        { instanceType: 'm5.large' },
        { instanceType: 'm6g.large', template: { image: arm } },
        { instanceType: 'g4dn.xlarge', image: gpu },
        { instanceType: 'm5a.large', imageReference: `resolve:ssm:${recommended}` },
      ],
    });
    const launched = [...group.members.values()].map(({ instance, launchedFrom }) => [
      instance.instanceType,
      instance.imageId,
      launchedFrom?.kind === 'launch-template' && launchedFrom.template.name,
    ]);
    expect(launched).toEqual([
      ['m5.large', base.id, 'h-launch-template'],
      ['m6g.large', arm.id, 'h-override-2-launch-template'],
      ['g4dn.xlarge', gpu.id, 'h-launch-template'],
      ['m5a.large', base.id, 'h-launch-template'],
    ]);
  });

  it("shows a member's image only if an override names it", () => {
    const { world, image, call } = setUp();
    world.addGroup({
      ...{ name: 'h', image, instances: 2, launchSpec: 'mixed-instances' },
      overrides: [{ instanceType: 'm5.large' }, { instanceType: 'm5a.large', image }],
    });
    const described = call(DescribeAutoScalingGroupsCommand, { AutoScalingGroupNames: ['h'] });
    const [{ Instances = [] } = {}] = described.AutoScalingGroups ?? [];
    expect(Instances.map(({ ImageId }) => ImageId)).toEqual([undefined, image.id]);
  });

  it('keeps what an update leaves out', () => {
    const { update, policy, spec } = setUp();
    const LaunchTemplateSpecification = { LaunchTemplateId: spec().template.id, Version: '1' };
    update({ InstancesDistribution: { OnDemandBaseCapacity: 2 } });
    update({ LaunchTemplate: { LaunchTemplateSpecification } });
    expect(policy()).toMatchObject({
      LaunchTemplate: { LaunchTemplateSpecification, Overrides: [{}, {}] },
      InstancesDistribution: { OnDemandBaseCapacity: 2, SpotInstancePools: 2 },
    });
    update({ LaunchTemplate: { Overrides: [{ InstanceType: 'c5.large' }] } });
    expect(policy()?.LaunchTemplate).toMatchObject({
      LaunchTemplateSpecification,
      Overrides: [{ InstanceType: 'c5.large' }],
    });
  });

  it('has segments or On-Demand figures: naming the one takes the other away', () => {
    const { update, policy } = setUp();
    const DistributionSegments: DistributionSegment[] = [
      { TargetCapacityTypes: ['capacity-block', 'on-demand'] },
    ];
    update({ InstancesDistribution: { DistributionSegments } });
    const { InstancesDistribution: segmented } = policy() ?? {};
    expect(segmented).toMatchObject({ DistributionSegments, OnDemandAllocationStrategy: 'prioritized' });
    expect(segmented).not.toHaveProperty('OnDemandBaseCapacity');
    update({ InstancesDistribution: { ...segmented, OnDemandPercentageAboveBaseCapacity: 25 } });
    const { InstancesDistribution: figured } = policy() ?? {};
    expect(figured).not.toHaveProperty('DistributionSegments');
    expect(figured).toMatchObject({ OnDemandPercentageAboveBaseCapacity: 25 });
    update({ InstancesDistribution: { DistributionSegments } });
    update({ InstancesDistribution: { DistributionSegments: [] } });
    expect(policy()?.InstancesDistribution).not.toHaveProperty('DistributionSegments');
  });

  it('is refused if a template that it names is missing, or named twice', () => {
    const { update, spec, policy } = setUp();
    const before = policy();
    const { id, name } = spec().template;
    const override = (LaunchTemplateSpecification: object) => () =>
      update({ LaunchTemplate: { Overrides: [{ InstanceType: 'm5.large', LaunchTemplateSpecification }] } });
    const either = 'Valid requests must contain either launchTemplateId or LaunchTemplateName';
    expect(override({ LaunchTemplateId: id, LaunchTemplateName: name })).toThrow(either);
    expect(override({ Version: '1' })).toThrow(either);
    expect(override({ LaunchTemplateName: 'none' })).toThrow('does not exist');
    expect(override({ LaunchTemplateId: id, Version: '9' })).toThrow('specified version 9');
    expect(policy()).toEqual(before);
  });

  it('must be given whole to a group that has none', () => {
    const { update, group } = setUp({ launchSpec: 'launch-template' });
    expect(() => update({ InstancesDistribution: {} })).toThrow('Valid requests must contain either');
    const LaunchTemplateSpecification = { LaunchTemplateName: 'g-launch-template' };
    update({ LaunchTemplate: { LaunchTemplateSpecification } });
    expect(group.launchSpec).toMatchObject({ kind: 'mixed-instances', overrides: [] });
  });

  it('is lost in an update to a launch template or configuration', () => {
    const { call, image, describeGroup } = setUp();
    const to = (update: object) =>
      call(UpdateAutoScalingGroupCommand, { AutoScalingGroupName: 'g', ...update });
    to({ LaunchTemplate: { LaunchTemplateName: 'g-launch-template' } });
    expect(describeGroup()).toMatchObject({ LaunchTemplate: { LaunchTemplateName: 'g-launch-template' } });
    expect(describeGroup()?.MixedInstancesPolicy).toBeUndefined();
    const LaunchConfigurationName = 'lc';
    const InstanceType = 'm5.large';
    call(CreateLaunchConfigurationCommand, { LaunchConfigurationName, ImageId: image.id, InstanceType });
    to({ LaunchConfigurationName });
    expect(describeGroup()?.LaunchTemplate).toBeUndefined();
  });
});

describe('requirements in place of a type', () => {
  const least = { VCpuCount: { Min: 2 }, MemoryMiB: { Min: 2048 } };
  const scene = () => {
    const { world, image, update, policy } = setUp();
    const arm = world.release('amazon-linux-2023/arm64');
    const group = world.addGroup({
      ...{ name: 'h', image, instances: 2, launchSpec: 'mixed-instances' },
      overrides: [{ requirements: least }, { requirements: least, image: arm }],
    });
    return { world, group, update, policy };
  };

  it('launch a type that fits the image, whatever the template names', () => {
    const { group } = scene();
    const launched = [...group.members.values()].map(({ instance }) => instance.instanceType);
    expect(launched).toEqual(['m5.xlarge', 'm7g.large']);
  });

  it('are described with what is unset, by one reading, and not accepted so', () => {
    const { world, update, policy } = scene();
    const overrides = () => policy()?.LaunchTemplate?.Overrides ?? [];
    update({ LaunchTemplate: { Overrides: [{ InstanceRequirements: least }] } });
    expect(overrides()).toEqual([{ InstanceRequirements: least }]);
    world.state.readings.writesUnset = 'empty-elements';
    const unset = { AllowedInstanceTypes: [], ExcludedInstanceTypes: [], BareMetal: '' };
    expect(overrides()[0]?.InstanceRequirements).toMatchObject(unset);
    expect(() => update({ LaunchTemplate: { Overrides: overrides() } })).toThrow('both AllowedInstanceTypes');
  });

  it('are refused without the least, beside a type, or with both lists', () => {
    const { update } = scene();
    const ask = (InstanceRequirements: object, InstanceType?: 'm5.large') => () =>
      update({
        LaunchTemplate: { Overrides: [{ InstanceType, InstanceRequirements } as LaunchTemplateOverrides] },
      });
    expect(ask({ ...least, MemoryMiB: undefined })).toThrow('MemoryMiB');
    expect(ask(least, 'm5.large')).toThrow('both an instance type and instance requirements');
    expect(ask({ ...least, BareMetal: '' })).toThrow("'' is not valid for BareMetal");
    const lists = { AllowedInstanceTypes: ['m5.*'], ExcludedInstanceTypes: ['m5a.*'] };
    expect(ask({ ...least, ...lists })).toThrow('both AllowedInstanceTypes');
  });
});

describe('the desired capacity of a group with weights', () => {
  it.each([
    ['units', 4],
    ['instances', 5],
  ] as const)('goes down by what leaves weighs, or by how many leave: %s', (reading, left) => {
    const weighted = [
      { instanceType: 'm5.large', weight: 2 },
      { instanceType: 'm5a.large', weight: 2 },
    ];
    const { world, call, group, first, clock } = setUp({ overrides: weighted });
    world.state.readings.decrementBy = reading;
    expect(group.desiredCapacity).toBe(6);
    const input = { AutoScalingGroupName: 'g', InstanceIds: [first], ShouldDecrementDesiredCapacity: true };
    call(DetachInstancesCommand, input);
    expect(group.desiredCapacity).toBe(left);
    clock.advance(600);
    // One above is at it or above; nobody is ended for less than they weigh.
    expect(group.members.size).toBe(reading === 'units' ? 2 : 3);
    world.owner.setSizes('g', { desiredCapacity: 4 - 1 });
    clock.advance(600);
    expect(group.members.size).toBe(2);
  });
});

describe('an instance type', () => {
  it("whose architecture is not the image's is not launched, as the activities show", () => {
    const { update, grow, latestActivity, members, clock } = setUp();
    update({ LaunchTemplate: { Overrides: [{ InstanceType: 'm6g.large' }] } });
    grow(4);
    expect(latestActivity()?.StatusMessage).toMatch(
      /^The architecture 'arm64' of the specified instance type does not match the architecture 'x86_64' of the specified AMI\. .* Launching EC2 instance failed\.$/,
    );
    expect(members()).toHaveLength(3);
    update({ LaunchTemplate: { Overrides: [{ InstanceType: 'c5.large' }] } });
    clock.advance(120);
    expect(members()).toHaveLength(4);
  });

  it('is tried out when a group is given a launch template', () => {
    const { world, call } = setUp();
    const ImageId = world.release('amazon-linux-2023/arm64').id;
    const { id } = world.addLaunchTemplate('t', { ImageId, InstanceType: 'm5.large' });
    const LaunchTemplate = { LaunchTemplateId: id };
    const update = () => call(UpdateAutoScalingGroupCommand, { AutoScalingGroupName: 'g', LaunchTemplate });
    expect(update).toThrow("fully-formed launch template. The architecture 'x86_64'");
  });

  it.each(['if-named', 'always'] as const)(
    'is tried out at other updates by the reading %s',
    (templateTried) => {
      const { world, call } = setUpGroup({ launchSpec: 'launch-template' });
      world.state.readings.templateTried = templateTried;
      const update = () => call(UpdateAutoScalingGroupCommand, { AutoScalingGroupName: 'g', MaxSize: 9 });
      const tries = () => resourceFacts(world).group('g')?.tries?.length ?? 0;
      expect([tries(), update()]).toEqual([templateTried === 'always' ? 1 : 0, {}]);
      for (const { id } of world.state.images.values()) world.setImageState(id, 'deregistered');
      if (templateTried === 'always')
        expect(update).toThrow('You must use a valid fully-formed launch template.');
      else expect(update()).toEqual({});
    },
  );

  it('is described with its architecture, by name or by filter, in pages', () => {
    const { call } = setUp();
    const types = (input: object) => {
      const { InstanceTypes = [], NextToken } = call(DescribeInstanceTypesCommand, input);
      const described = InstanceTypes.map(({ InstanceType, ProcessorInfo }) => [
        InstanceType,
        ProcessorInfo?.SupportedArchitectures,
      ]);
      return { described, NextToken };
    };
    const named = types({ InstanceTypes: ['g5g.xlarge', 't3.medium'] });
    expect(named.described).toEqual([
      ['g5g.xlarge', ['arm64']],
      ['t3.medium', ['x86_64']],
    ]);
    const filtered = types({ Filters: [{ Name: 'instance-type', Values: ['m7g.*'] }] });
    expect(filtered.described).toEqual([['m7g.large', ['arm64']]]);
    const page = types({ MaxResults: 5 });
    expect(page.described).toHaveLength(5);
    expect(types({ MaxResults: 100, NextToken: page.NextToken }).described.length).toBeGreaterThan(5);
    expect(() => types({ InstanceTypes: ['m9.huge'] })).toThrow('do not exist: [m9.huge]');
  });
});
