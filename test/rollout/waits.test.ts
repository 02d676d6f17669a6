import { describe, expect, test } from 'vitest';
import { AwsError } from '../simulated-aws/operation.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { only } from './outcomes.ts';
import { type Stage, type StageOptions, stage } from './stage.ts';

const MINUTE = 60;
const standard = (world: World, instances = 2) =>
  standardScenario({ world, instances, services: 1, launchSpec: 'launch-configuration' });

function staged(options: Partial<StageOptions> = {}): Stage {
  return stage({ shortcut: true, furnish: (world) => void standard(world), ...options });
}

/** Invokes as the deployment does, for so many minutes, and answers what the last invocation said. */
async function keepInvoking({ invoke, clock }: Stage, minutes: number) {
  const until = clock.now() + minutes * MINUTE * 1000;
  let last = only(await invoke());
  while (clock.now() < until) {
    clock.advance(5 * MINUTE);
    last = only(await invoke({ action: 'continue' }));
  }
  return last;
}

describe('a wait that takes too long ends in blocked, and nothing is torn down', () => {
  test('replacements whose agent never comes', async () => {
    const staging = staged({
      furnish: (world) => {
        const { newImage } = standard(world);
        world.faults.spoilImage(newImage.id);
      },
    });
    const said = await keepInvoking(staging, 30);
    expect(said.state).toBe('blocked');
    expect(said.reason).toBe(
      'after 900 s, replacements are not ready: i-00000000000000003 is InService but not registered in the cluster; ' +
        'i-00000000000000004 is InService but not registered in the cluster; ' +
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

  test('a service that may neither lose a task nor start one, by the name of service and task; it goes on when its owner mends it', async () => {
    const staging = staged({
      furnish: (world) => {
        const { services } = standard(world);
        for (const service of services) Object.assign(service, { maximumPercent: 100 });
      },
    });
    const said = await keepInvoking(staging, 60);
    expect(said.state).toBe('blocked');
    expect(said.reason).toMatch(
      /^after 1800 s, i-0+1 drains: \d tasks? of service web left on i-0+1 \([0-9a-f]{32}(, [0-9a-f]{32})*\); meanwhile: AZRebalance and InstanceRefresh suspended by us$/,
    );
    staging.invariants.assertHeld();
    for (const service of staging.world.state.clusters.get('demo')?.services.values() ?? []) {
      Object.assign(service, { maximumPercent: 200 });
      staging.world.owner.setDesiredCount('demo', service.name, service.desiredCount);
    }
    expect(await staging.finish()).toMatchObject([{ state: 'completed' }]);
    staging.invariants.assertFinished();
  });

  test('a standalone task is waited for as long as it takes', async () => {
    const staging = staged({
      furnish: (world) => {
        standard(world);
        world.addStandaloneTask('demo', {
          family: 'night-job',
          instanceId: 'i-00000000000000001',
          lifetimeSeconds: 90 * MINUTE,
        });
      },
    });
    const said = await keepInvoking(staging, 50);
    expect(said).toMatchObject({ state: 'blocked' });
    expect(said.reason).toMatch(/1 task of family:night-job left on i-0+1 \([0-9a-f]+\)/);
    await staging.finish();
    staging.invariants.assertFinished();
    expect(staging.log.filter((line) => /overtaken|failed/.test(line))).toEqual([]);
  });
});

describe('time', () => {
  test('an invocation ends a minute before Lambda would end it, and the next goes on', async () => {
    const staging = staged({ furnish: (world) => void standard(world, 12), expectations: { maxSurge: 12 } });
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
  const denied = (group: string) => ({
    before({ operation, input }: { operation: string; input: object }) {
      if (
        operation === 'UpdateAutoScalingGroup' &&
        'AutoScalingGroupName' in input &&
        input.AutoScalingGroupName === group
      )
        throw new AwsError(
          'AccessDenied',
          `not authorized to perform: autoscaling:UpdateAutoScalingGroup on ${group}`,
          403,
        );
    },
  });

  test('a group that fails does not stop the others', async () => {
    const { invoke, invariants } = staged({
      furnish: (world) => {
        const { oldImage } = standard(world);
        world.addGroup({ name: 'a-group', cluster: 'demo', image: oldImage, instances: 1 });
      },
    });
    const outcome = await invoke({ action: 'roll' }, [denied('a-group')]);
    expect(outcome).toMatchObject({
      groups: [
        {
          group: 'a-group',
          state: 'failed',
          reason: 'AccessDenied: not authorized to perform: autoscaling:UpdateAutoScalingGroup on a-group',
        },
        { group: 'demo-ecs', state: 'completed' },
      ],
    });
    invariants.assertHeld();
  });

  test('a cluster that does not exist fails by its name, and the others are rolled', async () => {
    const { invoke } = staged({ environment: { CLUSTERS: 'nowhere,demo' } });
    expect(await invoke()).toMatchObject({
      groups: [
        { cluster: 'nowhere', group: '*', state: 'failed', reason: /cluster nowhere does not exist/ },
        { cluster: 'demo', state: 'completed' },
      ].map((row) => ({ ...row, reason: expect.stringMatching(row.reason ?? '') })),
    });
  });

  test('throttling, server errors and lost answers are retried', async () => {
    const { invoke, finish, invariants, account } = staged({
      // The retries are the SDK's.
      shortcut: false,
      account: {
        throttling: { everyNth: 5 },
        faults: { serverErrors: 0.03, lostAnswers: 0.03 },
        latencySeconds: 0.05,
      },
    });
    await invoke();
    await finish();
    invariants.assertFinished();
    expect(account.calls.log.filter(({ error }) => error !== undefined).length).toBeGreaterThan(50);
  });
});
