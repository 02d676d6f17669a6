import { describe, expect, test } from 'vitest';
import { EXCLUDE_TAG, GROUP_TAGS, SETTING_TAG_PREFIX } from '../../lambda/contract.ts';
import type { Interceptor } from '../simulated-aws/account/call.ts';
import { AwsError } from '../simulated-aws/account/operation.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { keepInvoking, membersOf, oldest } from './happenings.ts';
import { afterCall, groupsOf, only } from './outcomes.ts';
import { type Outcome, type Stage, type StageOptions, standardStage, TRUE_DEFAULTS } from './stage.ts';

/** What anyone who may tag the group or its instances can cause: nothing that the stack hasn't allowed. */

const GROUP = 'demo-ecs';
const RECOMMENDED = 'ami-00000000000000002';

type Tags = Readonly<Record<string, string>>;

function tag({ state }: World, tags: Tags): void {
  for (const [key, value] of Object.entries(tags))
    state.groups.get(GROUP)?.tags.set(SETTING_TAG_PREFIX + key, { value, propagatesAtLaunch: false });
}

function staged(
  tags: Tags,
  prepare: (world: World) => void = () => undefined,
  options: Partial<StageOptions> = {},
): Stage {
  const furnish = (world: World) => {
    prepare(world);
    tag(world, tags);
  };
  return standardStage({}, { lambdaSeconds: 10_000, furnish, ...options });
}

const callsTo = ({ account }: Stage, operation: string) =>
  account.calls.log.filter((call) => call.operation === operation);

/** The roll goes as if the tags weren't there, and each is reported. */
async function rollsOn(staging: Stage, tags: Tags): Promise<void> {
  const result = only(await staging.invoke());
  expect(result).toMatchObject({ state: 'completed', imageId: RECOMMENDED, instances: { replaced: 4 } });
  const told = Object.entries(tags).map(([key, value]) =>
    expect.stringContaining(`${SETTING_TAG_PREFIX}${key} = "${value}" is ignored`),
  );
  expect(result.warnings).toEqual(expect.arrayContaining(told));
  staging.invariants.assertFinished();
  expect(staging.account.bugs).toEqual([]);
}

describe("anyone who may tag a group can't change by a setting", () => {
  test('the strategy: max-surge=0', async () => {
    const tags = { 'max-surge': '0' };
    const staging = staged(tags);
    await rollsOn(staging, tags);
    expect(callsTo(staging, 'TerminateInstanceInAutoScalingGroup')).toEqual([]);
  });

  test('how much drains at once: drain-concurrency=10', async () => {
    const tags = { 'drain-concurrency': '10', 'max-surge': '0' };
    // Held by the invariants: one at a time.
    await rollsOn(staged(tags), tags);
  });

  test('when tasks are stopped: on-drain-timeout=force and drain-timeout-seconds=0.1', async () => {
    const tags = { 'on-drain-timeout': 'force', 'drain-timeout-seconds': '0.1' };
    const staging = staged(tags);
    await rollsOn(staging, tags);
    expect(callsTo(staging, 'StopTask')).toEqual([]);
  });

  test.each([
    [{ image: 'ami-00000000000000003' }],
    [{ image: 'name:backdoor-*', 'image-owner': 'self' }],
    [{ image: 'ssm:/backdoor' }],
    [{ image: 'ami-00000000000000001' }],
  ])("the image that runs with the group's role, nor make it older: %o", async (tags: Tags) => {
    const staging = staged(tags, (world) => {
      world.setParameter('/backdoor', world.addImage('backdoor-1', { ageDays: 1 }).id);
    });
    await rollsOn(staging, tags);
  });

  test('the owner of the image that the stack names: image-owner', async () => {
    const tags = { 'image-owner': 'self' };
    const named = { IMAGE: 'name:al2023-ami-ecs-hvm-*-x86_64' };
    const lookalike = (world: World) =>
      void world.addImage('al2023-ami-ecs-hvm-2023.0.99991231-kernel-6.1-x86_64', { ageDays: 1 });
    await rollsOn(staged(tags, lookalike, { environment: named }), tags);
  });

  test.each(['drift', 'min-image-age-days', 'max-instance-age-days'])(
    'updates into silence: %s',
    async (key) => {
      const tags = { [key]: key === 'drift' ? 'launch-spec' : '365' };
      await rollsOn(staged(tags), tags);
    },
  );

  test('any of that in mid-roll', async () => {
    const tags = { 'max-surge': '0', 'drain-concurrency': '10', image: 'ami-00000000000000001' };
    const staging = staged({}, undefined, { environment: { MAX_SURGE: '1' } });
    const { world, roll } = staging;
    await roll({ action: 'roll' }, [afterCall('DetachInstances', () => tag(world, tags), 2)]);
    expect(callsTo(staging, 'TerminateInstanceInAutoScalingGroup')).toEqual([]);
  });
});

