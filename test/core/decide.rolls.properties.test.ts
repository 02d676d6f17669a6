import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LaunchSource } from '../../lambda/core/model/launch.ts';
import type { GroupSettings, Settings } from '../../lambda/core/model/settings.ts';
import { times } from '../sample/sampled.ts';
import { OLD, PLACE, SETTINGS, TARGET } from './builders.ts';
import { ALARM, type Fault } from './simulated/group.ts';
import { type Interference, type Play, SimulatedRoll } from './simulated/roll.ts';

// More of them, or others, by the environment: what is rare is found so.
const RUNS = Number(process.env.RUNS ?? times(100, 1));
const SEED = Number(process.env.SEED ?? 1);

const template = (templateId: string, reference: '$Latest' | '$Default' | 'number'): LaunchSource => ({
  place: { kind: 'launch-template', templateId, reference, version: 3 },
  imageId: OLD.imageId,
  target: TARGET,
});
const override: LaunchSource = {
  place: { kind: 'override', templateId: 'lt-1', version: 3, instanceTypes: ['m5.large'] },
  imageId: OLD.imageId,
  target: TARGET,
};
const LAUNCHES: readonly Pick<Play, 'sources' | 'mixed'>[] = [
  { sources: [{ place: PLACE, imageId: OLD.imageId, target: TARGET }], mixed: false },
  { sources: [template('lt-1', 'number')], mixed: false },
  { sources: [template('lt-1', '$Default')], mixed: false },
  { sources: [template('lt-1', '$Latest')], mixed: false },
  { sources: [template('lt-1', 'number'), template('lt-2', '$Latest')], mixed: true },
  { sources: [template('lt-1', 'number'), override], mixed: true },
];

const MIXED = LAUNCHES.filter(({ mixed }) => mixed);

const STRATEGIES = {
  detach: { surges: [100, 30, 1], served: false },
  'scale-out': { surges: [100, 30, 1], served: true },
  'in-place': { surges: [0], served: true },
} as const;

const surge = (percent: number): Settings['maxSurge'] =>
  percent === 0 ? { kind: 'count', count: 0 } : { kind: 'percent', percent };

const settings = fc
  .record({
    raiseMaxSize: fc.boolean(),
    drainConcurrency: fc.integer({ min: 1, max: 4 }),
    stableSeconds: fc.constantFrom(0, 20),
    keepLaunchSpecs: fc.nat(2),
    standby: fc.constantFrom('skip', 'replace'),
    drift: fc.constantFrom<Settings['drift']>(['image'], ['image', 'launch-spec'], ['image', 'age']),
    canary: fc.constantFrom(0, 1, 1, 2),
    bakeSeconds: fc.constantFrom(0, 40),
    onDrainTimeout: fc.constantFrom('hold', 'force'),
  })
  .map((some) => ({
    ...SETTINGS,
    ...some,
    maxInstanceAgeDays: 300,
    readyTimeoutSeconds: 400,
    alarmNames: [ALARM],
    alarmTimeoutSeconds: 60,
  }));

const anyInterference = (...kinds: Interference['kind'][]): fc.Arbitrary<Interference> =>
  fc.record({
    at: fc.nat(100),
    kind: fc.constantFrom(...kinds),
    value: fc.integer({ min: -4, max: 4 }),
  });

function plays(
  strategies: readonly (keyof typeof STRATEGIES)[],
  kinds: readonly Interference['kind'][],
  turns: fc.Arbitrary<readonly number[]> = fc.constant([0]),
  fault: fc.Arbitrary<Fault | undefined> = fc.constant(undefined),
): fc.Arbitrary<Play> {
  return fc
    .record({
      strategy: fc.constantFrom(...strategies),
      percent: fc.nat(2),
      size: fc.oneof({ weight: 30, arbitrary: fc.nat(5) }, { weight: 1, arbitrary: fc.constant(24) }),
      below: fc.constantFrom(0, 1, 10),
      above: fc.constantFrom(1, 2, 8, 0),
      warm: fc.constantFrom(0, 0, 2),
      weights: fc.constantFrom([1], [1], [2], [1, 2, 4]),
      suspended: fc.subarray(['AZRebalance', 'AlarmNotification', 'ReplaceUnhealthy']),
      launch: fc.constantFrom(...LAUNCHES),
      settings,
      fault,
      provided: fc.boolean(),
      interferences:
        kinds.length > 0 ? fc.array(anyInterference(...kinds), { maxLength: 8 }) : fc.constant([]),
      turns,
      seed: fc.nat(1000),
    })
    .map(({ strategy, percent, launch, settings, ...rest }) => {
      const { surges, served } = STRATEGIES[strategy];
      const switches: Partial<GroupSettings>[] = [
        { maxSurge: surge(0) },
        { maxSurge: surge(100) },
        { maxSurge: surge(30) },
        {},
      ];
      return {
        ...rest,
        // Only a mixed instances policy has members weigh more than others.
        ...(rest.weights.every((weight) => weight === 1) ? launch : (MIXED[percent % 2] ?? launch)),
        // Who has members die lets the group replace them.
        suspended: rest.fault?.kind === 'dies' ? [] : rest.suspended,
        trafficSources: served ? [{ kind: 'target-group', arn: 'arn:tg/web/1' }] : [],
        settings: {
          ...settings,
          maxSurge: surge(surges[percent % surges.length] ?? 0),
          // Nothing is to be given up for being late where nothing is ever stuck.
          drainTimeoutSeconds: rest.fault !== undefined || kinds.includes('stick') ? 200 : 1e9,
        },
        switches,
      } satisfies Play;
    });
}

