import { expect, test } from 'vitest';
import type { Interceptor } from '../simulated-aws/account/call.ts';
import { createRandom } from '../simulated-aws/world/random.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import { keepInvoking, told } from './happenings.ts';
import { stage, standardStage } from './stage.ts';
import { BRISK } from './sweep.ts';

const SEEDS = Array.from({ length: 50 }, (_, index) => index + 1);

/** A call may leave up to this much time between what was seen and what is done about it. */
const LONGEST_CALL_SECONDS = 20;

test.each(SEEDS)('two concurrent invocations do the group no harm (seed %i)', async (seed) => {
  const random = createRandom(seed);
  const launchSpec = seed % 2 === 0 ? 'launch-configuration' : 'launch-template';
  const { invokeTogether, finish, invariants, account } = stage({
    ...BRISK,
    seed,
    environment: {
      ...BRISK.environment,
      POLL_SECONDS: seed % 4 === 0 ? '2' : '15',
      MAX_SURGE: seed % 3 === 0 ? '2' : '100%',
    },
    expectations: { maxSurge: seed % 3 === 0 ? 2 : 4 },
    account: { latencySeconds: () => random() ** 4 * LONGEST_CALL_SECONDS },
    furnish: (world) => standardScenario({ world, launchSpec, version: '$Default' }),
  });
  const outcomes = await invokeTogether([{ action: 'roll' }, { action: 'roll' }], random() * 60);
  expect(JSON.stringify(outcomes)).not.toMatch(/failed/);
  await finish();
  invariants.assertFinished();
  expect(invariants.metrics().instancesReplaced).toBe(4);
  expect(account.bugs).toEqual([]);
});

const WAYS = {
  detach: {},
  'scale-out': { TERMINATE_HOOKS: 'run', RAISE_MAX_SIZE: 'true' },
  'in-place': { MAX_SURGE: '0' },
};
const LOOKS = Object.entries(WAYS).flatMap(([way, environment]) =>
  SEEDS.slice(0, 8).map((seed) => ({ way, environment, seed })),
);

test.each(LOOKS)('a look beside a roll finds no tag of it forged ($way, seed $seed)', async (each) => {
  const random = createRandom(each.seed);
  const { clock, invoke } = stage({
    ...BRISK,
    seed: each.seed,
    environment: { ...BRISK.environment, ...each.environment },
    // A group and its instances are read that long apart.
    account: { latencySeconds: () => random() ** 4 * LONGEST_CALL_SECONDS },
    furnish: (world) => standardScenario({ world, instances: 3 }),
  });
  let isRolling = true;
  const rolling = invoke().finally(() => {
    isRolling = false;
  });
  const told = [];
  while (isRolling) {
    told.push(await invoke({ action: 'status' }));
    await clock.drive(clock.sleep(random() * 10));
  }
  await rolling;
  expect(told.length).toBeGreaterThan(5);
  expect(JSON.stringify(told)).not.toContain('untrusted');
});

test.each(['exits', 'fails-to-start', 'fails-health-checks'] as const)(
  'a look beside a roll comes to an end while its tasks fail: each %s',
  async (mode) => {
    const staging = standardStage({ instances: 4, services: 2, version: '1' });
    const { clock, invoke, world } = staging;
    world.faults.crashTasksOn({ imageId: 'ami-00000000000000002', mode });
    let isRolling = true;
    const rolling = keepInvoking(staging, 60).finally(() => {
      isRolling = false;
    });
    const said: string[] = [];
    while (isRolling) {
      said.push(JSON.stringify(await invoke({ action: 'plan' })));
      await clock.drive(clock.sleep(30));
    }
    expect(await rolling).toMatchObject([{ state: 'rolled-back' }]);
    expect(said.filter((each) => each.includes('stop by themselves')).length).toBeGreaterThan(0);
    expect(said.filter((each) => /"failed"|has no end/.test(each))).toEqual([]);
  },
);

/** What the group launched is recorded as a roll begins: with an image of the roll there is no way back. */
test('an invocation that saw no roll, and then what another has given the group, does not begin it again', async () => {
  let isSlow = false;
  const latencySeconds = () => {
    const seconds = isSlow ? 60 : 0;
    isSlow = false;
    return seconds;
  };
  const staging = stage({
    account: { latencySeconds },
    environment: { MAX_SURGE: '0' },
    expectations: { maxSurge: 0, endings: ['rolled-back'] },
    furnish(world) {
      const { newImage } = standardScenario({ world, launchSpec: 'launch-template', version: '$Latest' });
      const { id: imageId } = newImage;
      world.faults.failLaunches('demo-ecs', { message: `${imageId} is broken`, imageId });
    },
  });
  let looks = 0;
  const sawNone: Interceptor = {
    after({ operation }) {
      if (operation === 'DescribeAutoScalingGroups' && ++looks === 2) isSlow = true;
    },
  };
  await staging.invokeTogether([{ action: 'roll' }, { action: 'roll' }], 5, [[sawNone], []]);
  expect(told(staging, /overtaken: the roll of group demo-ecs has begun/)).not.toEqual([]);
  await staging.finish();
  staging.invariants.assertFinished();
});
