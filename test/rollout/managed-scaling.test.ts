import { expect, test } from 'vitest';
import type { Group } from '../simulated-aws/world/autoscaling/model.ts';
import type { CapacityProviderOptions } from '../simulated-aws/world/ecs/capacity-providers.ts';
import type { GroupOptions } from '../simulated-aws/world/group-builder.ts';
import { type Stage, type StageOptions, stage, TRUE_DEFAULTS } from './stage.ts';

const NAME = 'demo-ecs';
const HOUR_SECONDS = 3600;
/** Of an m5.large: two to an instance fill it. */
const TASK_CPU = 1000;

interface Setting extends Pick<StageOptions, 'environment' | 'expectations' | 'delays'> {
  readonly instances: number;
  readonly provider?: Partial<CapacityProviderOptions>;
  readonly group?: Partial<GroupOptions>;
  /** Default: enough to fill all instances. */
  readonly tasks?: number;
}

/**
 * A group that a capacity provider scales by what its tasks need, and how often it was made smaller for that.
 */
function scaled({ instances, provider, group, tasks = 2 * instances, ...options }: Setting) {
  let scaledIn = 0;
  const staged = stage({
    ...options,
    shortcut: true,
    furnish(world) {
      world.addCluster('demo');
      const image = world.release('amazon-linux-2023', { ageDays: 40 });
      const sizes = { minSize: 1, maxSize: 2 * instances };
      const spec = { launchSpec: 'launch-template', version: '$Latest' } as const;
      world.addGroup({ name: NAME, cluster: 'demo', image, instances, ...sizes, ...spec, ...group });
      world.addCapacityProvider({ name: 'scaled', cluster: 'demo', group: NAME, ...provider });
      world.addService('demo', { name: 'log-router', strategy: 'DAEMON', cpu: 10 });
      const web = { name: 'web', desiredCount: tasks, cpu: TASK_CPU, capacityProvider: 'scaled' };
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

function groupOf({ world }: Pick<Stage, 'world'>): Group {
  const group = world.state.groups.get(NAME);
  if (group === undefined) throw new Error('no group');
  return group;
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

const SLOW = { delays: { taskStopSeconds: 120 } };
const PROTECTED = {
  provider: { managedTerminationProtection: 'ENABLED' },
  group: { protectsNewInstances: true },
} as const;

test.each([
  ['by default', {}, TRUE_DEFAULTS],
  ['that counts what is detached', { provider: { countsDetached: true } }, TRUE_DEFAULTS],
  ['under managed termination protection', PROTECTED, TRUE_DEFAULTS],
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