function comesToAnEnd(arbitrary: fc.Arbitrary<Play>): void {
  let done = 0;
  fc.assert(
    fc.property(arbitrary, (play) => {
      done += new SimulatedRoll(play).run().done;
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: process.env.QUICK !== undefined },
  );
  expect(done).toBeGreaterThan(RUNS);
}

const INTERFERENCES: readonly (readonly [string, readonly Interference['kind'][]])[] = [
  ['undisturbed', []],
  ['however often it is killed', ['kill']],
  ['while others scale the group', ['scale', 'alarm', 'maximum', 'minimum', 'kill']],
  ['while instances die', ['death', 'death of ours', 'kill', 'deploy']],
  ['while processes are suspended and resumed', ['suspend a process', 'resume a process', 'kill']],
  ['while instances are left out', ['exclude', 'include', 'kill']],
  ['while instances stand by', ['standby', 'standby', 'back in service', 'kill']],
];
const ORDERS = ['pause', 'resume', 'abort', 'rollback'] as const;

const fault = (of: Fault['of'], until: fc.Arbitrary<number>): fc.Arbitrary<Fault> =>
  fc.record({
    kind: fc.constantFrom('launches fail', 'never registers', 'never serves', 'dies', 'tasks crash'),
    of: fc.constant(of),
    until,
  });
const FOR_EVER = fc.constant(Number.POSITIVE_INFINITY);
const A_WHILE = fc.integer({ min: 5, max: 300 });
const STRATEGY_NAMES = ['detach', 'scale-out', 'in-place'] as const;

describe.each(STRATEGY_NAMES)('a roll comes to an end, and puts everything back (%s),', (strategy) => {
  test.each(INTERFERENCES)('%s', (_, kinds) => comesToAnEnd(plays([strategy], kinds)));
});

describe('a roll comes to an end, and puts everything back,', () => {
  test('switched from one strategy to another', () =>
    comesToAnEnd(plays(STRATEGY_NAMES, ['switch settings', 'switch settings', 'kill'])));

  test('under all of it', () => {
    const all = new Set(INTERFERENCES.flatMap(([, kinds]) => kinds));
    comesToAnEnd(plays(STRATEGY_NAMES, ['switch settings', ...all]));
  });

  test.each(STRATEGY_NAMES)('or back, as somebody asks (%s)', (strategy) =>
    comesToAnEnd(plays([strategy], [...ORDERS, 'kill'])),
  );

  test.each(STRATEGY_NAMES)('though tasks can not move, or an alarm rings (%s)', (strategy) =>
    comesToAnEnd(plays([strategy], ['stick', 'stick', 'ring', 'kill'])),
  );

  test.each(STRATEGY_NAMES)('by going back from an image that is bad (%s)', (strategy) =>
    comesToAnEnd(plays([strategy], ['kill'], undefined, fault('target', FOR_EVER))),
  );

  test.each(STRATEGY_NAMES)('once nothing is wrong with instances any more (%s)', (strategy) =>
    comesToAnEnd(plays([strategy], ['kill'], undefined, fault('all', A_WHILE))),
  );

  test('under all of it, and going back', () => {
    const all = new Set(INTERFERENCES.flatMap(([, kinds]) => kinds));
    comesToAnEnd(
      plays(
        STRATEGY_NAMES,
        ['stick', 'ring', ...ORDERS, ...all],
        undefined,
        fc.option(fc.oneof(fault('target', FOR_EVER), fault('all', A_WHILE)), { nil: undefined }),
      ),
    );
  });

  // What is ours of the sizes two may still confuse: one takes the detach that the other is about to make for given up.
  test('with two invocations at once', () => {
    const turns = fc.constantFrom([0, 1], [0, 0, 1], [0, 1, 1, 0], [0, 0, 1, 1], [0, 0, 1, 0, 1]);
    comesToAnEnd(plays(['detach', 'in-place'], ['kill'], turns));
  });

  test.each(['scale-out', 'in-place'] as const)('killed at every step, with a surplus (%s)', (strategy) => {
    const [play] = fc.sample(plays([strategy], []), { numRuns: 1, seed: 1 });
    if (play === undefined) throw new Error('there is nothing to play');
    const scaled = { ...play, size: 3, below: 3, above: 3, weights: [1], warm: 0, suspended: [] };
    for (let at = 0; at < times(100, 5); at++) {
      const death = { at: 13, kind: 'death of ours', value: 0 } as const;
      const kill = { at, kind: 'kill', value: 0 } as const;
      new SimulatedRoll({ ...scaled, interferences: [death, kill] }).run();
    }
  });
});
