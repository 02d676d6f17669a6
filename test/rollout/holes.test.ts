import { describe, expect, test } from 'vitest';
import { INSTANCE_TAGS } from '../../lambda/contract.ts';
import { killAfter } from '../simulated-aws/weather/faults.ts';
import { addVersion } from '../simulated-aws/world/ec2/launch-templates.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { groupOf, oldest, templateOf } from './happenings.ts';
import { type Stage, type StageOptions, stage, standardStage } from './stage.ts';

/** What the ancestor of this project and its peers get wrong, one test each. */

const FAMILY = 'amazon-linux-2023';
const MARKED = {
  [INSTANCE_TAGS.group]: 'demo-ecs',
  [INSTANCE_TAGS.terminate]: 'true',
  [INSTANCE_TAGS.cluster]: 'demo',
};

const byConfiguration = (world: World, instances = 4) =>
  standardScenario({ world, instances, launchSpec: 'launch-configuration' });

const staged = (options: Partial<StageOptions> = {}) =>
  stage({ shortcut: true, furnish: (world) => void byConfiguration(world), ...options });

describe('resuming', () => {
  test('an instance that is shutting down is not terminated again', async () => {
    const { invoke, account } = staged();
    await invoke();
    expect(account.calls.counts['ec2.TerminateInstances']).toBe(4);
  });
});

describe('only what is ours', () => {
  test('an instance in no group, a group of another cluster and a foreign tag are left alone', async () => {
    const { invoke, finish, invariants, world } = staged({
      expectations: { clusters: ['demo'] },
      furnish: (world) => {
        const { oldImage } = byConfiguration(world, 2);
        world.addInstance({ image: oldImage, cluster: 'demo' });
        world.addInstance({ image: oldImage, cluster: 'demo', tags: { [INSTANCE_TAGS.group]: 'demo-ecs' } });
        world.addCluster('apart');
        world.addGroup({ name: 'apart-ecs', cluster: 'apart', image: oldImage, instances: 2 });
      },
    });
    await invoke();
    await finish();
    const alive = [...world.state.instances.values()].filter(({ state }) => state === 'running');
    expect(alive).toHaveLength(2 + 2 + 2);
    invariants.assertHeld();
  });

  test('a group whose name begins like ours keeps its launch configurations', async () => {
    const mine = 'ecs-app2-ecs-ami-deploy-00000000-00000000-ami-0123456789abcdef0';
    const { invoke, finish, world } = stage({
      shortcut: true,
      environment: { KEEP_LAUNCH_SPECS: '0' },
      furnish: (world) => {
        world.addCluster('demo');
        const image = world.release(FAMILY, { ageDays: 40 });
        world.addGroup({ name: 'ecs-app', cluster: 'demo', image, instances: 1 });
        world.addGroup({ name: 'ecs-app2', image, instances: 0 });
        const source = world.state.launchConfigurations.get('ecs-app2-launch-configuration');
        if (source === undefined) throw new Error('no launch configuration');
        world.state.launchConfigurations.set(mine, {
          ...source,
          description: { ...source.description, LaunchConfigurationName: mine },
        });
        world.release(FAMILY, { ageDays: 3 });
      },
    });
    await invoke();
    await finish();
    expect(world.state.launchConfigurations.has(mine)).toBe(true);
  });

  test('a current instance tagged by hand in service lives on, and the tags are reported', async () => {
    const { invoke, finish, invariants, world } = staged();
    const first = invoke();
    world.clock.schedule(120, () => {
      const fresh = [...world.state.instances.values()].find(({ id }) => id === 'i-00000000000000005');
      for (const [key, value] of Object.entries(MARKED)) fresh?.tags.set(key, value);
    });
    await first;
    await finish();
    const tagged = world.state.instances.get('i-00000000000000005');
    expect(tagged?.state).toBe('running');
    expect(await invoke()).toMatchObject({
      groups: [{ state: 'up-to-date', untrusted: [{ resource: tagged?.id, keys: Object.keys(MARKED) }] }],
    });
    for (const key of Object.keys(MARKED)) tagged?.tags.delete(key);
    invariants.assertFinished();
  });
});

describe('the group changes during the roll', () => {
  test.each([
    ['scaled in', 2],
    ['scaled out', 6],
  ])('it is %s to %i instances in the middle of the roll', async (_, desiredCapacity) => {
    const { invoke, finish, invariants, world } = staged();
    const first = invoke();
    world.clock.schedule(200, () => world.owner.setSizes('demo-ecs', { desiredCapacity, maxSize: 6 }));
    await first;
    await finish();
    invariants.assertFinished();
    expect(world.state.groups.get('demo-ecs')?.members.size).toBe(desiredCapacity);
  });

  test('it is deleted before anything is detached, and that is said', async () => {
    const { invoke, invariants, world } = staged();
    world.clock.schedule(3, () => void world.state.groups.delete('demo-ecs'));
    const reason = 'there is no Auto Scaling group of this name';
    expect(await invoke()).toMatchObject({ groups: [{ state: 'blocked', reason }] });
    invariants.assertHeld();
  });
});

