import {
  AttachInstancesCommand,
  AutoScalingClient,
  CreateOrUpdateTagsCommand,
  DeleteTagsCommand,
  DetachInstancesCommand,
  ResumeProcessesCommand,
  SetInstanceHealthCommand,
  SuspendProcessesCommand,
  TerminateInstanceInAutoScalingGroupCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { describe, expect, test } from 'vitest';
import {
  attachInstances,
  detachInstances,
  resumeProcesses,
  setHealthy,
  setSizes,
  suspendProcesses,
  terminateMembers,
  useLaunchConfiguration,
  useTemplateVersion,
} from '../../lambda/aws/autoscaling-changes.ts';
import { StaleObservation } from '../../lambda/aws/errors.ts';
import { tagGroup, untagGroup } from '../../lambda/aws/group-tag-changes.ts';
import { LaunchSpecRefused } from '../../lambda/aws/refused.ts';
import { mocked } from './mocked.ts';
import { refusal } from './refusal.ts';
import { sealedAws } from './sealed-aws.ts';

const api = mocked(AutoScalingClient);
const aws = sealedAws();

const inputs = () => api.calls().map(({ args: [{ input }] }) => input);

describe('a group', () => {
  test('gets tags that its instances do not inherit', async () => {
    api.on(CreateOrUpdateTagsCommand).resolves({});
    await tagGroup(aws, { cluster: 'web', group: 'web', uuid: '' }, { a: 'b' });
    const tag = { ResourceId: 'web', ResourceType: 'auto-scaling-group', Key: 'a', Value: 'b' };
    expect(inputs()).toEqual([{ Tags: [{ ...tag, PropagateAtLaunch: false }] }]);
  });

  test('loses only the tags that are named, whatever their values', async () => {
    api.on(DeleteTagsCommand).resolves({});
    await untagGroup(aws, 'web', ['a', 'b']);
    const group = { ResourceId: 'web', ResourceType: 'auto-scaling-group' };
    expect(inputs()).toEqual([{ Tags: ['a', 'b'].map((Key) => ({ ...group, Key })) }]);
  });

  test('gets both sizes at once, and keeps its minimum', async () => {
    api.on(UpdateAutoScalingGroupCommand).resolves({});
    await setSizes(aws, 'web', { desiredCapacity: 6, maxSize: 8 });
    expect(inputs()).toEqual([{ AutoScalingGroupName: 'web', DesiredCapacity: 6, MaxSize: 8 }]);
  });

  test('gets only the named processes suspended and resumed', async () => {
    api.on(SuspendProcessesCommand).resolves({}).on(ResumeProcessesCommand).resolves({});
    await suspendProcesses(aws, 'web', ['AZRebalance', 'InstanceRefresh']);
    await resumeProcesses(aws, 'web', ['AZRebalance']);
    expect(inputs()).toEqual([
      { AutoScalingGroupName: 'web', ScalingProcesses: ['AZRebalance', 'InstanceRefresh'] },
      { AutoScalingGroupName: 'web', ScalingProcesses: ['AZRebalance'] },
    ]);
  });

  test('gets another launch configuration, or version of its template, by id', async () => {
    api.on(UpdateAutoScalingGroupCommand).resolves({});
    await useLaunchConfiguration(aws, 'web', 'new');
    await useTemplateVersion(aws, 'web', 'lt-1', 4);
    expect(inputs()).toEqual([
      { AutoScalingGroupName: 'web', LaunchConfigurationName: 'new' },
      { AutoScalingGroupName: 'web', LaunchTemplate: { LaunchTemplateId: 'lt-1', Version: '4' } },
    ]);
  });
});

describe('members', () => {
  test('are set healthy, one in a call; one that is no longer a member is looked up again', async () => {
    api.on(SetInstanceHealthCommand).resolves({});
    await setHealthy(aws, ['i-1', 'i-2']);
    expect(inputs()).toEqual(['i-1', 'i-2'].map((InstanceId) => ({ InstanceId, HealthStatus: 'Healthy' })));
    api
      .on(SetInstanceHealthCommand)
      .rejects(await refusal('autoscaling', 'ValidationError', 'Instance Id not found'));
    await expect(setHealthy(aws, ['i-1'])).rejects.toThrow(StaleObservation);
  });

  test.each([true, false])(
    'are detached, with or without lowering the desired capacity: %s',
    async (decrement) => {
      api.on(DetachInstancesCommand).resolves({});
      await detachInstances(aws, 'web', ['i-1', 'i-2'], decrement);
      const rest = { AutoScalingGroupName: 'web', ShouldDecrementDesiredCapacity: decrement };
      expect(inputs()).toEqual([{ ...rest, InstanceIds: ['i-1', 'i-2'] }]);
    },
  );

  test('are attached twenty at a time', async () => {
    api.on(AttachInstancesCommand).resolves({});
    const ids = Array.from({ length: 21 }, (_, index) => `i-${index}`);
    await attachInstances(aws, 'web', ids);
    expect(inputs()).toEqual([
      { AutoScalingGroupName: 'web', InstanceIds: ids.slice(0, 20) },
      { AutoScalingGroupName: 'web', InstanceIds: ['i-20'] },
    ]);
  });

  test('are terminated one by one through their group, which launches as many', async () => {
    api.on(TerminateInstanceInAutoScalingGroupCommand).resolves({});
    await terminateMembers(aws, ['i-1', 'i-2'], false);
    expect(inputs()).toEqual([
      { InstanceId: 'i-1', ShouldDecrementDesiredCapacity: false },
      { InstanceId: 'i-2', ShouldDecrementDesiredCapacity: false },
    ]);
  });

  test('that left by themselves keep those after them from being terminated until the next look', async () => {
    api
      .on(TerminateInstanceInAutoScalingGroupCommand)
      .rejects(
        await refusal('autoscaling', 'ValidationError', 'Instance Id not found - No managed instance found'),
      );
    await expect(terminateMembers(aws, ['i-1', 'i-2'], false)).rejects.toThrow(StaleObservation);
    expect(api.calls()).toHaveLength(1);
  });
});

const SIZES = { desiredCapacity: 6, maxSize: 8 };
const CHANGES: Readonly<Record<string, () => Promise<void>>> = {
  tagGroup: () => tagGroup(aws, { cluster: 'web', group: 'web', uuid: '' }, { a: 'b' }),
  untagGroup: () => untagGroup(aws, 'web', ['a']),
  setSizes: () => setSizes(aws, 'web', SIZES),
  suspendProcesses: () => suspendProcesses(aws, 'web', ['AZRebalance']),
  resumeProcesses: () => resumeProcesses(aws, 'web', ['AZRebalance']),
  useLaunchConfiguration: () => useLaunchConfiguration(aws, 'web', 'new'),
  useTemplateVersion: () => useTemplateVersion(aws, 'web', 'lt-1', 4),
  attachInstances: () => attachInstances(aws, 'web', ['i-1']),
  detachInstances: () => detachInstances(aws, 'web', ['i-1'], true),
  terminateMembers: () => terminateMembers(aws, ['i-1'], false),
};
const CHECKED = ['setSizes', 'attachInstances', 'detachInstances', 'terminateMembers'];

describe.each(Object.entries(CHANGES))('%s', (name, change) => {
  test.each(['ScalingActivityInProgress', 'ResourceContention', 'ResourceInUse'])(
    'is decided again after %s',
    async (code) => {
      api.onAnyCommand().rejects(await refusal('autoscaling', code, 'busy'));
      await expect(change()).rejects.toThrow(StaleObservation);
      await expect(change()).rejects.toThrow(`${code}Fault: busy`);
    },
  );

  test("passes on a refusal that another look can't fix", async () => {
    api.onAnyCommand().rejects(await refusal('autoscaling', 'AccessDenied', 'not authorized'));
    await expect(change()).rejects.toThrow('not authorized');
    await expect(change()).rejects.not.toThrow(StaleObservation);
  });

  // A member that has left, or a size out of bounds, gets the same code as a malformed request.
  test(`${CHECKED.includes(name) ? 'is' : 'is not'} decided again after a ValidationError`, async () => {
    api.onAnyCommand().rejects(await refusal('autoscaling', 'ValidationError', 'refused'));
    const error = await change().catch((thrown: unknown) => thrown);
    expect(error instanceof StaleObservation).toBe(CHECKED.includes(name));
  });
});

describe.each(['useLaunchConfiguration', 'useTemplateVersion'])('%s', (name) => {
  const refused = async (message: string) => {
    api.onAnyCommand().rejects(await refusal('autoscaling', 'ValidationError', message));
    return CHANGES[name]?.().catch((error: unknown) => error);
  };

  test("that AWS refuses because of the launch spec says so, in AWS's words", async () => {
    const error = await refused('You must use a valid fully-formed launch template. Invalid key pair.');
    expect(error).toBeInstanceOf(LaunchSpecRefused);
    expect(error).toMatchObject({
      message:
        "AWS refuses the group's new launch spec: ValidationError: You must use a valid fully-formed launch template. " +
        'Invalid key pair; fix its launch configuration or launch template, or choose another image with IMAGE',
    });
  });

  test('that AWS refuses for lack of a permission says what to add', async () => {
    const error = await refused(
      'User: arn:x is not authorized to perform: ec2:RunInstances on resource: arn:y.',
    );
    expect(error).toMatchObject({
      message: expect.stringContaining('not allowed to ec2:RunInstances on arn:y'),
      fault: { kind: 'denied' },
    });
  });

  test('is decided again if the group is gone', async () => {
    const error = await refused('AutoScalingGroup name not found - no such group');
    expect(error).toBeInstanceOf(StaleObservation);
  });
});
