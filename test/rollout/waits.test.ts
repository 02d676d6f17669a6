import { describe, expect, test } from 'vitest';
import { textOn } from '../sealed.ts';
import { addVersion } from '../simulated-aws/world/ec2/launch-templates.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { groupOf, keepInvoking } from './happenings.ts';
import { only } from './outcomes.ts';
import { type Stage, type StageOptions, stage } from './stage.ts';

const MINUTE = 60;
const standard = (world: World, instances = 2) =>
  standardScenario({ world, instances, services: 1, launchSpec: 'launch-configuration' });

function staged(options: Partial<StageOptions> = {}): Stage {
  return stage({ shortcut: true, furnish: (world) => void standard(world), ...options });
}

describe('a wait that takes too long', () => {
  test('for replacements whose agent never comes ends in a rollback, with the cause', async () => {
    const staging = staged({
      expectations: { endings: ['rolled-back'] },
      furnish: (world) => {
        const { newImage } = standard(world);
        world.faults.spoilImage(newImage.id);
      },
    });
    expect(only(await staging.invoke()).state).toBe('in-progress');
    expect(await staging.finish()).toMatchObject([
      {
        state: 'rolled-back',
        reason: expect.stringMatching(
          /^the roll was rolled back \(after 900 s.*replacements are not ready: i-0+3 is InService but not registered/,
        ),
      },
    ]);
    staging.invariants.assertFinished();
    expect(textOn(groupOf(staging), 'ecs-ami-deploy-rejected')).toBe('ami-00000000000000002');
    expect(only(await staging.invoke())).toMatchObject({
      state: 'skipped',
      reason: expect.stringMatching(/^ami-0+2 is not tried again \(rolled back: after 900 s/),
    });
  });

  test("for such replacements blocks if the roll hasn't changed what the group launches, and removes nothing", async () => {
    const staging = staged({
      furnish: (world) => {
        const { group, newImage } = standardScenario({
          world,
          instances: 2,
          services: 1,
          version: '$Latest',
        });
        world.faults.spoilImage(newImage.id);
        if (group.launchSpec.kind !== 'launch-template') throw new Error('by a launch template');
        const { template } = group.launchSpec;
        const { BlockDeviceMappings: _, ...before } = template.versions.get(1)?.data ?? {};
        const data = { ...before, ImageId: newImage.id };
        addVersion(world.state, template, data, 'by its owner', 'owner');
      },
    });
    const [said] = await keepInvoking(staging, 30);
    expect(said?.state).toBe('blocked');
    expect(said?.reason).toBe(
      'after 900 s, replacements are not ready: i-00000000000000003 is InService but not registered in the cluster; ' +
        "i-00000000000000004 is InService but not registered in the cluster; it can't be rolled back, as the roll " +
        'has not changed what the group launches: fix that, or order `ecs-ami-deploy abort`; ' +
        'meanwhile: AZRebalance and InstanceRefresh suspended by us',
    );
    const old = ['i-00000000000000001', 'i-00000000000000002'].map((id) =>
      staging.world.state.instances.get(id),
    );
    expect(old.map((instance) => [instance?.state, instance?.containerInstance?.status])).toEqual([
      ['running', 'ACTIVE'],
      ['running', 'ACTIVE'],
    ]);
    staging.invariants.assertHeld();
  });
});

describe('time', () => {
  test('an invocation ends a minute before Lambda would end it, and the next goes on', async () => {
    const staging = staged({ furnish: (world) => void standard(world, 16), expectations: { maxSurge: 16 } });
    const begun = staging.clock.now();
    expect(only(await staging.invoke()).state).toBe('in-progress');
    const seconds = (staging.clock.now() - begun) / 1000;
    expect(seconds).toBeGreaterThan(13 * MINUTE);
    expect(seconds).toBeLessThanOrEqual(14 * MINUTE);
    await staging.finish();
    staging.invariants.assertFinished();
  });
});

describe('faults', () => {
  test('a missing cluster fails and is named, and the others are rolled', async () => {
    const { invoke } = staged({ environment: { CLUSTERS: 'nowhere,demo' } });
    expect(await invoke()).toMatchObject({
      groups: [
        { cluster: 'demo', state: 'completed' },
        { cluster: 'nowhere', group: '*', state: 'failed', reason: /cluster nowhere does not exist/ },
      ].map((row) => ({ ...row, reason: expect.stringMatching(row.reason ?? '') })),
    });
  });

  test('throttling, server errors and lost answers are retried', async () => {
    const { account, roll } = staged({
      // The retries are the SDK's.
      shortcut: false,
      account: {
        throttling: { everyNth: 5 },
        faults: { serverErrors: 0.03, lostAnswers: 0.03 },
        latencySeconds: 0.05,
      },
    });
    await roll();
    expect(account.calls.log.filter(({ error }) => error !== undefined).length).toBeGreaterThan(50);
  });
});
