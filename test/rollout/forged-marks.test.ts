import { describe, expect, test } from 'vitest';
import { GROUP_TAGS, INSTANCE_TAGS } from '../../lambda/contract.ts';
import { sealedMark, sealedTags } from '../sealed.ts';
import { type Interceptor, Killed } from '../simulated-aws/account/call.ts';
import { AwsError } from '../simulated-aws/account/operation.ts';
import { boot, launchInstance } from '../simulated-aws/world/ec2/instances.ts';
import { type Instance, isAlive } from '../simulated-aws/world/ec2/model.ts';
import { buildUserData } from '../simulated-aws/world/user-data-builder.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { groupOf, keepInvoking, launchedFrom, membersOf, tagGroup } from './happenings.ts';
import { groupsOf, only, writes } from './outcomes.ts';
import { type Stage, type StageOptions, standardStage } from './stage.ts';

/** Marks on instances that no group of ours has detached: anyone who may tag an instance can write them. */

const OLD = 'ami-00000000000000001';
const NEW = 'ami-00000000000000002';

function scene(options: Partial<StageOptions> & { readonly upToDate?: boolean } = {}): Stage {
  const furnish = (world: World) => void (options.upToDate && world.state.images.delete(NEW));
  return standardStage({ group: { maxSize: 10 } }, { furnish, ...options });
}

/** Somebody's own instance, in no group; in the cluster if asked for. */
function strangerIn({ world }: Stage, clusterName?: string): Instance {
  const instance = launchInstance(world.state, {
    imageId: OLD,
    instanceType: 'm5.large',
    availabilityZone: 'eu-central-1a',
    ...(clusterName !== undefined && {
      userData: buildUserData({ image: { family: undefined }, cluster: clusterName }),
      instanceProfile: 'ecsInstanceRole',
    }),
    launchedBy: undefined,
    launchedFrom: undefined,
    blockDeviceMappings: [],
    tags: [],
  });
  boot(world.state, instance);
  return instance;
}

/** Even with a seal, as anyone who got hold of the key could make it. */
function forge(instance: Instance, detachStartedAt: Date, group = 'demo-ecs'): void {
  const tags = {
    [INSTANCE_TAGS.group]: group,
    [INSTANCE_TAGS.terminate]: 'true',
    [INSTANCE_TAGS.cluster]: 'demo',
    [INSTANCE_TAGS.detachStartedAt]: detachStartedAt.toISOString(),
  };
  for (const [key, value] of Object.entries(sealedMark(instance, tags))) instance.tags.set(key, value);
}

const DATES = {
  now: (now: number) => new Date(now),
  'long ago': () => new Date('2020-01-01'),
  'in 2099': () => new Date('2099-01-01'),
} as const;

const idsIn = ({ account }: Stage, operations: RegExp) =>
  account.calls.log
    .filter(({ operation }) => operations.test(operation))
    .map(({ input }) => JSON.stringify(input));

const ENDS =
  /^(TerminateInstances|TerminateInstanceInAutoScalingGroup|DetachInstances|AttachInstances|UpdateContainerInstancesState|DeregisterContainerInstance|CreateTags)$/;

/** Nothing was done to it, or to what it is registered as. */
function expectLeftAlone(staged: Stage, instance: Instance): void {
  expect(isAlive(instance)).toBe(true);
  expect(staged.world.state.groups.get('demo-ecs')?.members.has(instance.id)).toBe(false);
  const arn = instance.containerInstance?.arn;
  for (const call of idsIn(staged, ENDS)) {
    expect(call).not.toContain(instance.id);
    if (arn !== undefined) expect(call).not.toContain(arn);
  }
}

describe.each([undefined, 'demo'] as const)("somebody else's marked instance, in cluster %s", (cluster) => {
  test.each(Object.keys(DATES) as (keyof typeof DATES)[])(
    'marked %s: it is left alone during a roll, which ends, and is reported',
    async (date) => {
      const staged = scene();
      const instance = strangerIn(staged, cluster);
      staged.clock.advance(600);
      forge(instance, DATES[date](staged.clock.now()));
      const said = await keepInvoking(staged, 60);
      expectLeftAlone(staged, instance);
      expect(said).toContainEqual(expect.objectContaining({ group: 'demo-ecs' }));
      expect(membersOf(staged).map(({ imageId }) => imageId)).toEqual(Array(4).fill(NEW));
      expect(launchedFrom(staged.world, OLD).filter(isAlive)).toEqual([instance]);
      expect(JSON.stringify(groupsOf(await staged.invoke()))).toContain(instance.id);
    },
  );
});

