import {
  DescribeImagesCommand,
  type DescribeImagesCommandInput,
  DescribeInstanceImageMetadataCommand,
  type DescribeInstanceImageMetadataCommandInput,
  DescribeLaunchTemplateVersionsCommand,
} from '@aws-sdk/client-ec2';
import { GetParameterCommand, GetParametersCommand } from '@aws-sdk/client-ssm';
import { describe, expect, it } from 'vitest';

import { virtualClock } from '../../clock/clock.ts';
import { directCalls } from '../direct-calls.ts';
import { createWorld } from '../world.ts';
import { FAMILIES } from './families.ts';

function setUp() {
  const clock = virtualClock(Date.parse('2026-11-20T00:00:00Z'));
  const world = createWorld({ clock, seed: 1 });
  const call = directCalls(world);
  const describeImages = (input: DescribeImagesCommandInput) =>
    call(DescribeImagesCommand, input).Images ?? [];
  const find = (input: DescribeImagesCommandInput) => describeImages(input).map(({ ImageId }) => ImageId);
  const read = (...Names: string[]) => call(GetParametersCommand, { Names });
  const value = (Name: string) => call(GetParameterCommand, { Name }).Parameter?.Value ?? '';
  return { clock, world, call, describeImages, find, read, value };
}

describe('a release', () => {
  it('has its own name, even the second one of a day', () => {
    const { world } = setUp();
    const twice = FAMILIES.flatMap((family) => [world.release(family), world.release(family)]);
    expect(new Set(twice.map(({ name }) => name)).size).toBe(2 * FAMILIES.length);
    expect(twice.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'al2023-ami-ecs-gpu-hvm-2023.0.20261120-kernel-6.1-x86_64-ebs',
        'al2023-ami-ecs-gpu-hvm-2023.0.20261121-kernel-6.1-x86_64-ebs',
        'bottlerocket-aws-ecs-2-nvidia-aarch64-v1.64.200-0000fac8',
        'bottlerocket-aws-ecs-2-nvidia-aarch64-v1.64.201-0000fac9',
        'Windows_Server-2022-English-Core-ECS_Optimized-2026.11.20',
        'Windows_Server-2022-English-Core-ECS_Optimized-2026.11.21',
      ]),
    );
  });

  it('of Bottlerocket sets plain parameters, by version as well', () => {
    const { world, value } = setUp();
    const { id } = world.release('bottlerocket/aws-ecs-2-nvidia/arm64');
    const path = '/aws/service/bottlerocket/aws-ecs-2-nvidia/arm64';
    expect(value(`${path}/latest/image_id`)).toBe(id);
    expect(value(`${path}/latest/image_version`)).toBe('1.64.200-0000fac8');
    expect(value(`${path}/1.64.200/image_id`)).toBe(id);
    expect(() => value(`${path}/latest`)).toThrow('not found');
  });

  it('of Windows sets one with JSON and one with the plain id, and has its root elsewhere', () => {
    const { world, value, describeImages } = setUp();
    const { id, name } = world.release('windows/2022-English-Full');
    const path = '/aws/service/ami-windows-latest/Windows_Server-2022-English-Full-ECS_Optimized';
    expect(value(`${path}/image_id`)).toBe(id);
    expect(JSON.parse(value(path))).toMatchObject({ image_id: id, image_name: name });
    expect(describeImages({ ImageIds: [id] })).toMatchObject([
      { RootDeviceName: '/dev/sda1', BlockDeviceMappings: [{ DeviceName: '/dev/sda1' }] },
    ]);
  });

  it('boots in a group, whatever its root device is called', () => {
    const { world } = setUp();
    const image = world.release('windows/2022-English-Full');
    const group = world.addGroup({ name: 'g', image, instances: 1, launchSpec: 'launch-template' });
    const [member] = group.members.values();
    const devices = member?.instance.blockDeviceMappings.map(({ DeviceName }) => DeviceName);
    expect(devices).toContain('/dev/sda1');
  });
});

