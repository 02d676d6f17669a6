import { describe, expect, test } from 'vitest';
import { INSTANCE_TAGS } from '../../lambda/contract.ts';
import { killAfter } from '../simulated-aws/weather/faults.ts';
import { addVersion } from '../simulated-aws/world/ec2/launch-templates.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { only, writes } from './outcomes.ts';
import { type Stage, type StageOptions, stage } from './stage.ts';

/** What the ancestor of this project and its peers get wrong, one test each. */

const FAMILY = 'amazon-linux-2023';
const MARKED = {
  [INSTANCE_TAGS.group]: 'demo-ecs',
  [INSTANCE_TAGS.terminate]: 'true',
  [INSTANCE_TAGS.cluster]: 'demo',
};

const byConfiguration = (world: World, instances = 4) =>
  standardScenario({ world, instances, services: 2, launchSpec: 'launch-configuration' });

function staged(options: Partial<StageOptions> = {}): Stage {
  return stage({ shortcut: true, furnish: (world) => void byConfiguration(world), ...options });
}

/** The number of the first call of an operation in a roll that nobody disturbs. */
async function callOf(key: string): Promise<number> {
  const undisturbed = staged();
  await undisturbed.invoke();
  const call = undisturbed.account.calls.log.find((each) => each.key === key);
  if (call === undefined) throw new Error(`${key} is never called`);
  return call.numberInSession;
}

describe('resuming', () => {
  test('a run killed after it detached replaces the old instances, and none of the new ones', async () => {
    const { invoke, finish, invariants, world } = staged();
    await invoke({ action: 'roll' }, [killAfter(await callOf('autoscaling.DetachInstances'))]);
    await finish();
    invariants.assertFinished();
    expect(world.state.instances.size).toBe(8);
  });

  test('a run killed between the new launch spec and the detach does not count as done', async () => {
    const { invoke, finish, invariants } = staged();
    await invoke({ action: 'roll' }, [killAfter(await callOf('autoscaling.UpdateAutoScalingGroup'))]);
    await finish();
    expect(invariants.metrics().instancesReplaced).toBe(4);
  });

  test('members that were tagged but not detached are detached first, never terminated in service', async () => {
    const { invoke, invariants, world, finish } = staged();
    await invoke({ action: 'roll' }, [killAfter(await callOf('ec2.CreateTags'))]);
    expect([...(world.state.groups.get('demo-ecs')?.members.values() ?? [])]).toHaveLength(4);
    await finish();
    invariants.assertFinished();
  });

  test('an instance that is shutting down is not terminated again', async () => {
    const { invoke, account } = staged();
    await invoke();
    expect(account.calls.counts['ec2.TerminateInstances']).toBe(4);
  });
});

describe('only what is ours', () => {
  test('another group of the same cluster is rolled too, one after the other', async () => {
    const { invoke, finish, invariants } = staged({
      furnish: (world) => {
        const { oldImage } = byConfiguration(world, 2);
        world.addGroup({ name: 'other', cluster: 'demo', image: oldImage, instances: 2 });
      },
    });
    await invoke();
    await finish();
    invariants.assertFinished();
    expect(invariants.metrics().instancesReplaced).toBe(4);
  });

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

  test('with MinSize 0 the replacements are still waited for', async () => {
    const { invoke, invariants, world } = staged();
    expect(world.state.groups.get('demo-ecs')?.minSize).toBe(0);
    await invoke();
    invariants.assertFinished();
  });

  test('a member that dies by itself, old or new, is replaced and the roll goes on', async () => {
    const { invoke, finish, invariants, world } = staged();
    const first = invoke();
    world.clock.schedule(150, () => world.faults.killInstance('i-00000000000000002'));
    world.clock.schedule(300, () => world.faults.killInstance('i-00000000000000006'));
    await first;
    await finish();
    invariants.assertFinished();
  });

  test('an agent that drops and comes back only holds the roll up', async () => {
    const { invoke, finish, invariants, world } = staged();
    const first = invoke();
    world.clock.schedule(100, () => world.faults.dropAgent('i-00000000000000007'));
    world.clock.schedule(140, () => world.faults.returnAgent('i-00000000000000007'));
    await first;
    await finish();
    invariants.assertFinished();
  });

  test.each([
    [3, /^there is no Auto Scaling group of this name$/],
    [
      35,
      /^there is no Auto Scaling group of this name, but i-0+1, .* still have our tags; drain and terminate them by hand$/,
    ],
  ])(
    'it is deleted after %i seconds: that is said, and what was detached is named',
    async (seconds, reason) => {
      const { invoke, invariants, world } = staged();
      const first = invoke();
      world.clock.schedule(seconds, () => void world.state.groups.delete('demo-ecs'));
      expect(await first).toMatchObject({
        groups: [{ state: 'blocked', reason: expect.stringMatching(reason) }],
      });
      invariants.assertHeld();
    },
  );
});

