import { describe, expect, it } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { terminationEvent } from '../../lambda/core/terminations.ts';
import { drainInterrupted } from '../../lambda/terminations.ts';
import { rolePolicies } from '../infra/role-policies.ts';
import { sampled } from '../sample/sampled.ts';
import type { Interceptor } from '../simulated-aws/account/call.ts';
import { DEFAULT_REGION } from '../simulated-aws/account/client-options.ts';
import { AwsError } from '../simulated-aws/account/operation.ts';
import type { ResourceFacts } from '../simulated-aws/iam/context.ts';
import { enforce, type Permissions } from '../simulated-aws/iam/permissions.ts';
import { killAfter, killBefore, randomNumbers } from '../simulated-aws/weather/faults.ts';
import { registerContainerInstance } from '../simulated-aws/world/ecs/agents.ts';
import { resourceFacts } from '../simulated-aws/world/resource-facts.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { type StageOptions, type StageScenario, standardStage } from './stage.ts';
import { addDrainHook, deployTerminations, type TerminationsOptions } from './terminations.ts';

const GROUP = 'demo-ecs';

interface Scene {
  /** Before there is anything in it. */
  readonly found?: (world: World) => void;
  readonly scenario?: StageScenario;
  readonly furnish?: (world: World) => void;
  readonly options?: Partial<TerminationsOptions>;
  readonly stageOptions?: Partial<StageOptions>;
  /** Default: yes. */
  readonly hasHook?: boolean;
}

function setUp({ found, scenario = {}, furnish, options, stageOptions, hasHook = true }: Scene = {}) {
  const { clock, world, account, ...stage } = standardStage(
    (world) => {
      found?.(world);
      return { instances: 4, ...scenario, group: { maxSize: 40, ...scenario.group } };
    },
    {
      ...stageOptions,
      furnish(world) {
        if (hasHook) addDrainHook(world, GROUP);
        furnish?.(world);
      },
    },
  );
  const terminations = deployTerminations({ clock, world, account, groups: [GROUP], ...options });
  const group = world.state.groups.get(GROUP);
  if (!group) throw new Error('no group');
  const ids = () => [...group.members.keys()];
  const waits = () => [...group.members.values()].filter((each) => each.lifecycleState.endsWith(':Wait'));
  return { ...stage, clock, world, account, group, ids, waits, ...terminations };
}

type Staged = ReturnType<typeof setUp>;

const terminate = ({ account, ids }: Staged) =>
  account.session().perform('autoscaling', 'TerminateInstanceInAutoScalingGroup', {
    InstanceId: ids()[0],
    ShouldDecrementDesiredCapacity: false,
  });

/** What ends a member, or several, of four. */
const ENDS: readonly {
  readonly by: string;
  readonly count: number;
  readonly end: (staged: Staged) => unknown;
  readonly scenario?: StageScenario;
}[] = [
  { by: 'a scale-in', count: 1, end: ({ world }) => world.owner.setSizes(GROUP, { desiredCapacity: 3 }) },
  {
    by: 'a scale-in by ten',
    count: 10,
    scenario: { instances: 14, services: 4 },
    end: ({ world }) => world.owner.setSizes(GROUP, { desiredCapacity: 4 }),
  },
  {
    by: 'AZ rebalancing',
    count: 1,
    scenario: { group: { zones: ['a', 'b'] } },
    end({ world, ids }) {
      for (const [index, each] of [...world.state.instances.values()].entries())
        if (ids().includes(each.id))
          Object.assign(each, { availabilityZone: index < 3 ? 'eu-central-1a' : 'eu-central-1b' });
      world.owner.resume(GROUP, 'AZRebalance');
    },
  },
  {
    by: 'a failed health check',
    count: 1,
    end: ({ world, ids }) => world.faults.setUnhealthy(ids()[0] ?? ''),
  },
  { by: 'a call, as a maximum lifetime or capacity rebalancing does it', count: 1, end: terminate },
  {
    by: "somebody's instance refresh",
    count: 4,
    end: ({ world }) => world.owner.startInstanceRefresh(GROUP, { replaces: true }),
  },
];

