import {
  CreateLaunchTemplateCommand,
  CreateLaunchTemplateVersionCommand,
  CreateTagsCommand,
  CreateVolumeCommand,
  DeleteLaunchTemplateVersionsCommand,
  DeleteSnapshotCommand,
  DeleteTagsCommand,
  DeleteVolumeCommand,
  DescribeImagesCommand,
  DescribeInstanceAttributeCommand,
  DescribeInstancesCommand,
  DescribeInstanceTypesCommand,
  DescribeLaunchTemplateVersionsCommand,
  DescribeSubnetsCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../clock/clock.ts';
import { directCalls } from '../direct-calls.ts';
import { createWorld } from '../world.ts';

function setUp() {
  const world = createWorld({ clock: virtualClock(Date.parse('2026-11-20T00:00:00Z')), seed: 1 });
  const image = world.release('amazon-linux-2023', { ageDays: 30 });
  world.addGroup({ name: 'g', cluster: 'c', image, instances: 2, launchSpec: 'launch-template' });
  return { world, image, call: directCalls(world), template: { LaunchTemplateName: 'g-launch-template' } };
}

const FIRST = 'i-00000000000000001';
const refusal = (code: string) => expect.objectContaining({ code });
const texts = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

describe('filters', () => {
  const filter = (Name: string, count: number) => ({ Name, Values: texts(count, 'i-') });

  it('are at most 50, with 200 values in all', () => {
    const { call } = setUp();
    const find =
      (...Filters: object[]) =>
      () =>
        call(DescribeInstancesCommand, { Filters });
    expect(find(filter('instance-id', 197), filter('image-id', 3))).not.toThrow();
    expect(find(filter('instance-id', 197), filter('image-id', 4))).toThrow(refusal('FilterLimitExceeded'));
    expect(find(...texts(50, 'tag:').map((name) => filter(name, 1)))).not.toThrow();
    expect(find(...texts(51, 'tag:').map((name) => filter(name, 1)))).toThrow(refusal('FilterLimitExceeded'));
  });

  it('have at most 255 characters, and names that there are', () => {
    const { call } = setUp();
    const find = (Name: string, ...Values: string[]) => {
      return () => call(DescribeInstancesCommand, { Filters: [{ Name, Values }] });
    };
    expect(find('image-id', 'x'.repeat(255))).not.toThrow();
    expect(find('image-id', 'x'.repeat(256))).toThrow(refusal('InvalidParameterValue'));
    expect(find('colour', 'red')).toThrow(refusal('InvalidParameterValue'));
  });
});

describe('a page', () => {
  it('has a size within its bounds, and a token that was given out', () => {
    const { call } = setUp();
    for (const MaxResults of [4, 1001])
      expect(() => call(DescribeInstancesCommand, { MaxResults })).toThrow(refusal('InvalidParameterValue'));
    expect(() => call(DescribeInstancesCommand, { NextToken: 'mine' })).toThrow(refusal('InvalidNextToken'));
  });

  it("can't be combined with ids or names", () => {
    const { call, image } = setUp();
    const refused = refusal('InvalidParameterCombination');
    const MaxResults = 5;
    const SubnetIds = ['subnet-00000000000000001'];
    expect(() => call(DescribeImagesCommand, { ImageIds: [image.id], MaxResults })).toThrow(refused);
    expect(() => call(DescribeSubnetsCommand, { SubnetIds, MaxResults })).toThrow(refused);
    const InstanceTypes = ['m5.large' as const];
    expect(() => call(DescribeInstanceTypesCommand, { InstanceTypes, MaxResults })).toThrow(refused);
  });
});

describe('what is named', () => {
  it('must be well formed, and be there', () => {
    const { call } = setUp();
    const refused = (ask: () => unknown, code: string) => expect(ask).toThrow(refusal(code));
    const instance = (id: string) => () => call(TerminateInstancesCommand, { InstanceIds: [id] });
    refused(instance('i-nonsense'), 'InvalidInstanceID.Malformed');
    refused(instance('i-000000000000000ff'), 'InvalidInstanceID.NotFound');
    const image = (id: string) => () => call(DescribeImagesCommand, { ImageIds: [id] });
    refused(image('ami-nonsense'), 'InvalidAMIID.Malformed');
    refused(image('ami-000000000000000ff'), 'InvalidAMIID.NotFound');
    refused(() => call(DescribeImagesCommand, { Owners: ['somebody'] }), 'InvalidUserID.Malformed');
    const SubnetIds = ['subnet-000000000000000ff'];
    refused(() => call(DescribeSubnetsCommand, { SubnetIds }), 'InvalidSubnetID.NotFound');
    const VolumeId = 'vol-000000000000000ff';
    refused(() => call(DeleteVolumeCommand, { VolumeId }), 'InvalidVolume.NotFound');
    const SnapshotId = 'snap-000000000000000ff';
    refused(() => call(DeleteSnapshotCommand, { SnapshotId }), 'InvalidSnapshot.NotFound');
  });

  it('of instance types is at most 100, all of which there are', () => {
    const { call } = setUp();
    const find = (...InstanceTypes: string[]) => {
      return () => call(DescribeInstanceTypesCommand, { InstanceTypes: InstanceTypes as never });
    };
    expect(find('m5.large', 'x9.large')).toThrow(refusal('InvalidInstanceType'));
    expect(find(...Array<string>(101).fill('m5.large'))).toThrow(refusal('InvalidParameterValue'));
  });

  it('as an attribute is one that is simulated', () => {
    const { call } = setUp();
    const ask = () => call(DescribeInstanceAttributeCommand, { InstanceId: FIRST, Attribute: 'userData' });
    expect(ask).toThrow('not simulated');
  });

  it('a volume is made from a size or a snapshot', () => {
    const { call } = setUp();
    const make = () => call(CreateVolumeCommand, { AvailabilityZone: 'eu-central-1a' });
    expect(make).toThrow(refusal('MissingParameter'));
  });
});

describe('tags of an instance', () => {
  const tagged = (keys: readonly string[], Value = '') => ({
    Resources: [FIRST],
    Tags: keys.map((Key) => ({ Key, Value })),
  });

  it("are at most 50, but for AWS's own", () => {
    const { world, call } = setUp();
    const tags = () => world.state.instances.get(FIRST)?.tags ?? new Map<string, string>();
    const own = () => [...tags().keys()].filter((key) => !key.startsWith('aws:')).length;
    expect(own()).toBeLessThan(tags().size);
    const free = 50 - own();
    call(CreateTagsCommand, tagged(texts(free, 'k')));
    call(CreateTagsCommand, tagged(['k0'], 'another value'));
    expect(() => call(CreateTagsCommand, tagged(['k0', 'more']))).toThrow(refusal('TagLimitExceeded'));
    expect([own(), tags().get('k0')]).toEqual([50, 'another value']);
    call(DeleteTagsCommand, { Resources: [FIRST], Tags: [{ Key: 'k0' }] });
    expect(() => call(CreateTagsCommand, tagged(['more']))).not.toThrow();
  });

  it('have keys of 128 characters and values of 256 at most', () => {
    const { call } = setUp();
    const create = (key: string, value: string) => () => call(CreateTagsCommand, tagged([key], value));
    expect(create('ü'.repeat(128), 'ü'.repeat(256))).not.toThrow();
    expect(create('k'.repeat(129), '')).toThrow(refusal('InvalidParameterValue'));
    expect(create('k', 'v'.repeat(257))).toThrow(refusal('InvalidParameterValue'));
  });

  it("have keys, and none of AWS's, which are never written nor deleted", () => {
    const { world, call } = setUp();
    for (const key of ['', 'aws:x'])
      for (const Command of [CreateTagsCommand, DeleteTagsCommand])
        expect(() => call(Command, tagged([key]))).toThrow(refusal('InvalidTagKey.Malformed'));
    call(DeleteTagsCommand, { Resources: [FIRST] });
    expect([...(world.state.instances.get(FIRST)?.tags.keys() ?? [])]).toContain('aws:autoscaling:groupName');
  });

  it('are written on ids only, and deleted a thousand at a time', () => {
    const { call } = setUp();
    const Tags = [{ Key: 'k', Value: '' }];
    expect(() => call(CreateTagsCommand, { Resources: ['nonsense'], Tags })).toThrow(refusal('InvalidID'));
    const most = (count: number) => () => call(DeleteTagsCommand, tagged(texts(count, 'k')));
    expect(most(1000)).not.toThrow();
    expect(most(1001)).toThrow(refusal('InvalidParameterValue'));
  });
});

describe('a launch template', () => {
  const LaunchTemplateData = { InstanceType: 'm5.large' } as const;

  it('is named by its id or its name, not by both, and is there', () => {
    const { call, template } = setUp();
    const find = (input: object) => () => call(DescribeLaunchTemplateVersionsCommand, input);
    const LaunchTemplateId = 'lt-000000000000000ff';
    expect(find({ LaunchTemplateId })).toThrow(refusal('InvalidLaunchTemplateId.NotFound'));
    expect(find({ LaunchTemplateName: 'none' })).toThrow(
      refusal('InvalidLaunchTemplateName.NotFoundException'),
    );
    expect(find({ ...template, LaunchTemplateId })).toThrow(refusal('InvalidParameterCombination'));
    expect(() => call(CreateLaunchTemplateVersionCommand, { LaunchTemplateData })).toThrow(
      refusal('MissingParameter'),
    );
    expect(find({ Versions: ['1'] })).toThrow(refusal('MissingParameter'));
    expect(find({ ...template, Versions: ['9'] })).toThrow(
      refusal('InvalidLaunchTemplateId.VersionNotFound'),
    );
  });

  it('has a name of its own', () => {
    const { call } = setUp();
    const create = (LaunchTemplateName: string) => () =>
      call(CreateLaunchTemplateCommand, { LaunchTemplateName, LaunchTemplateData });
    expect(create('mine')).not.toThrow();
    expect(create('mine')).toThrow(refusal('InvalidLaunchTemplateName.AlreadyExistsException'));
  });

  it('gets a version of some data, and by each client token the same', () => {
    const { call, template } = setUp();
    const create = (data: object) => () =>
      call(CreateLaunchTemplateVersionCommand, {
        ...template,
        ClientToken: 'token',
        LaunchTemplateData: data,
      });
    expect(create({})).toThrow(refusal('MissingParameter'));
    expect(create(LaunchTemplateData)).not.toThrow();
    expect(create(LaunchTemplateData)).not.toThrow();
    expect(create({ InstanceType: 'm6g.large' })).toThrow(refusal('IdempotentParameterMismatch'));
  });

  it('loses at most 200 versions in a call', () => {
    const { call, template } = setUp();
    const Versions = Array<string>(201).fill('7');
    const remove = (count: number) => () =>
      call(DeleteLaunchTemplateVersionsCommand, { ...template, Versions: Versions.slice(0, count) });
    expect(remove(200)).not.toThrow();
    expect(remove(201)).toThrow(refusal('InvalidParameterValue'));
  });
});
