import { describe, expect, test } from 'vitest';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import { textOn } from '../sealed.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import type { ServiceOptions } from '../simulated-aws/world/service-builder.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { afterTag, crash, groupOf, isDrain, keepInvoking, once, serviceOf, told } from './happenings.ts';
import { groupsOf, only } from './outcomes.ts';
import { type StageOptions, stage, standardStage } from './stage.ts';

const MINUTE = 60;

const staged = (options?: Partial<StageOptions>) => standardStage({ instances: 3, version: '1' }, options);

const BROKEN_SERVICE = { name: 'broken', desiredCount: 2, isCrashing: true, isSteady: false } as const;

const having = (options: ServiceOptions) => (world: World) => void world.addService('demo', options);

/** As the owner has left them before the roll. */
const BROKEN: Record<string, { furnish: (world: World) => void; warning?: RegExp }> = {
  'whose tasks crash': {
    furnish: having(BROKEN_SERVICE),
    warning: /^service broken was not steady before the roll, with 0 tasks running: it doesn't hold it up/,
  },
  'that needs more than any instance has': {
    furnish: having({ name: 'broken', desiredCount: 1, cpu: 100_000, isSteady: false }),
    warning: /^service broken was not steady before the roll, with 0 tasks/,
  },
  'that runs as many tasks as find a place': {
    furnish(world) {
      const bounds = { minimumHealthyPercent: 0, maximumPercent: 100 };
      world.addService('demo', { name: 'broken', desiredCount: 3, cpu: 1024, ...bounds });
      world.owner.setDesiredCount('demo', 'broken', 40);
    },
    warning: /^service broken was not steady before the roll, with \d+ tasks running/,
  },
  'of CodeDeploy whose tasks crash': {
    furnish: having({ ...BROKEN_SERVICE, controller: 'CODE_DEPLOY' }),
    warning: /^service broken was not steady before the roll/,
  },
  'with task sets whose tasks crash': {
    furnish: having({ ...BROKEN_SERVICE, controller: 'EXTERNAL' }),
    warning: /^service broken was not steady before the roll/,
  },
};

describe.each(Object.entries(BROKEN))('a service %s', (_, { furnish, warning = /./ }) => {
  test.each([0, 1])('before the roll is reported, and does not hold it up (CANARY %i)', async (canary) => {
    const staging = staged({ furnish, environment: { CANARY: String(canary) } });
    staging.clock.advance(20 * MINUTE);
    expect(only(await staging.invoke({ action: 'plan' })).warnings).toContainEqual(
      expect.stringMatching(warning),
    );
    const said = only(await staging.invoke());
    expect(said.warnings).toContainEqual(expect.stringMatching(warning));
    await staging.finish();
    expect(told(staging, /rolls back|gives up/)).toEqual([]);
    staging.invariants.assertFinished();
    expect(staging.invariants.metrics().instancesReplaced).toBe(3);
  });
});