describe('what ends by', () => {
  it.each(ENDS)('$by is drained, then let go of', async ({ count, end, scenario = {} }) => {
    const staged = setUp({ scenario });
    const before = staged.ids();
    await staged.clock.drive(Promise.resolve(end(staged)));
    await staged.pass(3600);
    expect(staged.faults).toEqual([]);
    expect(staged.waits()).toEqual([]);
    expect(staged.lostTooSoon()).toEqual([]);
    expect(before.filter((id) => !staged.ids().includes(id))).toHaveLength(count);
    expect(staged.ended.map(({ step }) => step.because)).toEqual(
      Array.from({ length: count }, () => 'empty'),
    );
  });

  it("the root volumes that somebody's instance refresh replaces is drained before, and held no longer than that", async () => {
    const staged = setUp({ scenario: { launchSpec: 'mixed-instances' } });
    const before = staged.ids();
    const rootImageId = staged.world.release('amazon-linux-2023').id;
    staged.world.owner.startInstanceRefresh(GROUP, { replaces: true, rootImageId });
    await staged.pass(3600);
    expect(staged.faults).toEqual([]);
    expect(staged.lostTooSoon().map(({ task }) => task.arn)).toEqual([]);
    expect(staged.ended.map(({ step }) => step.because)).toEqual(before.map(() => 'empty'));
    expect(staged.log).toContainEqual(
      expect.stringMatching(/ drains i-0+1, whose root volume its group replaces$/),
    );
    const members = [...staged.group.members.values()];
    expect(members.map(({ instance, lifecycleState }) => [instance.imageId, lifecycleState])).toEqual(
      before.map(() => [rootImageId, 'InService']),
    );
    const hosts = members.map(({ instance: { registrations } }) => registrations.at(-1)?.status);
    expect(hosts).toEqual(before.map(() => 'ACTIVE'));
  });

  it('a scale-in of which no event tells is found by the tick', async () => {
    const staged = setUp({ options: { losesEvents: true } });
    staged.world.owner.setSizes(GROUP, { desiredCapacity: 3 });
    await staged.pass(900);
    expect(staged.lostTooSoon()).toEqual([]);
    expect(staged.ids()).toHaveLength(3);
  });

  it.each([
    ['its agent, which needs no event', { drainsSpot: true }, 'never'],
    ['us, by the warning', {}, 0],
    ['us, by a warning that comes late', {}, 40],
  ] as const)('Spot is drained by %s', async (_, group, warns) => {
    const staged = setUp({
      scenario: {
        launchSpec: 'mixed-instances',
        group: { ...group, distribution: { OnDemandPercentageAboveBaseCapacity: 0 } },
      },
    });
    const [id = ''] = staged.ids();
    staged.world.faults.interruptSpot(id, warns);
    await staged.pass(600);
    expect(staged.faults).toEqual([]);
    expect(staged.lostTooSoon()).toEqual([]);
    expect(staged.ids()).not.toContain(id);
  });
});

it('what is no Spot Instance is not drained, whatever a warning says of it', async () => {
  const staged = setUp();
  const [id = ''] = staged.ids();
  staged.world.faults.interruptSpot(id);
  await staged.clock.drive(staged.clock.sleep(60));
  expect(staged.world.state.instances.get(id)?.containerInstance?.status).toBe('ACTIVE');
});

const first = ({ world, ids }: Staged) => world.state.instances.get(ids()[0] ?? '');

