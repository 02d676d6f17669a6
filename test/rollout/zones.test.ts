import { describe, expect, it } from 'vitest';
import type { Readings } from '../simulated-aws/world/readings.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { oneGroup } from './happenings.ts';
import { type Answer, ASKS, addHook } from './hook.ts';
import { type StageOptions, stage, TRUE_DEFAULTS } from './stage.ts';
import { eventsIn, TELLS } from './told.ts';

type TargetGroupOptions = Parameters<World['addTargetGroup']>[0];
const ties: readonly Readings['zoneWhenEven'][] = ['first', 'last-launched'];

interface Sizes {
  readonly instances?: number;
  readonly maxSize?: number;
}

/** A group in three zones behind a Network Load Balancer, which by default serves each from itself. */
function rolled(
  zoneWhenEven: Readings['zoneWhenEven'],
  environment: StageOptions['environment'],
  { instances = 3, maxSize = 4 * instances, ...targetGroup }: Partial<TargetGroupOptions> & Sizes = {},
) {
  return stage({
    environment: { ...TRUE_DEFAULTS, ...environment },
    expectations: {
      drainConcurrency: Number(environment?.DRAIN_CONCURRENCY ?? 1),
      // A launch may come up in a zone that needs none.
      surplus: 2,
    },
    furnish(world) {
      world.state.readings.zoneWhenEven = zoneWhenEven;
      const { arn } = world.addTargetGroup({ name: 'web', balancer: 'network', ...targetGroup });
      const launchSpec = 'launch-configuration';
      oneGroup(world, { launchSpec, instances, maxSize, targetGroupArns: [arn] });
    },
  });
}

/** What it asked of load balancers' attributes. */
const asked = ({ account }: ReturnType<typeof stage>) =>
  new Set(account.calls.log.map(({ operation }) => operation).filter((each) => /Attributes/.test(each)));

describe.each(ties)(
  'a zone that a load balancer serves from itself keeps a target; even zones: %s',
  (tie) => {
    it.each<[string, StageOptions['environment'], number?]>([
      ['by default', {}],
      ['without a trial', { CANARY: '0' }],
      ['ending members through the group', { TERMINATE_HOOKS: 'run' }],
      [
        'ending several at once through the group',
        { TERMINATE_HOOKS: 'run', CANARY: '0', DRAIN_CONCURRENCY: '3' },
      ],
      ['with a surge of as many as zones', { MAX_SURGE: '3' }],
      ['with two members a zone', {}, 6],
      ['with four members in three zones', {}, 4],
    ])('%s', async (_, environment, instances = 3) => {
      const made = rolled(tie, environment, { instances });
      await made.roll();
      expect(made.invariants.metrics().instancesReplaced).toBeGreaterThanOrEqual(instances);
    });

    it('as many members as a trial has, one by one', async () => {
      const made = rolled(tie, { CANARY: '2' }, { instances: 2, maxSize: 3 });
      await made.roll();
      expect(made.endings).toEqual(['completed']);
    });
  },
);

it.each(ties)(
  'a member in its turn stays where its replacement has died since; even zones: %s',
  async (tie) => {
    const made = rolled(tie, { TERMINATE_HOOKS: 'run', CANARY: '0' });
    const { world, log } = made;
    const zoneOf = (id: string) => world.state.instances.get(id)?.availabilityZone;
    let died = 0;
    world.subscribe(() => {
      const turn = /tag (i-0+3) as the next to drain$/.exec(log.at(-1) ?? '')?.[1];
      if (turn === undefined || died > 0) return;
      const [group] = world.state.groups.values();
      for (const id of group?.members.keys() ?? [])
        if (id !== turn && zoneOf(id) === zoneOf(turn)) {
          died++;
          world.faults.killInstance(id);
        }
    });
    await made.roll();
    expect(died).toBe(1);
  },
);

describe('where a load balancer sends requests to all zones', () => {
  it.each<[string, Partial<TargetGroupOptions>]>([
    ['an Application Load Balancer', { balancer: 'application' }],
    ['a Network Load Balancer that balances across zones', { balancesAcross: true }],
    ['a target group that does so itself', { crossZone: 'true' }],
    ['a Gateway Load Balancer that does', { balancer: 'gateway', balancesAcross: true }],
  ])('%s: no instance is launched for a zone', async (_, targetGroup) => {
    const made = rolled('last-launched', { CANARY: '1' }, targetGroup);
    await made.roll();
    // Three, and one that evens the zones out at the end.
    expect(made.invariants.metrics().instancesReplaced).toBe(4);
    expect(asked(made)).toContain('DescribeTargetGroupAttributes');
  });
});

describe('attributes of load balancers are read', () => {
  it('once by each invocation where a member is the last of its zone', async () => {
    const made = rolled('first', { CANARY: '1' });
    await made.invoke();
    expect(made.endings).toEqual(['completed']);
    const reads = made.account.calls.log.filter(({ operation }) => /Attributes/.test(operation));
    expect(reads.map(({ operation }) => operation)).toEqual([
      'DescribeTargetGroupAttributes',
      // Whether zones are served apart.
      'DescribeTargetGroupAttributes',
      'DescribeLoadBalancerAttributes',
    ]);
  });

  it('never for zones where each has others', async () => {
    const made = rolled('first', { CANARY: '1' }, { instances: 6 });
    await made.invoke();
    await made.finish();
    expect(made.endings).toEqual(['completed']);
    expect([...asked(made)]).toEqual(['DescribeTargetGroupAttributes']);
  });
});

