import {
  AttachInstancesCommand,
  AutoScalingClient,
  CreateOrUpdateTagsCommand,
  DeleteTagsCommand,
  DescribeAutoScalingGroupsCommand,
  DescribeWarmPoolCommand,
  ResumeProcessesCommand,
  type Tag,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { EC2Client, TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import {
  DescribeContainerInstancesCommand,
  ECSClient,
  StopTaskCommand,
  UpdateContainerInstancesStateCommand,
} from '@aws-sdk/client-ecs';
import { describe, expect, test } from 'vitest';
import { act as actAt } from '../../lambda/act/act.ts';
import type { Target } from '../../lambda/act/target.ts';
import { StaleObservation } from '../../lambda/aws/errors.ts';
import { GROUP_TAGS, type Tags } from '../../lambda/contract.ts';
import type { Action } from '../../lambda/core/actions/decision.ts';
import { NO_CHANGES, type TemporaryChanges } from '../../lambda/core/model/roll.ts';
import type { Sizes } from '../../lambda/core/reasons/steps.ts';
import { changesTags } from '../../lambda/tags/changes-tags.ts';
import { ROLL_TAG_KEYS } from '../../lambda/tags/roll-tags.ts';
import { openGroupTags } from '../../lambda/tags/trusted-tags.ts';
import { containerInstance } from '../aws/container-instance.ts';
import { describedGroup, UUID } from '../aws/described-group.ts';
import { mocked } from '../aws/mocked.ts';
import { sealedAws } from '../aws/sealed-aws.ts';
import { deployedSeal, BEGUN as FIRST, sealedTags } from '../sealed.ts';

const act = (client: Parameters<typeof actAt>[0], target: Target, action: Action) =>
  actAt(client, target, action, new Date(0));

const api = mocked(AutoScalingClient);
const aws = sealedAws();
const ecs = mocked(ECSClient);
const ec2 = mocked(EC2Client);

const TARGET = { cluster: 'web', group: 'web', uuid: UUID, begun: FIRST };

const SIZES: Sizes = { desiredCapacity: 2, maxSize: 4 };
const SUSPENDED: TemporaryChanges = { ...NO_CHANGES, suspended: ['AZRebalance'] };

/** A roll has begun there. */
const BEGUN = { 'ecs-ami-deploy-cluster': 'web', 'ecs-ami-deploy-started-at': FIRST.toISOString() };

/** What has changed, and no more: others may write the rest at the same time. */
const ONLY_SUSPENDED = {
  'ecs-ami-deploy-cluster': 'web',
  'ecs-ami-deploy-started-at': FIRST.toISOString(),
  'ecs-ami-deploy-suspended': 'AZRebalance',
};

const ARN = `${describedGroup().AutoScalingGroupARN}`;

/** As AWS has tags that were written for the cluster that they name. */
function listed(tags: Tags) {
  const sealed = sealedTags({ arn: ARN }, tags[GROUP_TAGS.cluster] ?? '', tags);
  return Object.entries(sealed).map(([Key, Value]) => ({ Key, Value }));
}

/** What was written, as the function will read it. */
function readBack(written: readonly Tag[]): Tags {
  const tags = Object.fromEntries(written.map(({ Key = '', Value = '' }) => [Key, Value]));
  return openGroupTags(deployedSeal, UUID, tags, ['web']).tags;
}

/** Records a hold on a group that bears such tags, and answers what it then is to bear. */
async function recorded(
  tags: Tags,
  { group = {}, ...parts }: { sizes?: Sizes; group?: Parameters<typeof describedGroup>[0] } = {},
) {
  api
    .on(DescribeAutoScalingGroupsCommand)
    .resolves({ AutoScalingGroups: [describedGroup({ Tags: listed(tags), ...group })] })
    .on(CreateOrUpdateTagsCommand)
    .resolves({});
  await act(aws, TARGET, {
    kind: 'record-changes',
    group: 'web',
    before: NO_CHANGES,
    changes: SUSPENDED,
    ...parts,
  });
  const written = api.commandCalls(CreateOrUpdateTagsCommand)[0]?.args[0].input.Tags ?? [];
  return readBack(written);
}

describe('what must be given back is recorded', () => {
  test('on a group that says what was seen, with the sizes that were seen', async () => {
    const tags = changesTags('web', NO_CHANGES);
    expect(await recorded(tags, { sizes: SIZES })).toEqual(ONLY_SUSPENDED);
  });

  test('on a group that says nothing of it yet', async () => {
    expect(await recorded(BEGUN)).toEqual(ONLY_SUSPENDED);
  });

  test.each([
    ['says something else by now', changesTags('web', SUSPENDED), {}],
    ['is rolled for another cluster', changesTags('jobs', NO_CHANGES), {}],
    ['has been cleared of our tags', {}, {}],
    [
      'has another desired capacity',
      changesTags('web', NO_CHANGES),
      { sizes: { ...SIZES, desiredCapacity: 3 } },
    ],
    ['has another maximum size', changesTags('web', NO_CHANGES), { sizes: { ...SIZES, maxSize: 5 } }],
  ])('never on a group that %s', async (_, tags, parts) => {
    await expect(recorded(tags, parts)).rejects.toThrow(StaleObservation);
    expect(api.commandCalls(CreateOrUpdateTagsCommand)).toHaveLength(0);
  });

  test('never as ours what somebody has suspended since the look', async () => {
    const SuspendedProcesses = SUSPENDED.suspended.map((ProcessName) => ({ ProcessName }));
    await expect(recorded(BEGUN, { group: { SuspendedProcesses } })).rejects.toThrow(StaleObservation);
    expect(api.commandCalls(CreateOrUpdateTagsCommand)).toHaveLength(0);
  });

  test('never on a group that is gone', async () => {
    api.on(DescribeAutoScalingGroupsCommand).resolves({ AutoScalingGroups: [] });
    const action = { kind: 'record-changes', group: 'web', before: NO_CHANGES, changes: SUSPENDED } as const;
    await expect(act(aws, TARGET, action)).rejects.toThrow(StaleObservation);
  });
});

describe('a size that is noted is set', () => {
  const to = (desiredCapacity: number): TemporaryChanges => ({
    ...NO_CHANGES,
    addedSizes: {
      ...NO_CHANGES.addedSizes,
      change: { from: SIZES, to: { desiredCapacity, maxSize: 4 }, marked: 0 },
    },
  });

  async function set(noted: TemporaryChanges): Promise<object[]> {
    const tags = { ...BEGUN, ...changesTags('web', to(4)) };
    api
      .on(DescribeAutoScalingGroupsCommand)
      .resolves({ AutoScalingGroups: [describedGroup({ Tags: listed(tags) })] })
      .on(UpdateAutoScalingGroupCommand)
      .resolves({});
    await act(aws, TARGET, { kind: 'set-sizes', group: 'web', desiredCapacity: 4, noted });
    return api.commandCalls(UpdateAutoScalingGroupCommand).map(({ args: [{ input }] }) => input);
  }

  test('while the record is there', async () => {
    expect(await set(to(4))).toEqual([{ AutoScalingGroupName: 'web', DesiredCapacity: 4 }]);
  });

  test('not once another invocation has written over it', async () => {
    await expect(set(to(3))).rejects.toThrow(StaleObservation);
    expect(api.commandCalls(UpdateAutoScalingGroupCommand)).toEqual([]);
  });
});

describe('a process is resumed', () => {
  async function resume(noted?: TemporaryChanges): Promise<number> {
    const tags = { ...BEGUN, ...changesTags('web', SUSPENDED) };
    api
      .on(DescribeAutoScalingGroupsCommand)
      .resolves({ AutoScalingGroups: [describedGroup({ Tags: listed(tags) })] })
      .on(ResumeProcessesCommand)
      .resolves({});
    const processes = ['AlarmNotification'];
    await act(aws, TARGET, { kind: 'resume-processes', group: 'web', processes, ...(noted && { noted }) });
    return api.commandCalls(ResumeProcessesCommand).length;
  }

  test('while the record is there, or nothing records it', async () => {
    expect(await resume(SUSPENDED)).toBe(1);
    api.resetHistory();
    expect(await resume()).toBe(1);
  });

  test('not once another invocation, which may need it, has written over it', async () => {
    await expect(resume({ ...SUSPENDED, suspended: ['AlarmNotification'] })).rejects.toThrow(
      StaleObservation,
    );
    expect(api.commandCalls(ResumeProcessesCommand)).toEqual([]);
  });
});

describe('a note of what was suspended is dropped', () => {
  const noted = listed(changesTags('web', SUSPENDED));
  const drop = { kind: 'record-changes', group: 'web', before: SUSPENDED, changes: NO_CHANGES } as const;
  /** What the tag says after each write, while the group shows such processes in the end. */
  const dropped = async (...suspendedInTheEnd: string[]) => {
    const SuspendedProcesses = suspendedInTheEnd.map((ProcessName) => ({ ProcessName }));
    api
      .on(DescribeAutoScalingGroupsCommand)
      .resolvesOnce({ AutoScalingGroups: [describedGroup({ Tags: noted })] })
      .resolves({ AutoScalingGroups: [describedGroup({ SuspendedProcesses })] })
      .on(CreateOrUpdateTagsCommand)
      .resolves({});
    const heard: (string | undefined)[] = [];
    const target = { ...TARGET, wrote: (tags: Partial<Tags>) => void heard.push(tags[GROUP_TAGS.suspended]) };
    const outcome = await act(aws, target, drop).catch((error: unknown) => error);
    const written = api
      .commandCalls(CreateOrUpdateTagsCommand)
      .map(({ args: [{ input }] }) => readBack(input.Tags ?? [])['ecs-ami-deploy-suspended']);
    // The look after it may be from between the two.
    expect(heard).toEqual(written);
    return { written, isOvertaken: outcome instanceof StaleObservation };
  };

  test('for good, where it runs', async () => {
    expect(await dropped('Launch')).toEqual({ written: ['none'], isOvertaken: false });
  });

  test('and put back, where another invocation has suspended it again', async () => {
    expect(await dropped('AZRebalance')).toEqual({ written: ['none', 'AZRebalance'], isOvertaken: true });
  });
});

/** Carries an action out on a group that bears such tags, and answers which tags it gets and loses. */
async function changed(action: Action, tags: Tags = BEGUN) {
  api
    .on(DescribeAutoScalingGroupsCommand)
    .resolves({ AutoScalingGroups: [describedGroup({ Tags: listed(tags) })] })
    .on(CreateOrUpdateTagsCommand)
    .resolves({})
    .on(DeleteTagsCommand)
    .resolves({});
  await act(aws, TARGET, action);
  const written = api.commandCalls(CreateOrUpdateTagsCommand)[0]?.args[0].input.Tags ?? [];
  return {
    written: readBack(written),
    taken: (api.commandCalls(DeleteTagsCommand)[0]?.args[0].input.Tags ?? []).map(({ Key }) => Key),
  };
}

const SINCE = new Date('2026-11-21T12:00:00.000Z');
const CANARY: Action = {
  kind: 'record-canary',
  group: 'web',
  canary: { kind: 'baking', since: SINCE },
  images: 1,
};
const COURSE: Action = {
  kind: 'record-course',
  group: 'web',
  course: { kind: 'rollback', since: new Date(0), because: { code: 'recorded', text: 'it fails' } as const },
};

describe('tags on a group', () => {
  test.each<[Action, Tags]>([
    [CANARY, { 'ecs-ami-deploy-canary': SINCE.toISOString() }],
    [
      COURSE,
      {
        'ecs-ami-deploy-course': 'rollback 1970-01-01T00:00:00.000Z',
        'ecs-ami-deploy-because': 'it fails',
      },
    ],
    [
      {
        kind: 'record-rejection',
        group: 'web',
        rejection: { imageIds: ['ami-1', 'ami-2'], because: { code: 'recorded', text: 'it fails' } as const },
      },
      { 'ecs-ami-deploy-rejected': 'ami-1 ami-2', 'ecs-ami-deploy-rejected-because': 'it fails' },
    ],
    [{ kind: 'pause', group: 'web', since: SINCE }, { 'ecs-ami-deploy-paused': SINCE.toISOString() }],
  ])('are written for %j', async (action, written) => {
    expect(await changed(action)).toEqual({ written, taken: [] });
  });

  test.each<[Action, readonly string[]]>([
    [{ kind: 'resume', group: 'web' }, ['ecs-ami-deploy-paused']],
    [
      { kind: 'clear-rejection', group: 'web' },
      ['ecs-ami-deploy-rejected', 'ecs-ami-deploy-rejected-because'],
    ],
    [{ kind: 'clear-roll', group: 'web' }, ROLL_TAG_KEYS],
  ])('are taken away for %j', async (action, taken) => {
    expect(await changed(action)).toEqual({ written: {}, taken });
  });

  test('are not taken away once another invocation has begun the roll anew: its end would not be told', async () => {
    const anew = { ...BEGUN, 'ecs-ami-deploy-started-at': SINCE.toISOString() };
    await expect(changed({ kind: 'clear-roll', group: 'web' }, anew)).rejects.toThrow(StaleObservation);
    expect(api.commandCalls(DeleteTagsCommand)).toHaveLength(0);
  });

  test.each<[string, Tags]>([
    ['has ended', {}],
    ['is of another cluster', { 'ecs-ami-deploy-cluster': 'jobs' }],
  ])('that tell of a roll are not written once it %s: the next one would find them', async (_, tags) => {
    for (const action of [CANARY, COURSE])
      await expect(changed(action, tags)).rejects.toThrow(StaleObservation);
    expect(api.commandCalls(CreateOrUpdateTagsCommand)).toHaveLength(0);
  });
});

describe('what runs', () => {
  test('is ended in a warm pool only while all of it is there still', async () => {
    const pooled = (...ids: string[]) =>
      api
        .on(DescribeWarmPoolCommand)
        .resolves({ Instances: ids.map((InstanceId) => ({ InstanceId })) as never });
    ec2.on(TerminateInstancesCommand).resolves({});
    const ending = { kind: 'terminate', instanceIds: ['i-1', 'i-2'], pooledIn: 'web' } as const;
    pooled('i-1');
    await expect(act(aws, TARGET, ending)).rejects.toThrow('i-2 has left the warm pool of web');
    expect(ec2.calls()).toHaveLength(0);
    pooled('i-1', 'i-2');
    await act(aws, TARGET, ending);
    expect(ec2.calls().map(({ args: [{ input }] }) => input)).toEqual([{ InstanceIds: ['i-1', 'i-2'] }]);
  });

  test.each([
    ['is gone', [], false],
    ['lost its agent', [{ status: 'ACTIVE', agentConnected: false }], false],
    ['drains', [{ status: 'DRAINING', agentConnected: true }], false],
    ['does', [{ status: 'ACTIVE', agentConnected: true }], true],
  ])('drains only beside what still takes tasks: the other %s', async (_, found, isDrained) => {
    const containerInstances = found.map((each) => ({
      ...each,
      containerInstanceArn: 'c-2',
      ec2InstanceId: 'i-c-2',
    }));
    ecs
      .on(DescribeContainerInstancesCommand, { cluster: 'web', containerInstances: ['c-2'] })
      .resolves({ containerInstances })
      .on(UpdateContainerInstancesStateCommand)
      .resolves({});
    const drain = {
      kind: 'drain',
      containerInstances: [containerInstance('c-1')],
      beside: [containerInstance('c-2')],
      next: [],
    } as const;
    const drained = act(aws, TARGET, drain);
    if (isDrained) await drained;
    else await expect(drained).rejects.toThrow('i-c-2 no longer takes tasks');
    const changed = ecs.commandCalls(UpdateContainerInstancesStateCommand);
    expect(changed.map(({ args: [{ input }] }) => input.status)).toEqual(isDrained ? ['DRAINING'] : []);
  });

  test.each([
    ['drains', 'DRAINING', false],
    ['waits', 'ACTIVE', true],
  ])(
    'drains only if none that has a turn as well does already: the other %s',
    async (_, status, isDrained) => {
      const other = { containerInstanceArn: 'c-2', ec2InstanceId: 'i-c-2', agentConnected: true, status };
      ecs
        .on(DescribeContainerInstancesCommand, { cluster: 'web', containerInstances: ['c-2'] })
        .resolves({ containerInstances: [other] })
        .on(UpdateContainerInstancesStateCommand)
        .resolves({});
      const drained = act(aws, TARGET, {
        kind: 'drain',
        containerInstances: [containerInstance('c-1')],
        beside: [],
        next: [containerInstance('c-2')],
      });
      if (isDrained) await drained;
      else await expect(drained).rejects.toThrow('i-c-2 drains already');
      expect(ecs.commandCalls(UpdateContainerInstancesStateCommand)).toHaveLength(isDrained ? 1 : 0);
    },
  );

  test('is attached, set back to ACTIVE and stopped as it is named', async () => {
    api.on(AttachInstancesCommand).resolves({});
    ecs.on(UpdateContainerInstancesStateCommand).resolves({}).on(StopTaskCommand).resolves({});
    const task = { arn: 't-1', containerInstanceArn: 'c-1', group: 'jobs', stopping: false };
    await act(aws, TARGET, { kind: 'attach-instances', group: 'web', instanceIds: ['i-1'] });
    await act(aws, TARGET, { kind: 'activate', containerInstances: [containerInstance('c-1')] });
    await act(aws, TARGET, { kind: 'stop-tasks', tasks: [task], because: 'why' });
    const inputs = [...api.calls(), ...ecs.calls()].map(({ args: [{ input }] }) => input);
    expect(inputs).toEqual([
      { AutoScalingGroupName: 'web', InstanceIds: ['i-1'] },
      { cluster: 'web', containerInstances: ['c-1'], status: 'ACTIVE' },
      { cluster: 'web', task: 't-1', reason: 'why' },
    ]);
  });
});
