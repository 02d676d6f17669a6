import { describe, expect, test } from 'vitest';
import { AWS_DEFAULTS } from '../simulated-aws/world/delays.ts';
import { READINGS } from '../simulated-aws/world/readings.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { keepInvoking, launchedFrom, told, toldAt } from './happenings.ts';
import { type Stage, type StageOptions, standardStage } from './stage.ts';
import { addDrainHook, deployTerminations } from './terminations.ts';

const OLD = 'ami-00000000000000001';
const GROUP = 'demo-ecs';

/** A proxy on each instance, that a load balancer sends requests to. */
const addProxy = (world: World) =>
  world.addService('demo', { name: 'proxy', strategy: 'DAEMON', isLoadBalanced: true });

function staged({ furnish, ...options }: Partial<StageOptions> = {}, services = 2): Stage {
  return standardStage(
    { instances: 3, services, group: { maxSize: 10 } },
    {
      ...options,
      furnish(world) {
        addProxy(world);
        furnish?.(world);
      },
    },
  );
}

const ROLLS: readonly { readonly name: string; readonly options: Partial<StageOptions> }[] = [
  { name: 'quick', options: {} },
  { name: "with AWS's defaults", options: { delays: AWS_DEFAULTS } },
  { name: 'as its group ends members', options: { environment: { TERMINATE_HOOKS: 'run' } } },
  {
    name: 'without a surge',
    options: { environment: { MAX_SURGE: '0' }, expectations: { inPlace: true } },
  },
];

describe.each(READINGS.daemonsOnDraining)('daemons behind a load balancer, stopped %s,', (reading) => {
  const furnish = (world: World) => void Object.assign(world.state.readings, { daemonsOnDraining: reading });

  test.each(ROLLS)('leave it before their instance ends: $name', async ({ options }) => {
    await staged({ ...options, furnish }).roll();
  });

  test('are all that runs', async () => {
    await staged({ furnish, delays: AWS_DEFAULTS }, 0).roll();
  });

  test('leave what Auto Scaling ends', async () => {
    const { clock, world, account } = staged({
      furnish(world) {
        furnish(world);
        addDrainHook(world, GROUP);
      },
      delays: AWS_DEFAULTS,
    });
    const terminations = deployTerminations({ clock, world, account, groups: [GROUP] });
    world.owner.setSizes(GROUP, { desiredCapacity: 2 });
    await terminations.pass(1800);
    expect(terminations.ended.map(({ step }) => step.because)).toEqual(['empty']);
    expect(terminations.lostTooSoon().map(({ task }) => task.group)).toEqual([]);
  });
});

/** Seconds between the first and the last drain. */
function drainsOf({ log }: Stage): number {
  const times = told({ log }, / {2}drain i-/).map((line) => toldAt({ log: [line] }, /./));
  return (times.at(-1) ?? 0) - (times[0] ?? 0);
}

test('a daemon that leaves its load balancer holds up no other drain, and a plain one nothing', async () => {
  const [plain, balanced] = [
    standardStage({ instances: 4, loadBalanced: 0 }, { delays: AWS_DEFAULTS }),
    standardStage({ instances: 4, loadBalanced: 0 }, { delays: AWS_DEFAULTS, furnish: addProxy }),
  ] as const;
  await plain.roll();
  await balanced.roll();
  expect(drainsOf(balanced) - drainsOf(plain)).toBeLessThan(60);
});

test('a daemon that never leaves its load balancer is not waited for longer than a drain may take', async () => {
  const staging = staged(
    {
      delays: { deregistrationSeconds: 1_000_000 },
      environment: { DRAIN_TIMEOUT_SECONDS: '900' },
      lambdaSeconds: 10_000,
    },
    0,
  );
  await keepInvoking(staging, 240);
  expect(launchedFrom(staging.world, OLD).filter(({ state }) => state === 'running')).toEqual([]);
  expect(staging.endings).toEqual(['completed']);
  expect(told(staging, /gives up|blocked/)).toEqual([]);
});