describe('where a target group serves zones apart, its load balancer aside', () => {
  it.each<[string, Partial<TargetGroupOptions>]>([
    ['of an Application Load Balancer', { balancer: 'application', crossZone: 'false' }],
    ['of a Network Load Balancer', { balancesAcross: true, crossZone: 'false' }],
    ['of a Gateway Load Balancer', { balancer: 'gateway' }],
  ])('%s: each zone keeps a target', async (_, targetGroup) => {
    const made = rolled('last-launched', { CANARY: '1' }, targetGroup);
    await made.roll();
    expect(made.log.join('\n')).toMatch(/a zone would have no healthy target|makes the group larger by 1/);
  });
});

describe('where no zone can be kept', () => {
  it.each(['0', '1'])('by MAX_SURGE=%s, the roll goes on', async (MAX_SURGE) => {
    const made = rolled('last-launched', { MAX_SURGE, CANARY: '0' });
    await made.invoke();
    await made.finish();
    expect(made.endings).toEqual(['completed']);
  });
});

it('a member that stays for its zone is told of only with the batch by which it leaves', async () => {
  const made = rolled('last-launched', { ...TELLS });
  await made.invoke();
  await made.finish();
  expect(made.log.join('\n')).toContain('without which a zone would have no healthy target');
  const batches = eventsIn(made.world).filter(({ kind }) => kind === 'batch-done');
  const old = batches.flatMap(({ instances }) => instances.filter(({ role }) => role === 'old'));
  const ids = old.map(({ instanceId }) => instanceId);
  expect(ids).toHaveLength(new Set(ids).size);
});

describe.each(ties)('with a hook before each batch; even zones: %s', (tie) => {
  const asking = (answer?: Answer, environment: StageOptions['environment'] = {}) => {
    const made = rolled(tie, { ...ASKS, ...environment });
    const asked = addHook(made.world, answer);
    return { made, batches: () => asked.filter((each) => each.stage === 'before-batch') };
  };

  it.each<[string, StageOptions['environment']]>([
    ['detaching', {}],
    ['ending members through the group', { TERMINATE_HOOKS: 'run' }],
    ['several at once', { TERMINATE_HOOKS: 'run', CANARY: '0', DRAIN_CONCURRENCY: '3', MAX_SURGE: '3' }],
  ])('%s: it is asked once about each choice of who leaves, before it', async (_, environment) => {
    const { made, batches } = asking(undefined, environment);
    await made.roll();
    expect(made.endings).toEqual(['completed']);
    const choices = made.log.join('\n').match(/will replace \d|and replaces i-\w+ first/g) ?? [];
    expect(batches()).toHaveLength(choices.length);
    expect(new Set(batches().map(({ id }) => id)).size).toBe(choices.length);
  });
});

describe.each(ties)('a service behind a Network Load Balancer; even zones: %s', (tie) => {
  const play = (desiredCount: number, balancer: 'network' | 'application' = 'network') => {
    const emptied: string[] = [];
    const made = stage({
      environment: TRUE_DEFAULTS,
      furnish(world) {
        world.state.readings.zoneWhenEven = tie;
        world.addCluster('demo');
        const image = world.release('amazon-linux-2023', { ageDays: 40 });
        world.addGroup({ name: 'demo-ecs', cluster: 'demo', image, instances: 6, minSize: 1, maxSize: 24 });
        const shop = world.addService('demo', {
          name: 'shop',
          desiredCount,
          isLoadBalanced: true,
          balancer,
          availabilityZoneRebalancing: 'DISABLED',
        });
        world.release('amazon-linux-2023', { ageDays: 3 });
        world.subscribe((event) => {
          if (event.kind !== 'task-stopping' || event.task.service !== shop) return;
          const zones = [...shop.tasks]
            .filter(({ isHealthy, desiredStatus }) => isHealthy && desiredStatus === 'RUNNING')
            .map(({ containerInstance }) => containerInstance.instance.availabilityZone);
          if (new Set(zones).size < 3) emptied.push(event.task.containerInstance.instance.availabilityZone);
        });
      },
    });
    return { made, emptied };
  };

  it('has a healthy target in each zone throughout, where it has more tasks than zones', async () => {
    const { made, emptied } = play(4);
    await made.roll();
    expect(emptied).toEqual([]);
    expect(made.endings).toEqual(['completed']);
  });

  it('is rolled all the same where each zone has one task: nobody can tell ECS where to start another', async () => {
    const { made } = play(3);
    await made.roll();
    expect(made.endings).toEqual(['completed']);
  });

  it('is asked about once by each invocation, where it is an Application Load Balancer', async () => {
    const { made } = play(4, 'application');
    const asked = () => made.account.calls.log.filter(({ operation }) => /Attributes/.test(operation));
    await made.invoke();
    expect(asked()).toHaveLength(1);
    await made.invoke({ action: 'continue' });
    expect(asked()).toHaveLength(2);
  });
});

it.each([
  ['network', true],
  ['application', false],
] as const)(
  'a service behind a load balancer of the kind %s: told of before, %s',
  async (balancer, isTold) => {
    const made = stage({
      environment: { ...TRUE_DEFAULTS, MAX_SURGE: '0' },
      furnish(world) {
        world.addCluster('demo');
        const image = world.release('amazon-linux-2023', { ageDays: 40 });
        world.addGroup({ name: 'demo-ecs', cluster: 'demo', image, instances: 3, minSize: 1 });
        world.addService('demo', { name: 'shop', desiredCount: 3, isLoadBalanced: true, balancer });
        world.release('amazon-linux-2023', { ageDays: 3 });
      },
    });
    const answer = await made.invoke({ action: 'plan' });
    const told = JSON.stringify(answer).includes('shop sends requests in each zone only to what is there');
    expect(told).toBe(isTold);
  },
);