describe('anyone who may tag a group', () => {
  test('can have it rolled more gently', async () => {
    const staging = staged({ 'max-surge': '1', 'stable-seconds': '60', canary: '1' });
    const result = only(await staging.invoke());
    expect(result).toMatchObject({ state: 'completed', instances: { replaced: 4 } });
    expect(result.warnings).toBeUndefined();
    expect(callsTo(staging, 'DetachInstances')).toHaveLength(4);
    staging.invariants.assertFinished();
  });

  test('can freely set what the stack lists', async () => {
    const staging = staged({ 'max-surge': '0' }, undefined, { environment: { TAG_SETTINGS: 'max-surge' } });
    expect(only(await staging.invoke())).toMatchObject({ state: 'completed' });
    expect(callsTo(staging, 'DetachInstances')).toEqual([]);
  });

  test.each(['maybe', 'ture', ''])(
    'and mistypes exclude ("%s") still gets the group left alone, and is told',
    async (value) => {
      const staging = staged({ exclude: value });
      expect(only(await staging.invoke())).toMatchObject({
        state: 'skipped',
        warnings: expect.arrayContaining([
          expect.stringContaining(`${EXCLUDE_TAG} of the group was "${value}"`),
        ]),
      });
      staging.invariants.assertHeld();
    },
  );
});

describe('updates stopped by a tag are reported, with how many days one has been available', () => {
  test.each([{ exclude: 'true' }, { exclude: 'maybe' }])('%o', async (tags: Tags) => {
    const [group] = groupsOf(await staged(tags).invoke());
    expect(group).toMatchObject({ state: 'skipped', heldBackDays: 3 });
  });

  test('by a pause', async () => {
    const { world, invoke } = staged({});
    world.state.groups.get(GROUP)?.tags.set(GROUP_TAGS.paused, { value: 'true', propagatesAtLaunch: false });
    expect(only(await invoke())).toMatchObject({ state: 'paused', heldBackDays: 3 });
  });

  test('of members', async () => {
    const staging = staged({}, (world) => {
      for (const { tags } of world.state.instances.values()) tags.set(EXCLUDE_TAG, 'true');
    });
    expect(only(await staging.invoke())).toMatchObject({ heldBackDays: 3 });
  });
});

describe('anyone who may tag an instance', () => {
  const FIRST = 'i-00000000000000001';
  const exclude = ({ state }: World) => void state.instances.get(FIRST)?.tags.set(EXCLUDE_TAG, 'maybe');

  test('and mistypes exclude on a member gets it left alone, and is told, while the others roll', async () => {
    const staging = staged({}, exclude);
    expect(only(await staging.invoke())).toMatchObject({
      state: 'completed',
      instances: { replaced: 3, total: 4 },
      warnings: [expect.stringContaining(`${EXCLUDE_TAG} of ${FIRST} was "maybe"`)],
    });
    staging.invariants.assertFinished();
  });

  test('can do so in mid-roll: the others go on', async () => {
    const staging = staged({}, undefined, { environment: { MAX_SURGE: '1' } });
    const { world, invoke, finish, invariants } = staging;
    const last = [...(world.state.groups.get(GROUP)?.members.keys() ?? [])].at(-1) ?? '';
    const spoil = () => void world.state.instances.get(last)?.tags.set(EXCLUDE_TAG, 'maybe');
    const result = only(await invoke({ action: 'roll' }, [afterCall('DetachInstances', spoil)]));
    expect(result).toMatchObject({ state: 'completed', instances: { replaced: 3 } });
    await finish();
    invariants.assertFinished();
  });
});

test('a tag by which a group waits for a day keeps no other group of the cluster waiting', async () => {
  const staging = staged(
    { 'bake-seconds': '86400' },
    (world) => {
      const options = { image: oldest(world), instances: 2, launchSpec: 'launch-template' } as const;
      world.addGroup({ name: 'later', cluster: 'demo', ...options });
    },
    { environment: TRUE_DEFAULTS },
  );
  await keepInvoking(staging, 120);
  const runs = (name: string) => membersOf(staging, name).map(({ imageId }) => imageId);
  expect(runs('later')).toEqual([RECOMMENDED, RECOMMENDED]);
  expect(new Set(runs(GROUP)).size).toBe(2);
});

describe("an alarm that one group's tag names, and that CloudWatch refuses to look up,", () => {
  const SECOND = 'second';
  const beside = (name: string) =>
    standardStage(
      {},
      {
        lambdaSeconds: 10_000,
        environment: { GROUP_CONCURRENCY: '2' },
        furnish(world) {
          const tags = { [`${SETTING_TAG_PREFIX}alarm-names`]: name };
          const options = {
            image: oldest(world),
            instances: 2,
            launchSpec: 'launch-template',
            tags,
          } as const;
          world.addGroup({ name: SECOND, cluster: 'demo', ...options });
        },
      },
    );
  const stateOf = (outcome: Outcome, name: string) =>
    groupsOf(outcome).find(({ group }) => group === name)?.state;

  test('fails only that group', async () => {
    const refusal: Interceptor = {
      before({ operation, input }) {
        if (operation === 'DescribeAlarms' && JSON.stringify(input).includes('refused'))
          throw new AwsError('ValidationError', '1 validation error detected', 400);
      },
    };
    const said = await beside('refused').invoke({ action: 'roll' }, [refusal]);
    expect(stateOf(said, SECOND)).toBe('failed');
    expect(stateOf(said, GROUP)).toBe('completed');
  });

  test('is not looked up if it has more than 255 characters, as CloudWatch counts them', async () => {
    const staging = beside('\u{1f514}'.repeat(128));
    const said = await staging.invoke();
    expect(stateOf(said, SECOND)).toBe('blocked');
    expect(stateOf(said, GROUP)).toBe('completed');
    expect(callsTo(staging, 'DescribeAlarms')).toEqual([]);
  });
});