describe('one that ends', () => {
  it('passes at once where nothing runs on it, or no cluster knows it', async () => {
    const staged = setUp({ scenario: { services: 0, daemons: 0 } });
    staged.world.owner.setSizes(GROUP, { desiredCapacity: 3 });
    await staged.pass(120);
    expect(staged.ids()).toHaveLength(3);
  });

  it('is waited for as long as standalone tasks run there, and taken along with them when its time is over', async () => {
    const staged = setUp({ options: { timeoutSeconds: 3600 } });
    const [id = ''] = staged.ids();
    staged.world.addStandaloneTask('demo', { family: 'job', instanceId: id });
    await staged.clock.drive(terminate(staged));
    await staged.pass(3300);
    expect(staged.waits()).toHaveLength(1);
    await staged.pass(900);
    expect(staged.waits()).toHaveLength(0);
    expect(staged.ended).toMatchObject([{ step: { because: 'late', left: [{ group: 'family:job' }] } }]);
    expect(staged.log.at(-1)).toMatch(
      /lets go of i-0+1, as its time is over, with 1 task of family:job left on/,
    );
    // Nothing was due soon, so that the function slept between ticks.
    expect(staged.count().invocations).toBeGreaterThan(12);
  });

  it('keeps a job as long as it needs', async () => {
    const staged = setUp();
    const [instanceId = ''] = staged.ids();
    staged.world.addStandaloneTask('demo', { family: 'job', instanceId, lifetimeSeconds: 1200 });
    await staged.clock.drive(terminate(staged));
    await staged.pass(1800);
    expect(staged.lostTooSoon()).toEqual([]);
    expect(staged.ids()).not.toContain(instanceId);
  });

  it.each(['spared', 'stopped'] as const)(
    'keeps a protected task, if those on draining ones are %s',
    async (reading) => {
      const staged = setUp();
      staged.world.state.readings.protectedOnDraining = reading;
      const [task] = [...(first(staged)?.containerInstance?.tasks ?? [])].filter(
        ({ service }) => service?.strategy === 'REPLICA',
      );
      staged.world.owner.protectTask(task?.arn ?? '', 10);
      await staged.clock.drive(terminate(staged));
      await staged.pass(540);
      expect(task?.lastStatus).toBe('RUNNING');
      await staged.pass(900);
      expect(staged.lostTooSoon()).toEqual([]);
      expect(staged.waits()).toEqual([]);
    },
  );

  it('drains in all its registrations', async () => {
    const staged = setUp({
      furnish: (world) => world.faults.wipeAgent('i-00000000000000001', 'alive'),
    });
    staged.clock.advance(300);
    await staged.clock.drive(terminate(staged));
    await staged.pass(1800);
    expect(staged.faults).toEqual([]);
    expect(staged.ended).toMatchObject([{ step: { because: 'empty' } }]);
  });

  it('of which no activity tells is held by the time of our hook alone, which is said', async () => {
    const staged = setUp({
      options: { timeoutSeconds: 3600 },
      stageOptions: { delays: { activitySeconds: 7200 } },
    });
    const [instanceId = ''] = staged.ids();
    staged.world.addStandaloneTask('demo', { family: 'job', instanceId });
    await staged.clock.drive(terminate(staged));
    await staged.pass(1500);
    expect(staged.waits()).toHaveLength(1);
    expect(staged.log.at(-1)).toMatch(
      /no activity of its group tells since when, so that its hook's own time is its last limit/,
    );
    await staged.pass(900);
    expect(staged.waits()).toEqual([]);
  });

  it('drains in all clusters in which it is registered', async () => {
    const staged = setUp({
      options: { clusters: 'demo,other' },
      furnish(world) {
        const other = world.addCluster('other');
        for (const instance of world.state.instances.values())
          registerContainerInstance(world.state, other, instance);
        world.addService('other', { name: 'elsewhere', desiredCount: 4 });
      },
    });
    staged.clock.advance(300);
    const [id = ''] = staged.ids();
    const { clusters } = staged.world.state;
    const hosts = [...clusters.values()].flatMap(({ containerInstances }) =>
      [...containerInstances.values()].filter(({ instance }) => instance.id === id),
    );
    expect(hosts.map(({ tasks }) => tasks.size > 0)).toEqual([true, true]);
    await staged.clock.drive(terminate(staged));
    await staged.pass(1800);
    expect(staged.faults).toEqual([]);
    expect(staged.lostTooSoon()).toEqual([]);
    expect(hosts.map(({ status }) => status)).not.toContain('ACTIVE');
    expect(staged.ended).toMatchObject([{ step: { because: 'empty' } }]);
  });

  it('has ten minutes, named, if its agent is away', async () => {
    const staged = setUp({ options: { timeoutSeconds: 7200 } });
    const [id = ''] = staged.ids();
    staged.world.faults.dropAgent(id);
    await staged.clock.drive(terminate(staged));
    await staged.pass(500);
    expect(staged.waits()).toHaveLength(1);
    await staged.pass(600);
    expect(staged.waits()).toHaveLength(0);
    expect(staged.log.at(-1)).toMatch(/as its agent has been away for 10 min, with .* left on/);
  });

  it('and is gone from EC2 already, is let go of at once', async () => {
    const staged = setUp();
    staged.world.state.readings.goneAtHook = 'held';
    const [id = ''] = staged.ids();
    staged.world.faults.dropAgent(id);
    await staged.clock.drive(terminate(staged));
    staged.clock.schedule(60, () => staged.world.faults.killInstance(id));
    await staged.pass(240);
    expect(staged.ended).toMatchObject([{ step: { because: 'gone' } }]);
    expect(staged.ids()).not.toContain(id);
  });

  it("is let go of by us while another's hook holds it, which is said once", async () => {
    const staged = setUp({
      furnish: (world) =>
        world.owner.addLifecycleHook(GROUP, { name: 'logs', transition: 'terminating', seconds: 7200 }),
    });
    await staged.clock.drive(terminate(staged));
    await staged.pass(3600);
    expect(staged.waits()).toHaveLength(1);
    expect(staged.faults).toEqual([]);
    expect(staged.log.filter((line) => line.includes('lets go'))).toHaveLength(1);
    expect(staged.ended).toHaveLength(1);
    const { counts } = staged.account.calls;
    expect(counts['autoscaling.CompleteLifecycleAction']).toBe(1);
    expect(counts['autoscaling.RecordLifecycleActionHeartbeat']).toBe(1);
  });

  it('may be drained by ECS, too', async () => {
    const staged = setUp({
      furnish: (world) => world.addCapacityProvider({ name: 'p', cluster: 'demo', group: GROUP }),
    });
    await staged.clock.drive(terminate(staged));
    await staged.pass(900);
    expect(staged.faults).toEqual([]);
    expect(staged.lostTooSoon()).toEqual([]);
    expect(staged.waits()).toEqual([]);
  });

  it('in a warm pool is let go of, and left alone if it only returns there', async () => {
    const staged = setUp({
      scenario: { group: { warmPool: { size: 2, state: 'Stopped', reusesOnScaleIn: true } } },
    });
    staged.world.state.readings.warmPoolAbove = 'ended-with-hooks';
    staged.world.owner.setSizes(GROUP, { desiredCapacity: 3 });
    await staged.pass(600);
    const states = () =>
      [...(staged.group.warmPool?.members.values() ?? [])].map((each) => each.lifecycleState);
    expect(staged.log.filter((line) => /drains/.test(line))).toEqual([]);
    await staged.pass(3000);
    expect(states().filter((each) => each.startsWith('Warmed:Terminating'))).toEqual([]);
  });

  it('is nobody whom nobody ends', async () => {
    const staged = setUp();
    await staged.pass(3600);
    expect(staged.account.calls.counts).toEqual({
      'autoscaling.DescribeAutoScalingGroups': staged.count().invocations,
    });
  });
});

