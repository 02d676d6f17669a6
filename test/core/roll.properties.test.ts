import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LaunchSource } from '../../lambda/core/launch.ts';
import type { GroupSettings, Settings } from '../../lambda/core/settings.ts';
import { OLD, PLACE, SETTINGS, TARGET } from './builders.ts';
import { type Interference, type Play, SimulatedRoll } from './simulated/roll.ts';

// More of them, or others, by the environment: what is rare is found so.
const RUNS = Number(process.env.RUNS ?? 100);
const SEED = Number(process.env.SEED ?? 1);

const template = (templateId: string, reference: '$Latest' | '$Default' | 'number'): LaunchSource => ({
  place: { kind: 'launch-template', templateId, reference, version: 3 },
  imageId: OLD.imageId,
  target: TARGET,
});
const LAUNCHES: readonly Pick<Play, 'sources' | 'mixed'>[] = [
  { sources: [{ place: PLACE, imageId: OLD.imageId, target: TARGET }], mixed: false },
  { sources: [template('lt-1', 'number')], mixed: false },
  { sources: [template('lt-1', '$Default')], mixed: false },
  { sources: [template('lt-1', '$Latest')], mixed: false },
  { sources: [template('lt-1', 'number'), template('lt-2', '$Latest')], mixed: true },
];

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
  })
  .map((some) => ({
    ...SETTINGS,
    ...some,
    maxInstanceAgeDays: 300,
    readyTimeoutSeconds: 400,
    drainTimeoutSeconds: 1e9,
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
        ...launch,
        trafficSources: served ? [{ kind: 'target-group', arn: 'arn:tg/web/1' }] : [],
        settings: { ...settings, maxSurge: surge(surges[percent % surges.length] ?? 0) },
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
    { numRuns: RUNS, seed: SEED },
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

  // What is ours of the sizes two may still confuse: one takes the detach that the other is about to make for given up.
  test('with two invocations at once', () => {
    const turns = fc.constantFrom([0, 1], [0, 0, 1], [0, 1, 1, 0], [0, 0, 1, 1], [0, 0, 1, 0, 1]);
    comesToAnEnd(plays(['detach', 'in-place'], ['kill'], turns));
  });

  test.each(['scale-out', 'in-place'] as const)('killed at every step, with a surplus (%s)', (strategy) => {
    const [play] = fc.sample(plays([strategy], []), { numRuns: 1, seed: 1 });
    if (play === undefined) throw new Error('there is nothing to play');
    const scaled = { ...play, size: 3, below: 3, above: 3, weights: [1], warm: 0, suspended: [] };
    for (let at = 0; at < 100; at++) {
      const death = { at: 13, kind: 'death of ours', value: 0 } as const;
      const kill = { at, kind: 'kill', value: 0 } as const;
      new SimulatedRoll({ ...scaled, interferences: [death, kill] }).run();
    }
  });
});