test("somebody else's marked instance changes nothing in an up-to-date group, and is reported each time", async () => {
  const staged = scene({ upToDate: true });
  const instance = strangerIn(staged, 'demo');
  forge(instance, new Date(staged.clock.now()));
  for (let count = 0; count < 2; count++) {
    expect(JSON.stringify(groupsOf(await staged.invoke()))).toContain(instance.id);
  }
  expectLeftAlone(staged, instance);
  expect(writes(staged.account.calls.log)).toEqual([]);
});

test('a rollback that somebody asks for neither attaches their own instance nor detaches a member for it', async () => {
  const staged = scene();
  const instance = strangerIn(staged, 'demo');
  staged.clock.advance(600);
  const members = [...groupOf(staged).members.keys()];
  forge(instance, new Date(staged.clock.now()));
  const state = {
    [GROUP_TAGS.cluster]: 'demo',
    [GROUP_TAGS.image]: OLD,
    [GROUP_TAGS.startedAt]: new Date(staged.clock.now()).toISOString(),
  };
  tagGroup(groupOf(staged), sealedTags(groupOf(staged), 'demo', state));
  tagGroup(groupOf(staged), { [GROUP_TAGS.course]: 'rollback' });
  await keepInvoking(staged, 30, { action: 'continue' });
  expectLeftAlone(staged, instance);
  expect(idsIn(staged, /^(Attach|Detach)Instances$/)).toEqual([]);
  expect([...groupOf(staged).members.keys()]).toEqual(members);
});

describe('an instance that the group detached itself', () => {
  const killed = (staged: Stage) => staged.invoke({ action: 'roll' }, [killedAfter('DetachInstances')]);

  test('is found through its activities after a kill, with one read for all', async () => {
    const staged = scene();
    expect(await killed(staged)).toEqual({ kind: 'killed' });
    const calls = staged.account.calls.log.length;
    expect(only(await staged.invoke({ action: 'continue' })).state).toBe('completed');
    const reads = staged.account.calls.log.slice(calls).filter(({ operation }) => operation === READ);
    // One other asks why members are lacking.
    expect(reads).toHaveLength(2);
    expect(launchedFrom(staged.world, OLD).filter(isAlive)).toEqual([]);
    staged.invariants.assertFinished();
  });

  test('is waited for by name while its activities lag', async () => {
    const staged = scene({ delays: { activitySeconds: 100 } });
    await killed(staged);
    expect(only(await staged.invoke({ action: 'continue' })).state).toBe('completed');
    expect(staged.log.join('\n')).toMatch(
      /wait: i-0+1, .* are in no group, perhaps detached by us: waits until Auto Scaling reports/,
    );
    expect(launchedFrom(staged.world, OLD).filter(isAlive)).toEqual([]);
    staged.invariants.assertFinished();
  });

  test('is waited for while EC2 shows no marks on it yet, and counts in the surge', async () => {
    const lag = { seconds: 1, secondsOfEc2: 240, share: 1, seed: 1 };
    const environment = { MAX_SURGE: '3', CANARY: '2' };
    const staged = standardStage(
      { instances: 4, group: { maxSize: 10 } },
      { account: { lag }, environment, expectations: { maxSurge: 3 } },
    );
    await killed(staged);
    staged.clock.advance(60);
    expect(only(await staged.invoke({ action: 'continue' })).state).toBe('completed');
    expect(staged.log.join('\n')).toMatch(/wait: i-0+1, .*are in no group, perhaps detached by us/);
    staged.invariants.assertFinished();
  });

  test('is told from what no group has ever had by one read', async () => {
    const staged = scene();
    strangerIn(staged, 'demo');
    staged.clock.advance(300);
    const states = groupsOf(await staged.invoke()).map(({ group, state }) => `${group}: ${state}`);
    expect(states).toContain('demo-ecs: completed');
    const [first, ...others] = staged.account.calls.log.filter(({ operation }) => operation === READ);
    expect(first).toBeDefined();
    expect(others).toHaveLength(0);
  });

  test('is left alone and reported while its activities are silent, and terminated once they speak', async () => {
    const staged = scene({ delays: { activitySeconds: 1500 } });
    await killed(staged);
    const left = [...launchedFrom(staged.world, OLD)];
    expect(only(await staged.invoke({ action: 'continue' }))).toMatchObject({
      warnings: [expect.stringMatching(/no activity of group demo-ecs shows a detachment/)],
    });
    for (const instance of left) expectLeft(instance);
    staged.clock.advance(1500);
    await staged.finish();
    expect(left.filter(isAlive)).toEqual([]);
    staged.invariants.assertFinished();
  });

  test('is left alone when its activities may not be read, and the group fails loudly', async () => {
    const staged = scene();
    await killed(staged);
    const outcome = only(await staged.invoke({ action: 'continue' }, [denied(READ)]));
    expect(outcome).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('autoscaling:DescribeScalingActivities'),
    });
    for (const instance of launchedFrom(staged.world, OLD)) expectLeft(instance);
    await staged.finish();
    staged.invariants.assertFinished();
  });

  test('costs no read if nobody kills the roll', async () => {
    const staged = scene();
    expect(only(await staged.invoke()).state).toBe('completed');
    expect(staged.account.calls.log.filter(({ operation }) => operation === READ)).toEqual([]);
  });
});