describe('an image', () => {
  it("is Amazon's, one's own or somebody else's", () => {
    const { world, find, describeImages } = setUp();
    const amazons = (
      ['amazon-linux-2023', 'bottlerocket/aws-ecs-2', 'windows/2025-English-Core'] as const
    ).map((family) => world.release(family).id);
    const verified = world.addImage('verified', { ownerId: '679593333241', isVerified: true });
    amazons.push(verified.id);
    const own = world.addImage('own', { architecture: 'arm64', rootDeviceName: '/dev/sda1' });
    const foreign = world.addImage('foreign', { ownerId: '999999999999' });
    expect(find({ Owners: ['amazon'] })).toEqual(amazons);
    expect(find({ Filters: [{ Name: 'owner-alias', Values: ['amazon'] }] })).toEqual(amazons);
    expect(find({ Owners: ['self', '999999999999'] })).toEqual([own.id, foreign.id]);
    expect(() => find({ Owners: ['me'] })).toThrow('Invalid user id');
    expect(describeImages({ Owners: ['self'] })).toMatchObject([
      { Architecture: 'arm64', RootDeviceName: '/dev/sda1', OwnerId: '123456789012', State: 'available' },
    ]);
    expect(describeImages({ ImageIds: amazons.slice(1, 2) })).toMatchObject([{ ImageOwnerAlias: 'amazon' }]);
  });

  it('is found by architecture, creation date, kind of root device and state', () => {
    const { world, find } = setUp();
    const plain = world.release('amazon-linux-2023', { ageDays: 30 });
    const arm = world.release('amazon-linux-2023/arm64');
    const pending = world.addImage('own', { state: 'pending' });
    const by = (Name: string, ...Values: string[]) => find({ Filters: [{ Name, Values }] });
    expect(by('architecture', 'arm64')).toEqual([arm.id]);
    expect(by('creation-date', '2026-10-*')).toEqual([plain.id]);
    expect(by('root-device-type', 'ebs')).toHaveLength(3);
    expect(by('state', 'pending', 'failed')).toEqual([pending.id]);
    expect(by('image-id', arm.id, 'ami-none')).toEqual([arm.id]);
    // A question mark is one character or none.
    expect(by('name', 'al2023-ami-ecs-hvm-2023.0.????????-kernel-*-arm64')).toEqual([arm.id]);
    expect(by('name', 'own???')).toEqual([pending.id]);
    expect(by('name', 'ow')).toEqual([]);
  });

  it('that is deprecated is hidden from everyone but its owner, unless requested', () => {
    const { clock, world, find, describeImages } = setUp();
    const gone = world.release('amazon-linux-2023', { deprecatedInDays: -1 });
    const soon = world.addImage('soon', { ownerId: '999999999999', deprecatedInDays: 1 });
    const own = world.addImage('own');
    world.deprecateImage(own.id);
    expect(find({})).toEqual([soon.id, own.id]);
    clock.advance(86_400);
    expect(find({})).toEqual([own.id]);
    const byId = [{ Name: 'image-id', Values: [gone.id] }];
    expect(find({ Filters: byId })).toEqual([]);
    expect(find({ Filters: byId, IncludeDeprecated: true })).toEqual([gone.id]);
    expect(describeImages({ ImageIds: [gone.id] })).toMatchObject([
      { DeprecationTime: '2026-11-19T00:00:00.000Z' },
    ]);
  });

  it('of Amazon is deprecated two years after its creation', () => {
    const { world, find } = setUp();
    const young = world.release('amazon-linux-2', { ageDays: 700 });
    world.release('amazon-linux-2', { ageDays: 731 });
    expect(find({ Owners: ['amazon'] })).toEqual([young.id]);
  });

  it('that is pending launches nothing yet', () => {
    const { clock, world } = setUp();
    const image = world.addImage('own');
    const group = world.addGroup({ name: 'g', image, instances: 0 });
    world.setImageState(image.id, 'pending');
    world.owner.setSizes('g', { maxSize: 1, desiredCapacity: 1 });
    clock.advance(60);
    expect(group.activities[0]?.StatusMessage).toContain(`AMI ${image.id} is pending, and cannot be run.`);
    world.setImageState(image.id, 'available');
    clock.advance(120);
    expect(group.members.size).toBe(1);
  });

  it('that failed is described and launches nothing; a deregistered one is gone', () => {
    const { clock, world, describeImages, find } = setUp();
    const image = world.addImage('own');
    const group = world.addGroup({ name: 'g', image, instances: 0 });
    world.setImageState(image.id, 'failed');
    world.owner.setSizes('g', { maxSize: 1, desiredCapacity: 1 });
    clock.advance(60);
    expect(group.activities[0]?.StatusCode).toBe('Failed');
    expect(describeImages({ ImageIds: [image.id] })).toMatchObject([{ State: 'failed' }]);
    world.setImageState(image.id, 'deregistered');
    expect(find({})).toEqual([]);
    expect(() => find({ ImageIds: [image.id] })).toThrow('does not exist');
  });
});