describe('what cannot be read', () => {
  const refused = (operation: string): TerminationsOptions['interceptors'] => {
    const interceptor: Interceptor = {
      before(call) {
        if (call.operation === operation) throw new AwsError('AccessDenied', 'no', 403);
      },
    };
    return () => [interceptor];
  };

  it('is looked at again within seconds, not with the next tick', async () => {
    let faults = 2;
    const interceptor: Interceptor = {
      before(call) {
        if (call.operation === 'GetTaskProtection' && faults-- > 0)
          throw new AwsError('ClientException', 'no', 400);
      },
    };
    const staged = setUp({ options: { interceptors: () => [interceptor] } });
    await staged.clock.drive(terminate(staged));
    await staged.pass(200);
    expect(staged.ended).toMatchObject([{ step: { because: 'empty' } }]);
  });

  it('is the answer to letting go: asked again, it is told all the same', async () => {
    const interceptor: Interceptor = {
      after(call) {
        if (call.operation !== 'CompleteLifecycleAction') return;
        throw new AwsError('ValidationError', 'No active Lifecycle Action found with instance ID i-1', 400);
      },
    };
    const staged = setUp({ options: { interceptors: () => [interceptor] } });
    await staged.clock.drive(terminate(staged));
    await staged.pass(200);
    expect(staged.ended).toMatchObject([{ step: { because: 'empty' } }]);
  });

  it.each([
    'DescribeAutoScalingGroups',
    'DescribeScalingActivities',
    'ListContainerInstances',
    'DescribeContainerInstances',
    'UpdateContainerInstancesState',
    'ListTasks',
    'DescribeTasks',
    'DescribeServices',
    'GetTaskProtection',
    'RecordLifecycleActionHeartbeat',
    'CompleteLifecycleAction',
  ])('for good, by %s, goes off as an alarm and holds nothing beyond its time', async (operation) => {
    const interceptors = refused(operation);
    const staged = setUp({ options: { timeoutSeconds: 3600, ...(interceptors && { interceptors }) } });
    const [instanceId = ''] = staged.ids();
    staged.world.addStandaloneTask('demo', { family: 'job', instanceId });
    await staged.clock.drive(terminate(staged));
    await staged.pass(1500);
    expect(staged.waits()).toHaveLength(1);
    await staged.pass(2 * 3600);
    expect(staged.waits()).toEqual([]);
    expect(staged.faults.map(String)).toContain('AccessDenied: no');
  });

  it.each(['DescribeScalingActivities', 'DescribeInstances', 'DescribeWarmPool'])(
    'by %s keeps nothing from being drained',
    async (operation) => {
      const interceptors = refused(operation);
      const staged = setUp({
        scenario: { group: { warmPool: { size: 1, state: 'Stopped' } } },
        ...(interceptors && { options: { interceptors } }),
      });
      const [, away = ''] = staged.ids();
      staged.world.faults.dropAgent(away);
      await staged.clock.drive(terminate(staged));
      await staged.clock.drive(Promise.resolve(staged.world.faults.setUnhealthy(away)));
      await staged.pass(3600);
      expect(staged.ended.map(({ step }) => step.because).sort()).toEqual(['away', 'empty']);
      expect(staged.faults.map(String)).toContain('AccessDenied: no');
    },
  );

  it('as its Availability Zone is impaired is not taken for gone: an agent that is away has its ten minutes', async () => {
    const staged = setUp({ options: { timeoutSeconds: 7200 } });
    const [id = ''] = staged.ids();
    staged.world.faults.dropAgent(id);
    staged.world.faults.setZoneDisrupted('a', true);
    await staged.clock.drive(terminate(staged));
    await staged.pass(1200);
    expect(staged.ended).toMatchObject([{ instanceId: id, step: { because: 'away' } }]);
  });

  it('as another Availability Zone is impaired keeps nothing from being drained that Spot reclaims', async () => {
    const staged = setUp({
      scenario: {
        launchSpec: 'mixed-instances',
        group: { distribution: { OnDemandPercentageAboveBaseCapacity: 0 } },
      },
    });
    staged.world.faults.setZoneDisrupted('c', true);
    const aws = createAws(staged.account.session().clientOptions);
    const drained = drainInterrupted(aws, ['demo'], staged.ids()[0] ?? '');
    expect(await staged.clock.drive(drained)).toBe('drained');
    expect(first(staged)?.containerInstance?.status).toBe('DRAINING');
    expect(await staged.clock.drive(drainInterrupted(aws, ['demo'], 'i-0123456789abcdef0'))).toBe('not ours');
  });

  it('as its cluster is gone has nothing on it', async () => {
    const staged = setUp({ options: { clusters: 'gone,demo' } });
    await staged.clock.drive(terminate(staged));
    await staged.pass(900);
    expect(staged.faults).toEqual([]);
    expect(staged.ended).toMatchObject([{ step: { because: 'empty' } }]);
  });

  it.each([
    ['is gone', 'ClusterNotFoundException', 0],
    ['is refused', 'AccessDeniedException', 1],
  ] as const)(
    'as one cluster %s keeps no other from draining what Spot reclaims',
    async (_, code, faults) => {
      const staged = setUp({
        scenario: {
          launchSpec: 'mixed-instances',
          group: { distribution: { OnDemandPercentageAboveBaseCapacity: 0 } },
        },
      });
      const { clientOptions } = staged.account.session({
        interceptors: [
          {
            before({ operation, input }) {
              if (
                operation !== 'ListContainerInstances' ||
                !('cluster' in input) ||
                input.cluster !== 'other'
              )
                return;
              throw new AwsError(code, 'no', 400);
            },
          },
        ],
      });
      const done = drainInterrupted(createAws(clientOptions), ['other', 'demo'], staged.ids()[0] ?? '');
      const [settled] = await staged.clock.drive(Promise.allSettled([done]));
      expect(settled.status).toBe(faults === 0 ? 'fulfilled' : 'rejected');
      expect(first(staged)?.containerInstance?.status).toBe('DRAINING');
    },
  );
});