describe('a service that was not steady before the roll', () => {
  test('and gets worse holds the roll up, and is named', async () => {
    const staging = staged({
      furnish(world) {
        world.addService('demo', {
          name: 'big',
          desiredCount: 3,
          cpu: 1024,
          minimumHealthyPercent: 0,
          maximumPercent: 100,
        });
        world.owner.setDesiredCount('demo', 'big', 40);
      },
    });
    staging.clock.advance(5 * MINUTE);
    once(staging.world, isDrain, () => {
      staging.world.faults.crashTasksOn({ service: 'big' });
      for (const task of serviceOf(staging.world, 'big').tasks) crash(staging.world, task);
    });
    const [said] = await keepInvoking(staging, 70);
    expect(said?.state).toBe('blocked');
    expect(said?.reason).toMatch(/service big runs \d of 40 tasks, and ran \d before/);
    expect(told(staging, /rolls back/)).toEqual([]);
    staging.invariants.assertHeld();
  });

  test('and has fewer tasks than it must keep can lose none, and that is reported', async () => {
    const staging = stage({
      shortcut: true,
      furnish(world) {
        standardScenario({ world, instances: 1, services: 1, version: '1' });
        world.addService('demo', { name: 'big', desiredCount: 1, cpu: 1024 });
        world.owner.setDesiredCount('demo', 'big', 40);
      },
    });
    staging.clock.advance(5 * MINUTE);
    const [said] = await keepInvoking(staging, 45);
    expect(said).toMatchObject({
      state: 'blocked',
      reason: expect.stringMatching(/has lost no task for 1800 s.*1 task of service big left on i-0+1/),
    });
    staging.invariants.assertHeld();
  });

  test('is recorded on the group as long as the roll lasts', async () => {
    const staging = staged({
      furnish: having(BROKEN_SERVICE),
    });
    staging.clock.advance(5 * MINUTE);
    const seen: string[] = [];
    afterTag(
      staging,
      GROUP_TAGS.unsteady,
      () => true,
      0,
      () => {
        seen.push(textOn(groupOf(staging), GROUP_TAGS.unsteady) ?? '');
      },
    );
    await staging.invoke();
    await staging.finish();
    expect(seen).toEqual([expect.stringMatching(/^broken=\d$/)]);
    expect([...groupOf(staging).tags.keys()]).toEqual([]);
  });

  test.each(['CODE_DEPLOY', 'EXTERNAL'] as const)(
    'does not include a healthy %s service',
    async (controller) => {
      const staging = staged({ furnish: having({ name: 'blue-green', desiredCount: 3, controller }) });
      const said = only(await staging.invoke());
      expect(said.warnings).toBeUndefined();
      await staging.finish();
      staging.invariants.assertFinished();
    },
  );
});

describe('a service that is healthy before the roll', () => {
  test('with a desired count of 0 does not matter', async () => {
    const staging = staged({ furnish: having({ name: 'none', desiredCount: 0 }) });
    expect(only(await staging.invoke()).warnings).toBeUndefined();
    await staging.finish();
    staging.invariants.assertFinished();
  });

  test('and outgrows the room there is holds the roll up, and is named', async () => {
    const staging = staged();
    once(staging.world, isDrain, () => staging.world.owner.setDesiredCount('demo', 'worker', 200));
    const [said] = await keepInvoking(staging, 120);
    expect(said?.state).toBe('blocked');
    expect(staging.log.join('\n')).toMatch(/service worker (runs \d+ of 200 tasks|ran short of tasks)/);
    expect(told(staging, /rolls back/)).toEqual([]);
    staging.world.owner.setDesiredCount('demo', 'worker', 3);
    await staging.roll();
  });

  test('and starts to crash everywhere in the middle holds the roll up, and is named', async () => {
    const staging = staged();
    once(staging.world, isDrain, () => staging.world.faults.setCrashing('demo', 'worker', true));
    const [said] = await keepInvoking(staging, 90);
    expect(['blocked', 'rolled-back']).toContain(said?.state);
    expect(staging.log.join('\n')).toMatch(/worker/);
  });
});

test.each<[string, ServiceOptions | undefined, (world: World) => void]>([
  [
    'that crashed before the roll recovers',
    BROKEN_SERVICE,
    (world) => world.faults.setCrashing('demo', 'broken', false),
  ],
  ['that crashed before the roll is deleted', BROKEN_SERVICE, (world) => world.owner.deleteService('broken')],
  ['that was healthy is deleted', undefined, (world) => world.owner.deleteService('worker')],
  ['that was healthy wants no task', undefined, (world) => world.owner.setDesiredCount('demo', 'worker', 0)],
])('a service %s in the middle of the roll, which goes on', async (_, service, happens) => {
  const staging = staged(service && { furnish: having(service) });
  staging.clock.advance(5 * MINUTE);
  once(staging.world, isDrain, () => happens(staging.world));
  await staging.roll();
});

test('a deployment in progress when a roll would begin is waited for, without a warning', async () => {
  const staging = staged();
  staging.world.owner.startDeployment('web', { seconds: 300 });
  const [said] = groupsOf(await staging.invoke());
  expect(said?.warnings).toBeUndefined();
  await staging.finish();
  staging.invariants.assertFinished();
});
