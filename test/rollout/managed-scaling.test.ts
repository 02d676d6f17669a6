import { describe, expect, test } from 'vitest';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import type { Group } from '../simulated-aws/world/autoscaling/model.ts';
import type { PolicySettings } from '../simulated-aws/world/autoscaling/scaling-policies.ts';
import type { CapacityProviderOptions } from '../simulated-aws/world/ecs/capacity-providers.ts';
import type { GroupOptions } from '../simulated-aws/world/group-builder.ts';
import type { Readings } from '../simulated-aws/world/readings.ts';
import { groupOf, keepInvoking } from './happenings.ts';
import { afterCall, only } from './outcomes.ts';
import { type Stage, type StageOptions, stage, TRUE_DEFAULTS } from './stage.ts';

const NAME = 'demo-ecs';
const HOUR_SECONDS = 3600;
/** Of an m5.large: two to an instance fill it. */
const TASK_CPU = 1000;

interface Setting extends Pick<StageOptions, 'environment' | 'expectations' | 'delays'> {
  readonly instances: number;
  /** Null: no capacity provider scales it. */
  readonly provider?: Partial<CapacityProviderOptions> | null;
  readonly policy?: PolicySettings;
  readonly group?: Partial<GroupOptions>;
  /** Default: enough to fill all instances. */
  readonly tasks?: number;
  readonly readings?: Partial<Readings>;
}

/**
 * A group that a capacity provider, or a policy of its owner's, scales by what its tasks need, and how often
 * it was made smaller for that.
 */
function scaled({
  instances,
  provider,
  policy,
  group,
  readings,
  tasks = 2 * instances,
  ...options
}: Setting) {
  let scaledIn = 0;
  const staged = stage({
    ...options,
    shortcut: true,
    furnish(world) {
      Object.assign(world.state.readings, readings);
      world.addCluster('demo');
      const image = world.release('amazon-linux-2023', { ageDays: 40 });
      const sizes = { minSize: 1, maxSize: 2 * instances };
      const spec = { launchSpec: 'launch-template', version: '$Latest' } as const;
      world.addGroup({ name: NAME, cluster: 'demo', image, instances, ...sizes, ...spec, ...group });
      if (provider !== null)
        world.addCapacityProvider({ name: 'scaled', cluster: 'demo', group: NAME, ...provider });
      if (policy !== undefined) world.owner.addScalingPolicy(NAME, policy);
      world.addService('demo', { name: 'log-router', strategy: 'DAEMON', cpu: 10 });
      const by = provider === null ? {} : { capacityProvider: 'scaled' };
      const web = { name: 'web', desiredCount: tasks, cpu: TASK_CPU, ...by };
      world.addService('demo', { ...web, minimumHealthyPercent: 50, maximumPercent: 100 });
      world.release('amazon-linux-2023', { ageDays: 3 });
    },
  });
  let desired = groupOf(staged).desiredCapacity;
  staged.world.subscribe((event) => {
    if (event.kind !== 'group-written') return;
    if (event.cause === 'group' && event.group.desiredCapacity < desired) scaledIn++;
    desired = event.group.desiredCapacity;
  });
  return { ...staged, scaledIn: () => scaledIn };
}

const sizesOf = ({ minSize, desiredCapacity, maxSize, members }: Group) => ({
  minSize,
  desiredCapacity,
  maxSize,
  members: members.size,
});

/** Invokes every five minutes until the roll is over. */
async function rollAll({ invoke, clock }: Stage): Promise<{ invocations: number; hours: number }> {
  const begun = clock.now();
  for (let invocations = 1; invocations <= 60; invocations++) {
    const outcome = await invoke(invocations === 1 ? { action: 'roll' } : { action: 'continue' });
    if (outcome.kind === 'killed') throw new Error('nobody was to be killed');
    const [group] = outcome.groups;
    if (group?.state === 'completed') return { invocations, hours: (clock.now() - begun) / 3_600_000 };
    if (group?.state !== 'in-progress') throw new Error(`${group?.state}: ${group?.reason}`);
    clock.advance(10);
  }
  throw new Error('the roll does not end');
}

/** "The Auto Scaling group uses its termination policy to determine which instances to terminate." */
const TRACKING: PolicySettings = {
  PolicyName: 'cpu',
  PolicyType: 'TargetTrackingScaling',
  TargetTrackingConfiguration: { TargetValue: 50 },
};

const SLOW = { delays: { taskStopSeconds: 120 } };
const PROTECTED = {
  provider: { managedTerminationProtection: 'ENABLED' },
  group: { protectsNewInstances: true },
} as const;

test.each([
  ['by default', {}, TRUE_DEFAULTS],
  ['that counts what is detached', { provider: { countsDetached: true } }, TRUE_DEFAULTS],
  ['under managed termination protection', PROTECTED, TRUE_DEFAULTS],
  ["by a scaling policy of its owner's", { provider: null, policy: TRACKING }, TRUE_DEFAULTS],
  ['four at a time, of tasks that stop slowly', SLOW, { ...TRUE_DEFAULTS, MAX_SURGE: '4' }],
] as const)('44 full instances stay 44, %s', async (_, options, environment) => {
  const staged = scaled({ instances: 44, ...options, environment });
  const { invocations, hours } = await rollAll(staged);
  staged.invariants.assertFinished();
  expect([invocations <= 15, hours < 3.5]).toEqual([true, true]);
  staged.clock.advance(HOUR_SECONDS);
  expect(staged.scaledIn()).toBe(0);
  expect(sizesOf(groupOf(staged))).toEqual({ minSize: 1, desiredCapacity: 44, maxSize: 88, members: 44 });
});

