import { describe, expect, test } from 'vitest';
import { GROUP_TAGS, INSTANCE_TAGS } from '../../lambda/contract.ts';
import { registerContainerInstance } from '../simulated-aws/world/ecs/agents.ts';
import type { Cluster } from '../simulated-aws/world/ecs/model.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { afterCall, groupsOf, only, writes } from './outcomes.ts';
import { type Stage, type StageOptions, stage } from './stage.ts';

/** What anyone who may tag groups or instances, or register instances, can do to another's group: nothing. */

const OURS = 'demo-ecs';
const THEIRS = 'theirs';
const TEMPLATE = { launchSpec: 'launch-template' } as const;

/** Our group, and one of the account that is of no cluster of the stack; both run the same outdated image. */
function staged(
  prepare: (world: World, demo: Cluster) => void = () => undefined,
  options: Partial<StageOptions> = {},
): Stage {
  return stage({
    shortcut: true,
    lambdaSeconds: 10_000,
    // The others' instances aren't in any cluster of ours.
    expectations: { clusters: ['demo'] },
    furnish(world) {
      const { cluster, oldImage } = standardScenario({ world, instances: 3, ...TEMPLATE });
      world.addGroup({ name: THEIRS, image: oldImage, instances: 3, ...TEMPLATE });
      prepare(world, cluster);
    },
    ...options,
  });
}

const membersOf = ({ state }: World, group: string) => [...(state.groups.get(group)?.members.values() ?? [])];

/** Makes members of a group known to a cluster, without a task there. */
function register(world: World, group: string, cluster: Cluster, count: number): string[] {
  return membersOf(world, group)
    .slice(0, count)
    .map(({ instance }) => {
      registerContainerInstance(world.state, cluster, instance);
      return instance.id;
    });
}

function tagGroup({ state }: World, group: string, tags: Readonly<Record<string, string>>): void {
  for (const [key, value] of Object.entries(tags))
    state.groups.get(group)?.tags.set(key, { value, propagatesAtLaunch: false });
}

function tagInstance({ state }: World, id: string, tags: Readonly<Record<string, string>>): void {
  for (const [key, value] of Object.entries(tags)) state.instances.get(id)?.tags.set(key, value);
}

const MARK = (cluster: string, group: string) => ({
  [INSTANCE_TAGS.cluster]: cluster,
  [INSTANCE_TAGS.group]: group,
  [INSTANCE_TAGS.terminate]: 'true',
});

/** Nothing that was written names the group, or any of its instances. */
function expectUntouched({ account, world }: Stage, group: string): void {
  const written = account.calls.log.filter(({ operation }) => writes([{ operation }]).length > 0);
  const text = JSON.stringify(written);
  for (const name of [group, ...membersOf(world, group).map(({ instance }) => instance.id)])
    expect(text).not.toContain(`"${name}"`);
}

describe('anyone who may register an instance', () => {
  test.each([1])('of another group gets it reported but not rolled: %i of 3', async (count) => {
    let ids: string[] = [];
    const staging = staged((world, demo) => {
      ids = register(world, THEIRS, demo, count);
    });
    expect(groupsOf(await staging.invoke())).toMatchObject([
      { group: OURS, state: 'completed', instances: { replaced: 3 } },
      {
        group: THEIRS,
        state: 'skipped',
        reason: expect.stringMatching(
          new RegExp(`1 of its 3 members \\(${ids[0]}\\) is registered in cluster demo.*GROUPS`),
        ),
      },
    ]);
    expectUntouched(staging, THEIRS);
    expect(staging.account.bugs).toEqual([]);
  });

  test('can have their own group rolled through most of its members, or by its name', async () => {
    const most = staged((world, demo) => void register(world, THEIRS, demo, 2));
    expect(groupsOf(await most.invoke({ action: 'plan' }))[1]).toMatchObject({ state: 'planned' });
    const named = staged((world, demo) => void register(world, THEIRS, demo, 1), {
      environment: { GROUPS: THEIRS },
    });
    expect(groupsOf(await named.invoke({ action: 'plan' }))[1]).toMatchObject({ state: 'planned' });
  });

  test.each(['pause', 'resume'])("can't get %s put on it", async (action) => {
    const staging = staged((world, demo) => void register(world, THEIRS, demo, 1));
    const { clock, order } = staging;
    expect(await order({ action })).toMatchObject({
      groups: expect.arrayContaining([
        {
          group: THEIRS,
          cluster: 'demo',
          state: 'nothing-to-do',
          reason: expect.stringMatching(/left alone/),
        },
      ]),
    });
    clock.advance(60);
    await staging.invoke({ action });
    expectUntouched(staging, THEIRS);
  });

  test('of ours in another cluster can neither stop our roll nor make the other cluster roll it', async () => {
    const staging = staged((world) => void register(world, OURS, world.addCluster('other'), 1), {
      environment: { CLUSTERS: 'demo,other' },
    });
    const result = groupsOf(await staging.invoke());
    expect(result).toMatchObject([
      { cluster: 'demo', group: OURS, state: 'completed', instances: { replaced: 3 } },
      { cluster: 'other', group: OURS, state: 'skipped', reason: expect.stringMatching(/cluster demo/) },
    ]);
    staging.invariants.assertFinished();
  });
});