describe('an image out of sight', () => {
  function setUpHidden() {
    const scene = setUp();
    const { clock, world, call } = scene;
    const image = world.release('amazon-linux-2023', { ageDays: 90 });
    const group = world.addGroup({ name: 'g', image, instances: 1 });
    const [member] = group.members.values();
    const id = member?.instance.id ?? '';
    const metadata = (input: DescribeInstanceImageMetadataCommandInput = { InstanceIds: [id] }) =>
      call(DescribeInstanceImageMetadataCommand, input).InstanceImageMetadata ?? [];
    const launch = () => {
      world.owner.setSizes('g', { maxSize: 2, desiredCapacity: 2 });
      clock.advance(60);
      return group.activities[0]?.StatusMessage;
    };
    return { ...scene, image, id, metadata, launch };
  }

  it.each([
    ['private', 'available', /^Not authorized for images: /],
    ['disabled', 'disabled', /is disabled, and cannot be run/],
    ['deregistered', 'deregistered', /^The AMI ID .* does not exist/],
    ['not allowed', 'available', /does not exist/],
  ] as const)(
    'as it is %s shows in the metadata of its instances alone, and launches nothing',
    (why, State, fails) => {
      const { world, image, find, id, metadata, launch } = setUpHidden();
      if (why === 'private') world.makeImagePrivate(image.id);
      else if (why === 'not allowed') world.allowImages({ maximumDaysSinceCreated: 30 });
      else world.setImageState(image.id, why);
      expect(find({})).toEqual([]);
      expect(find({ IncludeDisabled: true, IncludeDeprecated: true })).toEqual([]);
      expect(() => find({ ImageIds: [image.id] })).toThrow('does not exist');
      const { name, ownerId } = image;
      expect(metadata()).toMatchObject([
        {
          InstanceId: id,
          ImageMetadata: {
            ImageId: image.id,
            Name: name,
            OwnerId: ownerId,
            ImageOwnerAlias: 'amazon',
            State,
          },
        },
      ]);
      expect(metadata()[0]?.ImageMetadata?.ImageAllowed).toBe(why !== 'not allowed');
      expect(launch()).toMatch(fails);
    },
  );

  it("but one's own, disabled, is listed on request, and none of one's own is ever not allowed", () => {
    const { world, find, describeImages } = setUp();
    const own = world.addImage('own', { ageDays: 90 });
    world.allowImages({ maximumDaysSinceCreated: 30 });
    expect(find({})).toEqual([own.id]);
    world.setImageState(own.id, 'disabled');
    expect(find({})).toEqual([]);
    expect(describeImages({ IncludeDisabled: true })).toMatchObject([{ ImageId: own.id, State: 'disabled' }]);
    expect(describeImages({ ImageIds: [own.id] })).toMatchObject([{ State: 'disabled' }]);
  });

  it('is described for all instances or some, but for none that does not exist', () => {
    const { id, metadata } = setUpHidden();
    expect(metadata({})).toHaveLength(1);
    expect(metadata({ Filters: [{ Name: 'instance-id', Values: ['i-none'] }] })).toEqual([]);
    expect(() => metadata({ InstanceIds: [id, 'i-0123456789abcdef0'] })).toThrow('does not exist');
  });
});