describe('launch specs', () => {
  test('an unreviewed version is not promoted: the new one is made from the version that the group runs', async () => {
    const { world, roll } = standardStage({ instances: 2, services: 1, version: '1' });
    const template = templateOf(world);
    const data = { ...template.versions.get(1)?.data, InstanceType: 'm5.4xlarge' } as const;
    addVersion(world.state, template, data, 'not reviewed', 'owner');
    await roll();
    expect(template.versions.get(3)?.data.InstanceType).toBe('m5.large');
    expect(template.defaultVersion).toBe(1);
  });

  test("an account that can't create launch configurations is told what to use instead", async () => {
    const { invoke, world, invariants } = staged();
    world.owner.forbidLaunchConfigurations();
    const outcome = await invoke();
    expect(outcome).toMatchObject({
      groups: [{ state: 'blocked', reason: expect.stringMatching(/launch template instead/) }],
    });
    // No roll has begun that would have to be given up.
    expect(await invoke({ action: 'continue' })).toMatchObject({ groups: [] });
    invariants.assertHeld();
  });
});

describe('bugs found by trying to break it', () => {
  /** So many container instances were ACTIVE whenever a call set one DRAINING. */
  function fewestActiveAtDrain({ world }: Stage): () => number {
    let fewest = Number.POSITIVE_INFINITY;
    world.subscribe((event) => {
      if (event.kind !== 'container-instance-changed' || event.cause !== 'call') return;
      const { cluster, status } = event.containerInstance;
      const all = [...cluster.containerInstances.values()];
      if (status === 'DRAINING')
        fewest = Math.min(fewest, all.filter((each) => each.status === 'ACTIVE').length);
    });
    return () => fewest;
  }

  test('a force in the middle of a roll never drains an old instance before its replacement has registered', async () => {
    const staging = staged({
      // Both invocations end before the roll is given up.
      lambdaSeconds: 400,
      expectations: { forceBeforeMs: Number.POSITIVE_INFINITY },
      furnish: (world) => {
        const { newImage } = byConfiguration(world, 2);
        world.faults.spoilImage(newImage.id);
      },
    });
    const fewest = fewestActiveAtDrain(staging);
    await staging.invoke();
    const forced = await staging.invoke({ action: 'roll', force: true });
    expect(fewest()).toBe(Number.POSITIVE_INFINITY);
    expect(forced).toMatchObject({
      groups: [{ state: 'in-progress', reason: expect.stringMatching(/not registered in the cluster/) }],
    });
    staging.invariants.assertHeld();
  });

  test('a force soon after the detach waits for the replacements, and then replaces those too', async () => {
    const staging = staged({
      expectations: { forceBeforeMs: Number.POSITIVE_INFINITY },
      furnish: (world) => void byConfiguration(world, 2),
    });
    const fewest = fewestActiveAtDrain(staging);
    const first = staging.invoke();
    await staging.clock.drive(staging.clock.sleep(60));
    await staging.invoke({ action: 'roll', force: true });
    await first;
    await staging.finish();
    staging.invariants.assertFinished();
    expect(fewest()).toBeGreaterThanOrEqual(2);
    expect(staging.invariants.metrics().instancesReplaced).toBe(4);
  });

  test('a member that is slow to detach still counts against the surge, and against the end', async () => {
    const { roll } = staged({
      environment: { MAX_SURGE: '1' },
      expectations: { maxSurge: 1 },
      delays: { detachSeconds: 120 },
      furnish: (world) => void byConfiguration(world, 3),
    });
    await roll();
  });

  test('a group that only waits for its turn is remembered, and so is its force', async () => {
    const { invariants, clock, roll } = staged({
      expectations: { forceBeforeMs: Number.POSITIVE_INFINITY },
      furnish: (world) => {
        world.addCluster('demo');
        const image = world.release(FAMILY);
        world.addGroup({ name: 'a', cluster: 'demo', image, instances: 30 });
        world.addGroup({ name: 'b', cluster: 'demo', image, instances: 2 });
      },
    });
    clock.advance(60);
    await roll({ action: 'roll', force: true });
    expect(invariants.metrics().instancesReplaced).toBe(32);
  });

  test('two groups of a cluster that share a template on $Latest are both rolled', async () => {
    const { invoke, finish, invariants } = standardStage(
      { instances: 2, services: 1, version: '$Latest' },
      {
        furnish: (world) => {
          const { launchSpec } = groupOf({ world });
          const neighbour = { name: 'neighbour', cluster: 'demo', image: oldest(world), instances: 1 };
          Object.assign(world.addGroup(neighbour), { launchSpec });
        },
      },
    );
    await invoke();
    await finish();
    invariants.assertHeld();
    expect(invariants.metrics().instancesReplaced).toBe(3);
  });

  test('an instance that somebody put into another group belongs to that group', async () => {
    const { invoke, finish, world } = staged({
      furnish: (world) => {
        const { oldImage } = byConfiguration(world, 2);
        world.addGroup({ name: 'other', image: oldImage, instances: 0, maxSize: 1 });
      },
    });
    const first = invoke();
    const taken = 'i-00000000000000002';
    world.clock.schedule(60, () =>
      world.state.instances.get(taken)?.tags.set('aws:autoscaling:groupName', 'other'),
    );
    await first;
    await finish();
    expect(world.state.instances.get(taken)?.state).toBe('running');
  });

  test('an image asked for by id is what the roll aims for as long as it is asked for', async () => {
    const furnish: StageOptions['furnish'] = (world) => {
      world.addCluster('demo');
      world.release(FAMILY, { ageDays: 40 });
      const image = world.release(FAMILY, { ageDays: 3 });
      world.addGroup({ name: 'demo-ecs', cluster: 'demo', image, instances: 2 });
    };
    const older = 'ami-00000000000000001';
    const environment: Record<string, string> = { IMAGE: older, MAX_SURGE: '1' };
    const { invoke, finish, invariants } = staged({
      environment,
      expectations: { targetImageId: older },
      furnish,
    });
    const calls = 30;
    await invoke({ action: 'roll' }, [killAfter(calls)]);
    environment.IMAGE = 'auto';
    expect(await finish()).toMatchObject([{ state: 'completed', imageId: 'ami-00000000000000002' }]);
    invariants.assertHeld();
  });

  test('a member with all our tags but the cluster is tagged like any other, and not lost after its detach', async () => {
    const { invariants, roll } = staged({
      furnish: (world) => {
        byConfiguration(world, 2);
        const { [INSTANCE_TAGS.cluster]: _, ...some } = MARKED;
        for (const [key, value] of Object.entries(some)) {
          world.state.instances.get('i-00000000000000001')?.tags.set(key, value);
        }
      },
    });
    await roll();
    expect(invariants.metrics().instancesReplaced).toBe(2);
  });

  test('an action that never has an effect is a fault, and is not repeated forever', async () => {
    const { invoke, account } = staged({
      furnish: (world) => {
        standardScenario({
          world,
          instances: 1,
          services: 1,
          version: '$Latest',
        });
        // Somebody deletes each that is made.
        world.subscribe((event) => {
          if (event.kind !== 'template-written' || event.version.number === 1) return;
          const { number } = event.version;
          world.clock.schedule(1, () =>
            world.state.launchTemplates.values().next().value?.versions.delete(number),
          );
        });
      },
    });
    expect(await invoke()).toMatchObject({
      groups: [
        { state: 'failed', reason: expect.stringMatching(/^has no effect, 10 times over: create a version/) },
      ],
    });
    expect(account.calls.counts['ec2.CreateLaunchTemplateVersion']).toBeLessThan(20);
  });

  test('an instance without an agent is not terminated under a daemon: ECS would never forget it', async () => {
    const { world, log, roll } = staged({
      furnish: (world) => void byConfiguration(world, 1),
    });
    const old = world.state.instances.get('i-00000000000000001')?.containerInstance;
    const dropUnderDaemon = (): void => {
      const services = [...(old?.tasks ?? [])].map((task) => task.group);
      if (old?.status !== 'DRAINING' || services.some((name) => name !== 'service:log-router')) {
        world.clock.schedule(1, dropUnderDaemon);
        return;
      }
      expect(services).not.toEqual([]);
      world.faults.dropAgent(old.instance.id);
      world.clock.schedule(600, () => world.faults.returnAgent(old.instance.id));
    };
    dropUnderDaemon();
    await roll();
    expect(log.join('\n')).toMatch(
      /i-0+1 drains: its agent is not connected, and 1 task of service log-router is left/,
    );
    const known = [...(world.state.clusters.get('demo')?.containerInstances.values() ?? [])];
    expect(known.map(({ status }) => status).sort()).toEqual(['ACTIVE', 'INACTIVE']);
  });
});