describe('the role, as synthesized,', () => {
  const context = { clusters: 'demo', autoScalingGroupNames: GROUP, terminations: true };
  const home = { account: '123456789012', region: DEFAULT_REGION };

  function under(role: 'terminations' | 'interruption', found?: Scene['found']) {
    const policies = rolePolicies(home, context, role);
    let used: Permissions | undefined;
    let facts: ResourceFacts | undefined;
    const staged = setUp({
      ...(found && { found }),
      scenario: {
        launchSpec: 'mixed-instances',
        group: {
          warmPool: { size: 1, state: 'Stopped' },
          distribution: { OnDemandPercentageAboveBaseCapacity: 0 },
        },
      },
      furnish(world) {
        facts = resourceFacts(world);
      },
      stageOptions: {
        account: {
          get permissions() {
            if (facts !== undefined) used ??= enforce(policies, facts);
            return used;
          },
        },
      },
    });
    return { ...staged, unused: () => used?.unused() };
  }

  const LOG = ['logs:CreateLogStream', 'logs:PutLogEvents'];

  it('suffices to drain what Auto Scaling ends, and has no right that this does not need', async () => {
    const staged = under('terminations');
    staged.world.owner.setSizes(GROUP, { desiredCapacity: 3 });
    staged.clock.schedule(20, () => staged.world.faults.dropAgent(staged.waits()[0]?.instance.id ?? ''));
    await staged.pass(2400);
    expect(staged.faults).toEqual([]);
    expect(staged.ids()).toHaveLength(3);
    expect(staged.unused()).toEqual([...LOG, 'events:PutEvents']);
  });

  it('suffices to drain what Spot reclaims, and has no right that this does not need', async () => {
    const staged = under('interruption');
    const [id = ''] = staged.ids();
    staged.world.faults.interruptSpot(id);
    await staged.clock.drive(staged.clock.sleep(100));
    expect(staged.world.state.instances.get(id)?.containerInstance?.status).toBe('DRAINING');
    expect(staged.unused()).toEqual(LOG);
  });

  describe('suffices though they registered when ARNs did not name their cluster,', () => {
    const registersShort = (world: World) => {
      world.state.hasLongArns = false;
    };

    it('to drain what Auto Scaling ends', async () => {
      const staged = under('terminations', registersShort);
      staged.world.owner.setSizes(GROUP, { desiredCapacity: 3 });
      await staged.pass(2400);
      expect(staged.faults).toEqual([]);
      expect(staged.lostTooSoon()).toEqual([]);
      expect(staged.ended.map(({ step }) => step.because)).toEqual(['empty']);
    });

    it('to drain what Spot reclaims', async () => {
      const staged = under('interruption', registersShort);
      const [id = ''] = staged.ids();
      staged.world.faults.interruptSpot(id);
      await staged.clock.drive(staged.clock.sleep(100));
      expect(staged.world.state.instances.get(id)?.containerInstance?.status).toBe('DRAINING');
    });
  });
});

