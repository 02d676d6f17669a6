import { describe, expect, test } from 'vitest';
import { standingText } from '../../lambda/status/words.ts';
import { Killed } from '../simulated-aws/account/call.ts';
import { afterCall, groupsOf, planText, writes } from './outcomes.ts';
import { stage, standardStage, TRUE_DEFAULTS } from './stage.ts';

const staged = () => standardStage({ instances: 6, launchSpec: 'launch-configuration' });

/** A group that runs the newest image, an hour later. */
function upToDate() {
  const staging = stage({
    shortcut: true,
    expectations: { forceBeforeMs: Number.POSITIVE_INFINITY },
    furnish: (world) => {
      const image = world.release('amazon-linux-2023', { ageDays: 3 });
      world.addCluster('demo');
      world.addGroup({ name: 'demo-ecs', cluster: 'demo', image, instances: 2 });
    },
  });
  staging.clock.advance(3600);
  return staging;
}

/** A roll is recorded in the tags of its group, before anything else of the group changes. */
const killOnceRecorded = () =>
  afterCall('CreateOrUpdateTags', () => {
    throw new Killed('killed once recorded');
  });

describe('continue', () => {
  test("costs two calls when nothing has begun, plus two for the seals' key once per process", async () => {
    const { invoke, account } = staged();
    expect(await invoke({ action: 'continue' })).toMatchObject({ groups: [] });
    expect(account.calls.log.map(({ operation }) => operation)).toEqual([
      'GenerateMac',
      'GenerateMac',
      'DescribeAutoScalingGroups',
      'DescribeInstances',
    ]);
  });

  test('resumes a roll that was killed as soon as it was recorded', async () => {
    const { invoke, account, finish, invariants } = staged();
    await invoke({ action: 'roll' }, [killOnceRecorded()]);
    expect(writes(account.calls.log)).toEqual(['CreateLaunchConfiguration', 'CreateOrUpdateTags']);
    await finish();
    invariants.assertFinished();
  });
});

describe('plan', () => {
  test('of a roll in progress shows what is left', async () => {
    const { invoke, clock } = staged();
    const rolling = invoke();
    await clock.drive(clock.sleep(240));
    const plan = await invoke({ action: 'plan' });
    expect(groupsOf(plan)).toMatchObject([
      { state: 'in-progress', instances: { drifted: 0, detached: 4, replaced: 2 } },
    ]);
    expect(planText(plan)).not.toMatch(/launch configuration/);
    await rolling;
  });

  test('of a group that is up to date is empty', async () => {
    const { invoke } = staged();
    await invoke();
    const [group] = groupsOf(await invoke({ action: 'plan' }));
    expect(group).toMatchObject({ state: 'up-to-date', steps: [] });
  });
});

describe('status', () => {
  test("shows a group's state and changes nothing", async () => {
    const { invoke, account } = staged();
    expect(groupsOf(await invoke({ action: 'status' }))).toMatchObject([
      {
        cluster: 'demo',
        group: 'demo-ecs',
        state: 'planned',
        imageId: 'ami-00000000000000002',
        instances: { drifted: 6, detached: 0, replaced: 0, total: 6 },
      },
    ]);
    expect(writes(account.calls.log)).toEqual([]);
  });

  test('of a roll in progress tells how far it is, and names what is left and what it has launched', async () => {
    const { invoke, clock } = staged();
    const rolling = invoke();
    await clock.drive(clock.sleep(240));
    const [group] = groupsOf(await invoke({ action: 'status' }));
    if (group === undefined) throw new Error('no group');
    expect(standingText([group])).toBe('2 of 6 replaced, 4 still to drain');
    const { inRoll = [] } = group;
    expect(inRoll.map(({ role }) => role).sort()).toEqual([...Array(6).fill('new'), ...Array(4).fill('old')]);
    await rolling;
    expect(groupsOf(await invoke({ action: 'status' }))[0]).not.toHaveProperty('inRoll');
  });

  test('of a roll in progress never counts back, also as members are detached and nothing is launched yet', async () => {
    const { invoke, clock } = standardStage({ instances: 3 }, { environment: { MAX_SURGE: '2' } });
    let isRolling = true;
    const rolling = invoke().finally(() => {
      isRolling = false;
    });
    const told: string[] = [];
    const listed: { readonly counted: number; readonly named: number }[] = [];
    while (isRolling) {
      await clock.drive(clock.sleep(10));
      const seen = groupsOf(await invoke({ action: 'status' }));
      told.push(standingText(seen));
      const looks = [...seen, ...groupsOf(await invoke({ action: 'plan' }))];
      listed.push(
        ...looks.map(({ instances, inRoll = [] }) => ({
          counted: instances.drifted + instances.detached,
          named: inRoll.filter(({ role }) => role === 'old').length,
        })),
      );
    }
    await rolling;
    for (const { counted, named } of listed) expect(named).toBe(counted);
    expect([...new Set(told)]).toEqual([
      ...[3, 2, 1].map((left) => `${3 - left} of 3 replaced, ${left} still to drain`),
      '3 of 3 replaced',
      '0 of 3 outdated',
    ]);
  });

  test('says so if the cluster has no group', async () => {
    const { invoke } = stage({ shortcut: true, furnish: (world) => void world.addCluster('demo') });
    expect(groupsOf(await invoke({ action: 'status' }))).toMatchObject([
      { group: '*', state: 'up-to-date', reason: 'no Auto Scaling group belongs to the cluster' },
    ]);
  });
});

describe('force', () => {
  test('replaces what already runs the image, once', async () => {
    const { invoke, finish, invariants, world, clock } = upToDate();
    expect(groupsOf(await invoke())).toMatchObject([{ state: 'up-to-date' }]);
    const forced = invoke({ action: 'roll', force: true });
    // The same request again, in the middle: the roll doesn't start over.
    await clock.drive(clock.sleep(40));
    await invoke({ action: 'roll', force: true });
    await forced;
    await finish();
    invariants.assertFinished();
    expect(invariants.metrics().instancesReplaced).toBe(2);
    expect(world.state.instances.size).toBe(4);
  });

  test('is remembered after the roll is killed', async () => {
    const { invariants, roll } = upToDate();
    await roll({ action: 'roll', force: true }, [killOnceRecorded()]);
    expect(invariants.metrics().instancesReplaced).toBe(2);
  });
});

test('the log of a default roll reads as a person would write it', async () => {
  const options = { environment: TRUE_DEFAULTS };
  const { log, roll } = standardStage({ instances: 3, launchSpec: 'launch-configuration' }, options);
  await roll();
  await expect(`${log.join('\n')}\n`).toMatchFileSnapshot('golden/default-roll.golden.txt');
});