const READ = 'DescribeScalingActivities';

function expectLeft(instance: Instance): void {
  expect(instance).toMatchObject({ state: 'running', containerInstance: { status: 'ACTIVE' } });
}

function killedAfter(operation: string): Interceptor {
  return {
    after(call) {
      if (call.operation === operation) throw new Killed(`killed after ${operation}`);
    },
  };
}

function denied(operation: string): Interceptor {
  return {
    before(call) {
      if (call.operation !== operation) return;
      const message = `User: demo is not authorized to perform: autoscaling:${operation} because no identity-based policy allows it`;
      throw new AwsError('AccessDenied', message, 403);
    },
  };
}

describe('a mark without a seal', () => {
  const unsealed = {
    [INSTANCE_TAGS.group]: 'demo-ecs',
    [INSTANCE_TAGS.terminate]: 'true',
    [INSTANCE_TAGS.cluster]: 'demo',
  };
  const write = (instance: Instance) => {
    for (const [key, value] of Object.entries(unsealed)) instance.tags.set(key, value);
  };

  test.each([{ action: 'roll' }, { action: 'continue' }])(
    'on an instance in no group is reported by its cluster, through %j',
    async (event) => {
      const staged = scene({ upToDate: true });
      const instance = strangerIn(staged);
      write(instance);
      const said = groupsOf(await staged.invoke(event)).find(({ group }) => group === '*');
      expect(said).toMatchObject({
        state: 'skipped',
        untrusted: [{ kind: 'instance', resource: instance.id, keys: Object.keys(unsealed) }],
        warnings: [expect.stringMatching(/^tags of i-.* are ignored,.*ec2:CreateTags.* who wrote them$/)],
      });
      expectLeftAlone(staged, instance);
    },
  );

  test("on a member is reported by its group, which is rolled as if it weren't there", async () => {
    const staged = scene();
    const [member] = groupOf(staged).members.values();
    if (member === undefined) throw new Error('no member');
    write(member.instance);
    const said = only(await staged.invoke());
    expect(said).toMatchObject({
      state: 'completed',
      untrusted: [{ kind: 'instance', resource: member.instance.id, keys: Object.keys(unsealed) }],
    });
    staged.invariants.assertFinished();
  });
});

test('a rollback that a tag asks for says so, and uses no reason from the tags', async () => {
  const staged = scene({ expectations: { endings: ['rolled-back'] } });
  await staged.invoke({ action: 'roll' }, [killedAfter('DetachInstances')]);
  tagGroup(groupOf(staged), { [GROUP_TAGS.course]: 'rollback', [GROUP_TAGS.because]: 'the alarm rang' });
  const said = only(await staged.invoke({ action: 'continue' }));
  expect(said).toMatchObject({
    state: 'rolled-back',
    because: 'somebody asked for it by a tag on the group',
    requestedByTag: true,
    reason: expect.stringContaining('by a tag on the group'),
    untrusted: [{ kind: 'group', resource: 'demo-ecs', keys: [GROUP_TAGS.because] }],
  });
  staged.invariants.assertFinished();
});