describe("an image's instance types", () => {
  it.each([
    ['m5.large', {}, undefined],
    ['m5.large', { typeSpecification: { supported: ['m5.*'] } }, undefined],
    ['m5.large', { typeSpecification: { supported: ['t3.*'] } }, /^This AMI does not support the specified/],
    ['m5.large', { typeSpecification: { unsupported: ['*.large'] } }, /^This AMI does not support the/],
    [
      'm5.large',
      { typeSpecification: { supported: ['m5.*'], unsupported: ['m5.large'] } },
      /^This AMI does not support the specified/,
    ],
    ['t2.xlarge', { bootMode: 'uefi' }, /does not support the boot mode uefi/],
    ['t2.xlarge', { bootMode: 'uefi-preferred' }, undefined],
    ['m5.large', { bootMode: 'uefi' }, undefined],
    ['m6g.large', { bootMode: 'legacy-bios', architecture: 'arm64' }, /does not support the boot mode/],
  ] as const)('%s with %j', (instanceType, options, refused) => {
    const { clock, world, describeImages } = setUp();
    const image = world.addImage('own', options);
    const group = world.addGroup({
      name: 'g',
      image,
      instances: 0,
      launchSpec: 'launch-template',
      instanceType,
    });
    world.owner.setSizes('g', { maxSize: 1, desiredCapacity: 1 });
    clock.advance(60);
    expect(group.members.size).toBe(refused === undefined ? 1 : 0);
    if (refused) expect(group.activities[0]?.StatusMessage).toMatch(refused);
    const { typeSpecification: types } = image;
    const listed = types?.supported?.map((InstanceType) => ({ InstanceType }));
    expect(describeImages({})[0]?.InstanceTypeSpecification?.SupportedInstanceTypes).toEqual(listed);
  });
});

describe('a parameter', () => {
  it('has versions and labels, each of which can be requested', () => {
    const { world, read, call } = setUp();
    for (const text of ['one', 'two', 'three']) world.setParameter('/own', text);
    world.labelParameter('/own', 1, 'prod');
    world.labelParameter('/own', 2, 'prod');
    const latest = call(GetParameterCommand, { Name: '/own' }).Parameter;
    expect(latest).toMatchObject({ Name: '/own', Value: 'three', Version: 3, DataType: 'text' });
    expect(latest?.Selector).toBeUndefined();
    expect(call(GetParameterCommand, { Name: '/own:1' }).Parameter).toMatchObject({
      Name: '/own',
      Selector: ':1',
      Value: 'one',
      Version: 1,
    });
    expect(read('/own:prod').Parameters).toMatchObject([{ Name: '/own', Selector: ':prod', Value: 'two' }]);
    expect(read('/own:4', '/own:none').InvalidParameters).toEqual(['/own:4', '/own:none']);
    expect(() => call(GetParameterCommand, { Name: '/own:4' })).toThrow('Version or label');
    expect(() => call(GetParameterCommand, { Name: '/none:4' })).toThrow('/none:4 not found');
  });

  it('is found by its ARN, with a version or without', () => {
    const { world, read } = setUp();
    const { id } = world.release('bottlerocket/aws-ecs-2');
    world.setParameter('own', 'one', 'aws:ec2:image');
    world.setParameter('own', 'two');
    const own = 'arn:aws:ssm:eu-central-1:123456789012:parameter/own';
    const name = '/aws/service/bottlerocket/aws-ecs-2/x86_64/latest/image_id';
    expect(read(`${own}:1`).Parameters).toMatchObject([
      { Name: 'own', ARN: own, Value: 'one', Selector: ':1', DataType: 'aws:ec2:image' },
    ]);
    expect(read(`arn:aws:ssm:eu-central-1::parameter${name}`).Parameters).toMatchObject([
      { Name: name, Value: id },
    ]);
    const elsewhere = own.replace('eu-central-1', 'us-east-1');
    expect(read(elsewhere).InvalidParameters).toEqual([elsewhere]);
  });

  it('comes in the order of the names, at most ten of them', () => {
    const { world, read } = setUp();
    for (const name of ['/b', '/a']) world.setParameter(name, name);
    expect(read('/b', '/none', '/a').Parameters?.map(({ Name }) => Name)).toEqual(['/a', '/b']);
    expect(() => read(...Array.from({ length: 11 }, (_, index) => `/${index}`))).toThrow('at most 10');
  });
});