describe('status', () => {
  it('says who drains what ends, how long that may take, and what to know about it', async () => {
    const staged = setUp({
      scenario: { group: { warmPool: { size: 1, state: 'Stopped', reusesOnScaleIn: true } } },
      furnish: (world) =>
        void world.owner.addScalingPolicy(GROUP, {
          PolicyName: 'old',
          PolicyType: 'SimpleScaling',
          ScalingAdjustment: 1,
        }),
    });
    const status = async () => {
      const outcome = await staged.invoke({ action: 'status' });
      return outcome.kind === 'answered' ? outcome.groups[0] : undefined;
    };
    expect(await status()).toMatchObject({
      endsDrainedBy: 'ecs-ami-deploy',
      warnings: expect.arrayContaining([
        expect.stringContaining('simple scaling policy'),
        expect.stringContaining('ReuseOnScaleIn'),
      ]),
    });
    expect(await status()).not.toHaveProperty('ending');
    await staged.clock.drive(terminate(staged));
    staged.clock.advance(65);
    expect((await status())?.ending).toEqual([
      'i-00000000000000001 is ending, drained by ecs-ami-deploy, 29 min left',
    ]);
  });
});

describe('status and plan', () => {
  const LEAVING: readonly {
    readonly what: string;
    readonly minutes: number;
    readonly warning?: RegExp;
    readonly isSentRequests?: true;
    readonly service?: Parameters<World['addService']>[1];
  }[] = [
    { what: 'nothing where the time is enough', minutes: 6 },
    {
      what: 'that a load balancer and a stop take longer than what ends may',
      minutes: 5,
      warning: /may take 5 min; a task of service \S+ may need 330 s .* raise terminationTimeout/,
    },
    {
      what: "of a stop timeout, the longest of the cluster's",
      minutes: 30,
      service: { name: 'slow', definition: { stopTimeout: 7200 } },
      warning: /may take 30 min; a task of service slow may need 7500 s/,
    },
    {
      what: "that the group's own target group has to let go of it before",
      minutes: 10,
      isSentRequests: true,
      warning: /may take 10 min; .* may need 630 s/,
    },
  ];

  it.each(LEAVING)('tell $what', async ({ minutes, warning, isSentRequests, service }) => {
    const staged = setUp({
      hasHook: false,
      furnish(world) {
        addDrainHook(world, GROUP, minutes);
        if (isSentRequests)
          world.state.groups.get(GROUP)?.targetGroupArns.add(world.addTargetGroup({ name: 'own' }).arn);
        if (service) world.addService('demo', { isLoadBalanced: true, ...service });
      },
    });
    for (const action of ['status', 'plan']) {
      const outcome = await staged.invoke({ action });
      const warnings = outcome.kind === 'answered' ? (outcome.groups[0]?.warnings ?? []) : [];
      const told = warnings.filter((each) => each.includes('terminationTimeout'));
      expect(told).toEqual(warning ? [expect.stringMatching(warning)] : []);
    }
  });
});