test('an owner who shrinks the group during its roll sets both sizes, and keeps that minimum', async () => {
  const staged = scaled({ instances: 6, tasks: 8 });
  const { world, invoke, finish, invariants } = staged;
  const fewer = afterCall('UpdateContainerInstancesState', () => {
    world.owner.scheduledAction(NAME, { minSize: 5, desiredCapacity: 5 });
  });
  await invoke({ action: 'roll' }, [fewer]);
  await finish();
  invariants.assertFinished();
  expect(sizesOf(groupOf(staged))).toMatchObject({ minSize: 5, desiredCapacity: 5, members: 5 });
});

test.each([
  ['replaced', { MAX_SURGE: '1' }],
  ['replaced', { MAX_SURGE: '0' }],
  ['replaced', { MAX_SURGE: '1', TERMINATE_HOOKS: 'run' }],
  ['given-up', { MAX_SURGE: '1' }],
  ['given-up', { MAX_SURGE: '0' }],
  ['given-up', { MAX_SURGE: '1', TERMINATE_HOOKS: 'run' }],
  ['given-up', { MAX_SURGE: '1', TERMINATE_HOOKS: 'run', POLL_SECONDS: '40' }],
] as const)(
  'where ECS ends what does not register, an image that never does goes back: such members are %s, by %o',
  async (unregisteredMembers, set) => {
    const environment = { ...TRUE_DEFAULTS, ...set };
    const expectations = { endings: ['rolled-back'] } as const;
    // Without a surge tasks need room on the other members.
    const readings = { unregisteredMembers };
    const staged = scaled({ instances: 4, tasks: 4, readings, environment, expectations });
    staged.world.faults.spoilImage('ami-00000000000000002');
    expect(await keepInvoking(staged, 120)).toMatchObject([{ state: 'rolled-back' }]);
    staged.invariants.assertFinished();
    expect(groupOf(staged).minSize).toBe(1);
  },
);

/** AWS says not to detach where a provider protects what runs tasks, or to deregister what is detached. */
describe('managed termination protection', () => {
  const detached = ({ world }: Stage) =>
    [...(world.state.clusters.get('demo')?.containerInstances.values() ?? [])].filter(
      ({ status, instance }) => status !== 'INACTIVE' && !groupOf({ world }).members.has(instance.id),
    );

  const READINGS = [
    ['blocks scale-in', { readings: { detachedBlocksScaleIn: true } }],
    ['counts', { provider: { ...PROTECTED.provider, countsDetached: true } }],
  ] as const;
  const COURSES = [
    ['forward', {}],
    ['rollback', { expectations: { endings: ['rolled-back'] } }],
    ['abort', { expectations: { endings: ['aborted'] } }],
  ] as const;

  test.each(
    READINGS.flatMap(([reading, how]) =>
      COURSES.map(([course, what]) => [course, reading, how, what] as const),
    ),
  )('breaks nothing, and ends nothing during a roll: %s, where what is detached %s', async (...scene) => {
    const [course, , how, what] = scene;
    const staged = scaled({ instances: 6, ...PROTECTED, ...how, ...what });
    const { world, clock, invariants } = staged;
    const ended: string[] = [];
    world.subscribe((event) => {
      if (event.kind === 'instance-terminating' && event.cause === 'group') ended.push(event.instance.id);
    });
    const request = { value: course, propagatesAtLaunch: false };
    const turn = afterCall('UpdateContainerInstancesState', () => {
      if (course !== 'forward') groupOf(staged).tags.set(GROUP_TAGS.course, request);
    });
    await staged.invoke({ action: 'roll' }, [turn]);
    await staged.finish();
    expect(detached(staged)).toEqual([]);
    expect(ended).toEqual([]);
    invariants.assertFinished();
    clock.advance(HOUR_SECONDS);
    expect(sizesOf(groupOf(staged))).toMatchObject({ minSize: 1, desiredCapacity: 6, members: 6 });
    world.owner.setDesiredCount('demo', 'web', 1);
    clock.advance(2 * HOUR_SECONDS);
    expect(sizesOf(groupOf(staged))).toMatchObject({ desiredCapacity: 1, members: 1 });
  });
});

test.each([
  [['its capacity provider has managed termination protection'], 'ENABLED', {}],
  [[], 'DISABLED', {}],
  [[], 'ENABLED', { TERMINATE_HOOKS: 'run' }],
  [[], 'ENABLED', { MAX_SURGE: '0' }],
] as const)(
  'a plan tells that members are detached, though AWS advises against it: %j under protection %s with %j',
  async (told, managedTerminationProtection, environment) => {
    const group = { protectsNewInstances: true };
    const staged = scaled({ instances: 2, group, provider: { managedTerminationProtection }, environment });
    const { warnings = [] } = only(await staged.invoke({ action: 'plan' }));
    const ofProvider = warnings.filter((each) => /capacity provider/.test(each));
    expect(ofProvider).toEqual(told.map((each) => expect.stringContaining(each)));
  },
);