describe('launch specs', () => {
  test('an unreviewed version is not promoted: the new one is made from the version that the group runs', async () => {
    const { invoke, finish, invariants, world } = stage({
      shortcut: true,
      furnish: (world) => {
        standardScenario({ world, instances: 2, services: 1, launchSpec: 'launch-template', version: '1' });
        const [template] = world.state.launchTemplates.values();
        const reviewed = template?.versions.get(1);
        if (template === undefined || reviewed === undefined) throw new Error('no template');
        const data = { ...reviewed.data, InstanceType: 'm5.4xlarge' } as const;
        addVersion(world.state, template, data, 'not reviewed', 'owner');
      },
    });
    await invoke();
    await finish();
    invariants.assertFinished();
    const [template] = world.state.launchTemplates.values();
    expect(template?.versions.get(3)?.data.InstanceType).toBe('m5.large');
    expect(template?.defaultVersion).toBe(1);
  });

  test('a release in the middle of a roll waits for the next', async () => {
    const { invoke, finish, world, invariants } = staged({
      expectations: { targetImageId: 'ami-00000000000000002' },
    });
    const first = invoke();
    world.clock.schedule(100, () => world.release(FAMILY));
    expect(await first).toMatchObject({ groups: [{ state: 'completed', imageId: 'ami-00000000000000002' }] });
    await finish();
    invariants.assertHeld();
    expect(await invoke({ action: 'status' })).toMatchObject({
      groups: [{ state: 'planned', imageId: 'ami-00000000000000003' }],
    });
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

describe('groups that were once refused are rolled', () => {
  const options = { name: 'demo-ecs', cluster: 'demo', instances: 2 } as const;

  test('a mixed instances policy', async () => {
    const { invoke, invariants } = staged({
      furnish: (world) => {
        world.addCluster('demo');
        const image = world.release(FAMILY, { ageDays: 40 });
        world.addGroup({ ...options, image, launchSpec: 'mixed-instances' });
        world.release(FAMILY, { ageDays: 3 });
      },
    });
    expect(await invoke()).toMatchObject({ groups: [{ state: 'completed', instances: { replaced: 2 } }] });
    invariants.assertFinished();
  });

  test('an image that the template resolves at launch: nothing is written there', async () => {
    const { invoke, invariants, account } = staged({
      furnish: (world) => {
        world.addCluster('demo');
        const image = world.release(FAMILY, { ageDays: 40 });
        const imageReference = 'resolve:ssm:/mine';
        world.setParameter('/mine', image.id);
        world.addGroup({ ...options, image, launchSpec: 'launch-template', imageReference });
        world.setParameter('/mine', world.release(FAMILY, { ageDays: 3 }).id);
      },
    });
    expect(await invoke()).toMatchObject({ groups: [{ state: 'completed', instances: { replaced: 2 } }] });
    invariants.assertFinished();
    expect(account.calls.counts['ec2.CreateLaunchTemplateVersion']).toBeUndefined();
  });
});

describe("groups that can't be rolled are blocked with the reason, and untouched", () => {
  const refused = async (furnish: StageOptions['furnish'], environment = {}) => {
    const { invoke, invariants, account } = stage({ shortcut: true, furnish, environment });
    const outcome = await invoke();
    invariants.assertHeld();
    expect(writes(account.calls.log)).toEqual([]);
    const { state, reason } = only(outcome);
    expect(state).toBe('blocked');
    return reason;
  };

  test('an image of no known family', async () => {
    const reason = await refused((world) => {
      world.addCluster('demo');
      const image = world.addImage('golden-image-7');
      world.addGroup({ name: 'own', cluster: 'demo', image, instances: 1 });
    });
    expect(reason).toMatch(/golden-image-7.*set IMAGE to ssm:<parameter>, name:<pattern> or an image id/);
  });

  test.each([
    [
      'name:nothing-like-it-*',
      'no available image for x86_64 of owner amazon is named nothing-like-it-*; fix IMAGE or IMAGE_OWNER',
    ],
    ['ssm:/not/there', 'parameter /not/there does not exist or holds no image id'],
    [
      'ami-0123456789abcdef0',
      'image ami-0123456789abcdef0, which IMAGE names, does not exist, or is not shared with or allowed in this account',
    ],
  ])('an image that does not exist (%s)', async (IMAGE, expected) => {
    expect(await refused((world) => void byConfiguration(world), { IMAGE })).toBe(expected);
  });

  test('a suspended Launch process', async () => {
    const reason = await refused((world) => {
      byConfiguration(world);
      world.owner.suspend('demo-ecs', 'Launch');
    });
    expect(reason).toMatch(/Launch process is suspended/);
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
    const { invoke, finish, invariants } = staged({
      environment: { MAX_SURGE: '1' },
      expectations: { maxSurge: 1 },
      delays: { detachSeconds: 120 },
      furnish: (world) => void byConfiguration(world, 3),
    });
    await invoke();
    await finish();
    invariants.assertFinished();
  });

  test('a group that only waits for its turn is remembered, and so is its force', async () => {
    const { invoke, finish, invariants, clock } = staged({
      expectations: { forceBeforeMs: Number.POSITIVE_INFINITY },
      furnish: (world) => {
        world.addCluster('demo');
        const image = world.release(FAMILY);
        world.addGroup({ name: 'a', cluster: 'demo', image, instances: 30 });
        world.addGroup({ name: 'b', cluster: 'demo', image, instances: 2 });
      },
    });
    clock.advance(60);
    await invoke({ action: 'roll', force: true });
    await finish();
    invariants.assertFinished();
    expect(invariants.metrics().instancesReplaced).toBe(32);
  });

  const sharing =
    (version: string, cluster?: string): StageOptions['furnish'] =>
    (world) => {
      const { oldImage } = standardScenario({
        world,
        instances: 2,
        services: 1,
        launchSpec: 'launch-template',
        version: '1',
      });
      const group = world.addGroup({ name: 'neighbour', cluster, image: oldImage, instances: 0 });
      const [template] = world.state.launchTemplates.values();
      if (template === undefined) throw new Error('no template');
      addVersion(world.state, template, template.versions.get(1)?.data ?? {}, 'larger', 'owner');
      Object.assign(group, { launchSpec: { kind: 'launch-template', template, version } });
    };

  test("a group that launches $Latest of the same template is not changed behind its owner's back", async () => {
    const { invoke, account } = staged({ furnish: sharing('$Latest') });
    const outcome = await invoke();
    expect(outcome).toMatchObject({
      groups: [{ state: 'blocked', reason: expect.stringMatching(/neighbour \(on \$Latest\)/) }],
    });
    expect(account.calls.counts['ec2.CreateLaunchTemplateVersion']).toBeUndefined();
  });

  test('a group that names its version is no obstacle', async () => {
    const { invoke } = staged({ furnish: sharing('2') });
    expect(await invoke()).toMatchObject({ groups: [{ state: 'completed' }] });
  });

  test('two groups of a cluster that share a template on $Latest are both rolled', async () => {
    const { invoke, finish, invariants } = staged({
      furnish: (world) => {
        const shared = {
          world,
          instances: 2,
          services: 1,
          launchSpec: 'launch-template',
          version: '$Latest',
        } as const;
        const { oldImage, group } = standardScenario(shared);
        const neighbour = world.addGroup({
          name: 'neighbour',
          cluster: 'demo',
          image: oldImage,
          instances: 1,
        });
        Object.assign(neighbour, { launchSpec: group.launchSpec });
      },
    });
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
    const { invoke, finish, invariants } = staged({
      furnish: (world) => {
        byConfiguration(world, 2);
        const { [INSTANCE_TAGS.cluster]: _, ...some } = MARKED;
        for (const [key, value] of Object.entries(some)) {
          world.state.instances.get('i-00000000000000001')?.tags.set(key, value);
        }
      },
    });
    await invoke();
    await finish();
    invariants.assertFinished();
    expect(invariants.metrics().instancesReplaced).toBe(2);
  });

  test('an action that never has an effect is a fault, and is not repeated forever', async () => {
    const { invoke, account } = staged({
      furnish: (world) => {
        standardScenario({
          world,
          instances: 1,
          services: 1,
          launchSpec: 'launch-template',
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
    const { invoke, finish, world, invariants, log } = staged({
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
    await invoke();
    await finish();
    invariants.assertFinished();
    expect(log.join('\n')).toMatch(
      /i-0+1 drains: its agent is not connected, and 1 task of service log-router is left/,
    );
    const known = [...(world.state.clusters.get('demo')?.containerInstances.values() ?? [])];
    expect(known.map(({ status }) => status).sort()).toEqual(['ACTIVE', 'INACTIVE']);
  });
});