const SPOT: (typeof ENDS)[number] = {
  by: 'a reclaimed Spot Instance',
  count: 1,
  scenario: {
    launchSpec: 'mixed-instances',
    group: { distribution: { OnDemandPercentageAboveBaseCapacity: 0 } },
  },
  end: ({ world, ids }) => world.faults.interruptSpot(ids()[0] ?? '', 0),
};

describe('killed', () => {
  it.each([...ENDS, SPOT])(
    'at any of its calls, or with an answer lost, $by ends as if nothing had happened, and is told',
    async ({ end, count, scenario = {} }) => {
      const play = async (interceptors: TerminationsOptions['interceptors']) => {
        const staged = setUp({ scenario, options: interceptors && { interceptors } });
        const before = staged.ids();
        await staged.clock.drive(Promise.resolve(end(staged)));
        await staged.pass(3600);
        return { ...staged, gone: before.filter((id) => !staged.ids().includes(id)).sort() };
      };
      // The first may be the tick's, which finds nothing yet.
      const undisturbed = await play(undefined);
      const calls = Math.max(...undisturbed.account.calls.log.map(({ numberInSession }) => numberInSession));
      const kills = Array.from({ length: Math.min(calls, 80) }, (_, index) => [
        killBefore(index + 1),
        killAfter(index + 1),
      ]).flat();
      for (const kill of sampled(kills, 8)) {
        const staged = await play((invocation) => (invocation === 1 ? [kill] : []));
        expect(staged.count().kills).toBeLessThanOrEqual(1);
        expect(staged.lostTooSoon()).toEqual([]);
        expect(staged.waits()).toEqual([]);
        expect(staged.gone).toHaveLength(count);
        expect(staged.gone).toEqual(undisturbed.gone);
        expect(staged.faults).toEqual([]);
        if (undisturbed.ended.length === count)
          expect([...new Set(staged.ended.map(({ instanceId }) => instanceId))].sort()).toEqual(staged.gone);
      }
    },
  );

  it('right after it let go, or right before, its end was told already, by one id', async () => {
    for (const kill of [killBefore, killAfter]) {
      const undisturbed = setUp();
      await undisturbed.clock.drive(terminate(undisturbed));
      await undisturbed.pass(900);
      const letsGo = undisturbed.account.calls.log.find(
        ({ operation }) => operation === 'CompleteLifecycleAction',
      );
      const staged = setUp({
        options: {
          interceptors: (invocation) => (invocation === 0 ? [kill(letsGo?.numberInSession ?? 0)] : []),
        },
      });
      await staged.clock.drive(terminate(staged));
      await staged.pass(900);
      expect(staged.count().kills).toBe(1);
      expect(staged.waits()).toEqual([]);
      expect(new Set(staged.ended.map((each) => terminationEvent(each)?.id)).size).toBe(1);
    }
  });

  it('again and again, an agent that is away has its ten minutes anew, but no more than the whole time', async () => {
    const staged = setUp({ options: { timeoutSeconds: 1800, interceptors: () => [killAfter(12)] } });
    const [id = ''] = staged.ids();
    staged.world.faults.dropAgent(id);
    await staged.clock.drive(terminate(staged));
    await staged.pass(3000);
    expect(staged.count().kills).toBeGreaterThan(2);
    expect(staged.ended).toMatchObject([{ step: { because: 'late' } }]);
    expect(staged.waits()).toEqual([]);
  });

  it('twice at once does no harm', async () => {
    const staged = setUp({ scenario: { instances: 6 } });
    staged.world.owner.setSizes(GROUP, { desiredCapacity: 4 });
    const other = deployTerminations({ ...staged, groups: [GROUP] });
    void other.pass(1800);
    await staged.pass(1800);
    expect([...staged.faults, ...other.faults]).toEqual([]);
    expect(staged.lostTooSoon()).toEqual([]);
    expect(staged.waits()).toEqual([]);
  });
});

