import { describe, expect, it, test } from 'vitest';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import { pairsOf, testsFor } from '../sample/sampled.ts';
import { READINGS } from '../simulated-aws/world/readings.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { oneGroup, tagGroup } from './happenings.ts';
import { afterCall, groupsOf } from './outcomes.ts';
import { type StageOptions, stage, TRUE_DEFAULTS } from './stage.ts';

type GroupOptions = Parameters<World['addGroup']>[0];

interface Scene extends Omit<StageOptions, 'furnish'> {
  readonly base: number;
  readonly percent: number;
  readonly group?: Partial<GroupOptions>;
  readonly prepare?: (world: World) => void;
}

/** A group with a target group, and so one that gets larger for its roll. */
function rolled({ base, percent, group: more, prepare, ...options }: Scene) {
  const made = stage({
    lambdaSeconds: 10_000,
    ...options,
    furnish(world) {
      prepare?.(world);
      const { arn } = world.addTargetGroup({ name: 'web' });
      oneGroup(world, {
        launchSpec: 'mixed-instances',
        ...{ zones: ['a', 'b'], maxSize: 24, targetGroupArns: [arn] },
        distribution: { OnDemandBaseCapacity: base, OnDemandPercentageAboveBaseCapacity: percent },
        ...more,
      });
    },
  });
  const group = made.world.state.groups.get('demo-ecs');
  if (group === undefined) throw new Error('there is no group');
  const members = (isSpot: boolean) =>
    [...group.members.values()].filter(({ instance }) => instance.isSpot === isSpot);
  return { ...made, group, onDemand: () => members(false).length, spot: () => members(true) };
}

const SHARES = [
  [0, 10],
  [2, 50],
  [3, 0],
  [9, 25],
] as const;
const ENDS = { forward: 'completed', abort: 'aborted', rollback: 'rolled-back' } as const;
const COURSES = [
  ['forward', 0],
  ...(['abort', 'rollback'] as const).map((course) => [course, 2] as const),
] as const;
const WAYS: readonly (readonly [string, Pick<Scene, 'environment' | 'expectations'>])[] = [
  ['detached', {}],
  ['ended by their group', { environment: { TERMINATE_HOOKS: 'run' }, expectations: { endsMembers: true } }],
];
const ROWS = SHARES.flatMap((share) =>
  ['1', '2', '100%'].flatMap((surge) =>
    READINGS.zoneWhenEven.flatMap((tie) =>
      COURSES.flatMap((course) => WAYS.map((way) => [...share, surge, tie, ...course, ...way] as const)),
    ),
  ),
);

test.each(
  testsFor(
    pairsOf(ROWS, 36),
    8,
    ([base, percent]) => `${base} ${percent}`,
    ([, , surge, tie]) => `${surge} ${tie}`,
    ([, , , , course, , way]) => `${course} ${way}`,
  ),
)(
  'a base of %d and %d percent are On-Demand in the end: %s more, where even the %s; %s after %s, %s',
  async (base, percent, surge, tie, course, nth, _, { environment, expectations }) => {
    const { group, invoke, finish, invariants, endings, onDemand } = rolled({
      base,
      percent,
      group: { instances: 5 },
      environment: { ...TRUE_DEFAULTS, MAX_SURGE: surge, ...environment },
      expectations: {
        maxSurge: surge === '100%' ? 5 : Number(surge),
        surplus: 5,
        endings: [ENDS[course], 'completed'],
        ...expectations,
      },
      prepare: ({ state: { readings } }) => {
        readings.zoneWhenEven = tie;
      },
    });
    const before = onDemand();
    const request = () => tagGroup(group, { [GROUP_TAGS.course]: course });
    await invoke({ action: 'roll' }, [afterCall('UpdateContainerInstancesState', request, nth)]);
    await finish();
    invariants.assertFinished();
    expect(endings).toHaveLength(1);
    expect(onDemand()).toBeGreaterThanOrEqual(before);
  },
);

describe('Spot Instances in place of On-Demand ones', () => {
  const all = { MAX_SURGE: '100%', DRAIN_CONCURRENCY: '4' };
  const expectations = { drainConcurrency: 4, surplus: 4 };

  it('are not launched where members are replaced without a larger group', async () => {
    const { roll, onDemand, log } = rolled({
      ...{ base: 4, percent: 0, environment: all, expectations },
      group: { targetGroupArns: [] },
    });
    await roll();
    expect(onDemand()).toBe(4);
    expect(log.join('\n')).not.toContain('in place of On-Demand');
  });

  it('are told of where no more may be launched, or types have weights', async () => {
    const overrides = [{ instanceType: 'm5.large', weight: 2 }];
    const { invoke, spot } = rolled({
      ...{ base: 8, percent: 0, environment: all, expectations },
      group: { overrides },
    });
    const [said] = groupsOf(await invoke());
    expect(spot()).toHaveLength(4);
    expect(JSON.stringify(said?.warnings)).toContain('8 of its capacity fewer On-Demand');
  });
});