describe('a launch template with a parameter for an image', () => {
  function setUpTemplate(imageReference: string) {
    const { clock, world, call } = setUp();
    const old = world.release('amazon-linux-2023', { ageDays: 30 });
    const image = world.release('amazon-linux-2023');
    world.setParameter('/own', old.id);
    world.setParameter('/own', image.id);
    world.labelParameter('/own', 1, 'stable');
    const launchSpec = 'launch-template';
    const group = world.addGroup({ name: 'g', image, instances: 0, launchSpec, imageReference });
    // The builder pins the image's own root snapshot, with which no other image starts.
    for (const template of world.state.launchTemplates.values())
      for (const { data } of template.versions.values()) delete data.BlockDeviceMappings;
    const launch = () => {
      world.owner.setSizes('g', { maxSize: 1, desiredCapacity: 1 });
      clock.advance(60);
      const [member] = group.members.values();
      return member?.instance.imageId;
    };
    const describeImageId = (ResolveAlias: boolean) =>
      call(DescribeLaunchTemplateVersionsCommand, { LaunchTemplateName: 'g-launch-template', ResolveAlias })
        .LaunchTemplateVersions?.[0]?.LaunchTemplateData?.ImageId;
    return { world, group, old, image, launch, describeImageId };
  }

  it.each([
    ['resolve:ssm:/own', 'new'],
    ['resolve:ssm:/own:1', 'old'],
    ['resolve:ssm:/own:stable', 'old'],
    ['resolve:ssm:arn:aws:ssm:eu-central-1:123456789012:parameter/own', 'new'],
    ['resolve:ssm:arn:aws:ssm:eu-central-1:123456789012:parameter/own:1', 'old'],
    ['resolve:ssm:/aws/service/ecs/optimized-ami/amazon-linux-2023/recommended/image_id', 'new'],
  ] as const)('%s launches the %s one, and is described resolved on request', (reference, which) => {
    const { old, image, launch, describeImageId } = setUpTemplate(reference);
    const expected = which === 'new' ? image.id : old.id;
    expect(describeImageId(false)).toBe(reference);
    expect(describeImageId(true)).toBe(expected);
    expect(launch()).toBe(expected);
  });

  it.each([
    'resolve:ssm:/aws/service/ecs/optimized-ami/amazon-linux-2023/recommended',
    'resolve:ssm:/own:7',
    'resolve:ssm:/none',
  ])('launches nothing by %s, which holds no plain id', (reference) => {
    const { group, launch, describeImageId } = setUpTemplate(reference);
    expect(describeImageId(true)).toBeUndefined();
    expect(launch()).toBeUndefined();
    expect(group.activities[0]?.StatusCode).toBe('Failed');
  });

  it('launches what the parameter holds at that time', () => {
    const { world, launch } = setUpTemplate('resolve:ssm:/own');
    const newest = world.release('amazon-linux-2023');
    world.setParameter('/own', newest.id);
    expect(launch()).toBe(newest.id);
  });
});