describe('in bad weather', () => {
  const SEEDS = Array.from({ length: 12 }, (_, index) => index + 1);

  it.each(SEEDS)('with lag, faults, lost events and kills, by seed %i, all end drained', async (seed) => {
    const random = randomNumbers(seed);
    const staged = setUp({
      scenario: { instances: 8, services: 3 },
      stageOptions: {
        seed,
        account: {
          lag: { seconds: 8, share: 0.5, seed },
          faults: { serverErrors: 0.02, lostAnswers: 0.02 },
          latencySeconds: 0.2,
        },
      },
      options: {
        losesEvents: seed % 3 === 0,
        interceptors: (invocation) =>
          invocation < 6 && random() < 0.5 ? [killAfter(Math.ceil(random() * 40))] : [],
      },
    });
    const { world, clock } = staged;
    world.owner.setSizes(GROUP, { desiredCapacity: 6 });
    clock.schedule(100, () => world.faults.setUnhealthy(staged.ids()[random() < 0.5 ? 3 : 4] ?? ''));
    clock.schedule(900, () => world.owner.setSizes(GROUP, { desiredCapacity: 5 }));
    await staged.pass(5400);
    expect(staged.lostTooSoon()).toEqual([]);
    expect(staged.waits()).toEqual([]);
    expect(staged.ids()).toHaveLength(5);
    expect(
      [...world.state.instances.values()].flatMap(({ containerInstance: one }) =>
        one?.status === 'DRAINING' && one.instance.state === 'running' ? [one] : [],
      ),
    ).toEqual([]);
  });
});

describe('beside a roll', () => {
  it.each<Record<string, string>>([{}, { TERMINATE_HOOKS: 'run' }, { MAX_SURGE: '0' }])(
    "that ends its own by %o, these pass, and it isn't held up",
    async (environment) => {
      const play = async (drains: boolean) => {
        const staged = setUp({
          stageOptions: {
            environment,
            expectations: {
              ...('MAX_SURGE' in environment && { maxSurge: 0 }),
              ...('TERMINATE_HOOKS' in environment && { endsMembers: true }),
            },
          },
          hasHook: drains,
        });
        const begun = staged.clock.now();
        await staged.roll();
        return { staged, seconds: (staged.clock.now() - begun) / 1000 };
      };
      const [without, with_] = [await play(false), await play(true)];
      expect(with_.staged.lostTooSoon()).toEqual([]);
      expect(with_.staged.waits()).toEqual([]);
      // Each of its four may wait for one look.
      expect(with_.seconds - without.seconds).toBeLessThan(4 * 30);
    },
  );
});
