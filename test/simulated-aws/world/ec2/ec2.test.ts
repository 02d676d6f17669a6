import {
  CreateLaunchTemplateVersionCommand,
  CreateTagsCommand,
  DeleteLaunchTemplateVersionsCommand,
  DeleteTagsCommand,
  DescribeImagesCommand,
  DescribeInstancesCommand,
  type DescribeInstancesCommandInput,
  DescribeLaunchTemplateVersionsCommand,
  ModifyLaunchTemplateCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { GetParameterCommand, GetParametersCommand } from '@aws-sdk/client-ssm';
import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../clock/clock.ts';
import { directCalls } from '../direct-calls.ts';
import { createWorld } from '../world.ts';

function setUp(instances = 3) {
  const clock = virtualClock(Date.parse('2026-11-20T00:00:00Z'));
  const world = createWorld({ clock, seed: 1 });
  const image = world.release('amazon-linux-2023', { ageDays: 30 });
  const launchSpec = 'launch-template';
  const group = world.addGroup({ name: 'g', cluster: 'c', image, instances, launchSpec });
  const call = directCalls(world);
  const find = (input: DescribeInstancesCommandInput) =>
    (call(DescribeInstancesCommand, input).Reservations ?? []).flatMap(({ Instances = [] }) =>
      Instances.map(({ InstanceId }) => InstanceId),
    );
  const template = { LaunchTemplateName: 'g-launch-template' };
  return { clock, world, image, group, call, find, template };
}

const FIRST = 'i-00000000000000001';
const SECOND = 'i-00000000000000002';

describe('instances', () => {
  it('are filtered by id, state and tag, with wildcards', () => {
    const { call, find } = setUp();
    const Tags = [{ Key: 'ours', Value: 'yes (a+b)' }];
    call(CreateTagsCommand, { Resources: [FIRST], Tags });
    const by = (Name: string, ...Values: string[]) => find({ Filters: [{ Name, Values }] });
    expect(by('tag-key', 'ours')).toEqual([FIRST]);
    expect(by('tag:ours', 'y?s (a+*')).toEqual([FIRST]);
    expect(by('tag:ours', 'y?s (a+')).toEqual([]);
    call(CreateTagsCommand, { Resources: [SECOND], Tags: [{ Key: 'theirs', Value: '' }] });
    expect(by('tag-key', 'ours', 'their?', 'none')).toEqual([FIRST, SECOND]);
    expect(by('tag-key', 'OURS')).toEqual([]);
    expect(by('architecture', 'x86_64')).toHaveLength(3);
    expect(by('instance-id', SECOND, 'i-none')).toEqual([SECOND]);
    expect(by('instance-state-name', 'run*')).toHaveLength(3);
    expect(() => by('colour', 'red')).toThrow("The filter 'colour' is invalid");
    const many = Array.from({ length: 201 }, (_, index) => `i-${index}`);
    expect(() => by('instance-id', ...many)).toThrow('200');
  });

  it("come in pages, which can't be combined with ids", () => {
    const { call, find } = setUp(12);
    const page = call(DescribeInstancesCommand, { MaxResults: 5 });
    expect(page.Reservations).toHaveLength(5);
    expect(find({ MaxResults: 1000, NextToken: page.NextToken })).toHaveLength(7);
    expect(() => find({ InstanceIds: [FIRST], MaxResults: 5 })).toThrow('maxResults');
    expect(() => find({ InstanceIds: ['i-000000000000000ff'] })).toThrow('does not exist');
  });

  it('are described by ids of other zones alone while a zone is disrupted', () => {
    const { world, image, find } = setUp();
    const { id } = world.addInstance({ image, zone: 'b' });
    world.faults.setZoneDisrupted('b', true);
    expect(find({ InstanceIds: [FIRST] })).toEqual([FIRST]);
    for (const query of [
      {},
      { InstanceIds: [FIRST, id] },
      { Filters: [{ Name: 'instance-id', Values: [FIRST] }] },
      { Filters: [{ Name: 'tag-key', Values: ['ours'] }] },
    ])
      expect(() => find(query)).toThrow('An internal error');
    world.faults.setZoneDisrupted('b', false);
    expect(find({ InstanceIds: [id] })).toEqual([id]);
  });

  it('stay visible with their tags for about an hour after their end', () => {
    const { clock, call, find } = setUp();
    call(CreateTagsCommand, { Resources: [FIRST], Tags: [{ Key: 'ours', Value: '1' }] });
    const { TerminatingInstances: [change] = [] } = call(TerminateInstancesCommand, {
      InstanceIds: [FIRST],
    });
    expect(change?.CurrentState?.Name).toBe('shutting-down');
    clock.advance(60);
    const tagged = [{ Name: 'tag-key', Values: ['ours'] }];
    const ended = [...tagged, { Name: 'instance-state-name', Values: ['terminated'] }];
    expect(find({ Filters: ended })).toEqual([FIRST]);
    call(TerminateInstancesCommand, { InstanceIds: [FIRST] });
    clock.advance(3600);
    expect(find({ Filters: tagged })).toEqual([]);
  });

  it('are terminated all or none', () => {
    const { call, find } = setUp();
    const InstanceIds = [FIRST, 'i-000000000000000ff'];
    expect(() => call(TerminateInstancesCommand, { InstanceIds })).toThrow('does not exist');
    const running = [{ Name: 'instance-state-name', Values: ['running'] }];
    expect(find({ Filters: running })).toContain(FIRST);
  });

  it('are changed all or none, and not as long as changes do not find one that is shown', () => {
    const { world, call, find } = setUp();
    const ids = [FIRST, SECOND];
    call(CreateTagsCommand, { Resources: ids, Tags: [{ Key: 'k', Value: '1' }] });
    world.faults.setUnknownToChanges(SECOND, true);
    expect(find({ InstanceIds: ids })).toEqual(ids);
    const untag = (Resources: string[]) => () => call(DeleteTagsCommand, { Resources, Tags: [{ Key: 'k' }] });
    const terminate = (InstanceIds: string[]) => () => call(TerminateInstancesCommand, { InstanceIds });
    expect(untag(ids)).toThrow('does not exist');
    expect(terminate(ids)).toThrow('does not exist');
    const first = world.state.instances.get(FIRST);
    expect([first?.state, first?.tags.get('k')]).toEqual(['running', '1']);
    world.faults.setUnknownToChanges(SECOND, false);
    expect(untag(ids)).not.toThrow();
    expect(terminate(ids)).not.toThrow();
  });

  it('are changed a thousand at a time', () => {
    const { call } = setUp();
    const ids = Array.from({ length: 1001 }, () => FIRST);
    expect(() => call(TerminateInstancesCommand, { InstanceIds: ids })).toThrow('at most 1000');
    expect(() => call(DeleteTagsCommand, { Resources: ids })).toThrow('at most 1000');
  });

  it('that are protected keep those of their zone from being terminated', () => {
    const { world, image, call } = setUp();
    const inZone = (zone: 'a' | 'b') => world.addInstance({ image, zone });
    const [a, b, c] = [inZone('a'), inZone('b'), inZone('b')];
    world.owner.setTerminationProtection(b.id, true);
    expect(() => call(TerminateInstancesCommand, { InstanceIds: [a.id, b.id, c.id] })).toThrow(
      'may not be terminated',
    );
    expect([a, b, c].map(({ state }) => state)).toEqual(['shutting-down', 'running', 'running']);
  });

  it('lose a tag named with a value only if it has that value', () => {
    const { world, call } = setUp();
    const Resources = [FIRST];
    call(CreateTagsCommand, { Resources, Tags: [{ Key: 'k', Value: '1' }] });
    call(DeleteTagsCommand, { Resources, Tags: [{ Key: 'k', Value: '2' }] });
    expect(world.state.instances.get(FIRST)?.tags.get('k')).toBe('1');
    call(DeleteTagsCommand, { Resources, Tags: [{ Key: 'k' }] });
    expect(world.state.instances.get(FIRST)?.tags.has('k')).toBe(false);
    expect(() => call(CreateTagsCommand, { Resources, Tags: [{ Key: 'aws:x' }] })).toThrow('aws:');
  });
});

describe('images and parameters', () => {
  it('of a family are recommended in a JSON string, whose fields are sub-paths', () => {
    const { world, call, image } = setUp();
    const path = '/aws/service/ecs/optimized-ami/amazon-linux-2023/recommended';
    const recommended = () => JSON.parse(call(GetParameterCommand, { Name: path }).Parameter?.Value ?? '');
    expect(recommended()).toMatchObject({
      image_id: image.id,
      image_name: 'al2023-ami-ecs-hvm-2023.0.20261021-kernel-6.1-x86_64',
    });
    const newer = world.release('amazon-linux-2023');
    expect(recommended().image_id).toBe(newer.id);
    const names = { Names: [`${path}/image_id`, '/none'] };
    const answer = call(GetParametersCommand, names);
    expect(answer.Parameters?.map(({ Value }) => Value)).toEqual([newer.id]);
    expect(answer.InvalidParameters).toEqual(['/none']);
    const none = { Name: '/none' };
    expect(() => call(GetParameterCommand, none)).toThrow('not found');
  });

  it('are found by owner and name, and no longer once deregistered', () => {
    const { world, call, image } = setUp();
    const own = world.addImage('own-2026');
    const search = (owner: string, name: string) =>
      call(DescribeImagesCommand, {
        Owners: [owner],
        Filters: [{ Name: 'name', Values: [name] }],
      }).Images?.map(({ ImageId }) => ImageId);
    expect(search('amazon', 'al2023-ami-ecs-hvm-*')).toEqual([image.id]);
    expect(search('self', '*')).toEqual([own.id]);
    expect(search('123456789012', '*')).toEqual([own.id]);
    world.owner.deregisterImage(own.id);
    expect(search('self', '*')).toEqual([]);
    expect(() => call(DescribeImagesCommand, { ImageIds: [own.id] })).toThrow('does not exist');
  });
});

describe('a launch template', () => {
  it('gets a version that inherits all but the snapshots, once for each client token', () => {
    const { world, call, template } = setUp();
    const newer = world.release('amazon-linux-2023');
    const create = () =>
      call(CreateLaunchTemplateVersionCommand, {
        ...template,
        SourceVersion: '1',
        ClientToken: 'token',
        LaunchTemplateData: { ImageId: newer.id },
      }).LaunchTemplateVersion;
    expect(create()?.VersionNumber).toBe(2);
    expect(create()?.VersionNumber).toBe(2);
    const data = create()?.LaunchTemplateData;
    expect(data).toMatchObject({
      ImageId: newer.id,
      InstanceType: 'm5.large',
      IamInstanceProfile: { Name: 'ecsInstanceRole' },
    });
    const root = data?.BlockDeviceMappings?.[0]?.Ebs;
    expect(root).toMatchObject({ VolumeSize: 50, Encrypted: true });
    expect(root).not.toHaveProperty('SnapshotId');
  });

  it('gets a version with a warning for each volume that is made from neither a snapshot nor a size, or is encrypted besides', () => {
    const { call, template } = setUp();
    const mapping = (DeviceName: string, Ebs: object) => ({ DeviceName, Ebs });
    const warned = (...BlockDeviceMappings: ReturnType<typeof mapping>[]) => {
      const { LaunchTemplateVersion: made, Warning } = call(CreateLaunchTemplateVersionCommand, {
        ...template,
        LaunchTemplateData: { BlockDeviceMappings },
      });
      expect(made?.VersionNumber).toBeGreaterThan(1);
      return Warning?.Errors?.map(({ Message }) => Message?.split(' ')[0]);
    };
    const SnapshotId = 'snap-0000000000000da7a';
    expect(
      warned(mapping('/dev/a', { SnapshotId }), mapping('/dev/b', { VolumeSize: 1, Encrypted: true })),
    ).toBe(undefined);
    expect(
      warned(mapping('/dev/a', { VolumeType: 'gp3' }), mapping('/dev/b', { SnapshotId, Encrypted: false })),
    ).toEqual(['/dev/a', '/dev/b']);
  });

  it('shows a brand-new version to nobody for a while', () => {
    const { world, call, template, image } = setUp();
    call(CreateLaunchTemplateVersionCommand, { ...template, LaunchTemplateData: { ImageId: image.id } });
    const [made] = [...world.state.launchTemplates.values()];
    const version = made?.versions.get(2);
    if (!version) throw new Error('no version');
    const find = (query: object) =>
      call(DescribeLaunchTemplateVersionsCommand, { ...template, ...query }).LaunchTemplateVersions?.map(
        ({ VersionNumber }) => VersionNumber,
      );
    world.faults.setUnseen(version, true);
    expect(() => find({ Versions: ['2'] })).toThrow('specified version 2');
    expect(() => call(ModifyLaunchTemplateCommand, { ...template, DefaultVersion: '2' })).toThrow(
      'version 2',
    );
    expect([find({}), find({ Versions: ['$Latest'] })]).toEqual([[1], [1]]);
    world.faults.setUnseen(version, false);
    expect([find({}), find({ Versions: ['$Latest'] })]).toEqual([[2, 1], [2]]);
  });

  it('gets no version by a client token of more than 64 characters', () => {
    const { call, template, image } = setUp();
    const create = (length: number) => () =>
      call(CreateLaunchTemplateVersionCommand, {
        ...template,
        ClientToken: 't'.repeat(length),
        LaunchTemplateData: { ImageId: image.id },
      });
    expect(create(65)).toThrow('ClientToken');
    expect(create(64)).not.toThrow();
  });

  it('gives versions by number, $Latest and $Default', () => {
    const { call, template, image } = setUp();
    const LaunchTemplateData = { ImageId: image.id };
    for (let count = 0; count < 4; count++)
      call(CreateLaunchTemplateVersionCommand, { ...template, LaunchTemplateData });
    call(ModifyLaunchTemplateCommand, { ...template, DefaultVersion: '2' });
    const numbers = (query: object) =>
      call(DescribeLaunchTemplateVersionsCommand, {
        ...template,
        ...query,
      }).LaunchTemplateVersions?.map(({ VersionNumber }) => VersionNumber);
    expect(numbers({ Versions: ['$Latest', '$Default', '3'] })).toEqual([5, 2, 3]);
    expect(numbers({ MinVersion: '2', MaxVersion: '4' })).toEqual([4, 3, 2]);
    expect(() => numbers({ Versions: ['9'] })).toThrow('specified version 9');
  });

  it('loses old versions, never the default one', () => {
    const { call, template, image } = setUp();
    const LaunchTemplateData = { ImageId: image.id };
    call(CreateLaunchTemplateVersionCommand, { ...template, LaunchTemplateData });
    const answer = call(DeleteLaunchTemplateVersionsCommand, {
      ...template,
      Versions: ['1', '2', '7'],
    });
    const deleted = answer.SuccessfullyDeletedLaunchTemplateVersions;
    expect(deleted?.map(({ VersionNumber }) => VersionNumber)).toEqual([2]);
    expect(answer.UnsuccessfullyDeletedLaunchTemplateVersions).toHaveLength(2);
    const latest = call(DescribeLaunchTemplateVersionsCommand, { ...template, Versions: ['$Latest'] });
    expect(latest.LaunchTemplateVersions).toMatchObject([{ VersionNumber: 1 }]);
    const next = call(CreateLaunchTemplateVersionCommand, { ...template, LaunchTemplateData });
    expect(next.LaunchTemplateVersion?.VersionNumber).toBe(3);
  });
});