describe('a group with members in two clusters of the stack', () => {
  const both = { environment: { CLUSTERS: 'demo,other' } };

  test('is rolled for the one that has most of them; members with tasks of the other only are left alone', async () => {
    let kept = '';
    const staging = staged((world) => {
      const other = world.addCluster('other');
      [kept = ''] = register(world, OURS, other, 1);
      world.addService('other', { name: 'batch', desiredCount: 1 });
    }, both);
    const [ours] = groupsOf(await staging.invoke());
    expect(ours).toMatchObject({
      state: 'completed',
      instances: { replaced: 2, total: 3 },
      warnings: [`${kept} has tasks of cluster other too, so it is left alone until they are gone`],
    });
    expect(staging.world.state.instances.get(kept)?.state).toBe('running');
  });

  test("is nobody's when half are in each, which both report", async () => {
    const staging = staged((world, demo) => {
      const other = world.addCluster('other');
      register(world, THEIRS, other, 1);
      const second = membersOf(world, THEIRS)[1];
      if (second) registerContainerInstance(world.state, demo, second.instance);
    }, both);
    const results = groupsOf(await staging.invoke()).filter(({ group }) => group === THEIRS);
    expect(results.map(({ state }) => state)).toEqual(['skipped', 'skipped']);
    expectUntouched(staging, THEIRS);
  });
});

describe('anyone who may tag', () => {
  test("any group of the account with our cluster's name gets it left alone", async () => {
    const staging = staged((world) =>
      tagGroup(world, THEIRS, {
        [GROUP_TAGS.cluster]: 'demo',
        'ecs-ami-deploy:max-surge': '0',
        'ecs-ami-deploy:drain-concurrency': '10',
      }),
    );
    await staging.invoke();
    await staging.invoke({ action: 'continue' });
    expectUntouched(staging, THEIRS);
  });

  test("our instance with another cluster doesn't split its group over two", async () => {
    const staging = staged(
      (world) => {
        world.addCluster('jobs');
        const [first] = membersOf(world, OURS);
        tagInstance(world, first?.instance.id ?? '', { [INSTANCE_TAGS.cluster]: 'jobs' });
      },
      { environment: { CLUSTERS: 'demo,jobs' } },
    );
    expect(groupsOf(await staging.invoke())[0]).toMatchObject({
      cluster: 'demo',
      group: OURS,
      state: 'completed',
      instances: { replaced: 3 },
    });
    staging.invariants.assertFinished();
  });

  test("any instance with our group and another cluster doesn't split it either", async () => {
    const staging = staged(
      (world) => {
        world.addCluster('jobs');
        const [stranger] = membersOf(world, THEIRS);
        tagInstance(world, stranger?.instance.id ?? '', {
          ...MARK('jobs', OURS),
          [INSTANCE_TAGS.detachStartedAt]: '2026-11-20T00:00:00.000Z',
        });
      },
      { environment: { CLUSTERS: 'demo,jobs' } },
    );
    const ours = groupsOf(await staging.invoke()).find((each) => each.cluster === 'demo');
    expect(ours).toMatchObject({ group: OURS, state: 'completed' });
  });

  test.each([
    ['256 characters', 'x'.repeat(256)],
    ['a colon', 'a:b'],
    ['a line break', 'a\nb'],
  ])('an instance with %s as its group fails no other group', async (_, name) => {
    const staging = staged((world) => {
      const [stranger] = membersOf(world, THEIRS);
      tagInstance(world, stranger?.instance.id ?? '', {
        ...MARK('demo', name),
        [INSTANCE_TAGS.detachStartedAt]: '2026-11-20T00:00:00.000Z',
      });
    });
    expect(groupsOf(await staging.invoke())[0]).toMatchObject({ group: OURS, state: 'completed' });
    staging.invariants.assertHeld();
    expectUntouched(staging, THEIRS);
  });
});

describe('a group keeps its cluster', () => {
  test('in mid-roll, with its old instances detached and no new one registered', async () => {
    const staging = staged();
    const { invoke, finish, invariants } = staging;
    const rolling = invoke({ action: 'roll' }, [afterCall('DetachInstances', () => undefined)]);
    await rolling;
    await finish();
    invariants.assertFinished();
  });

  test('while it scales out: we wait until the new ones have registered', async () => {
    const staging = staged();
    staging.world.owner.setSizes(OURS, { maxSize: 20 });
    staging.world.owner.setSizes(OURS, { desiredCapacity: 8 });
    const { clock, world } = staging;
    while (membersOf(world, OURS).filter(({ lifecycleState }) => lifecycleState === 'InService').length < 8)
      clock.advance(1);
    expect(only(await staging.invoke())).toMatchObject({ state: 'completed', instances: { replaced: 8 } });
    staging.invariants.assertFinished();
  });
});

test("another cluster's capacity provider, given to ours, has its group left alone", async () => {
  const staging = staged((world) => {
    const [image] = world.state.images.values();
    if (image === undefined) throw new Error('no image');
    world.addCluster('unknown');
    world.addGroup({ name: 'unknown-ecs', cluster: 'unknown', image, instances: 3, ...TEMPLATE });
    world.addService('unknown', { name: 'worker', desiredCount: 3 });
    world.addCapacityProvider({ name: 'of-unknown', cluster: 'demo', group: 'unknown-ecs' });
  });
  staging.clock.advance(86_400);
  const said = groupsOf(await staging.invoke());
  expect(said.find((each) => each.group === 'unknown-ecs')).toMatchObject({ code: 'belongs-elsewhere' });
  expect(said.find((each) => each.group === OURS)).toMatchObject({ state: 'completed' });
  const calls = staging.account.calls.log.filter(({ input }) =>
    JSON.stringify(input).includes('unknown-ecs'),
  );
  expect(writes(calls)).toEqual([]);
});
