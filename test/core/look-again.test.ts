import { describe, expect, test } from 'vitest';
import { nextLook } from '../../lambda/core/look-again.ts';
import { EC2_LAG_SECONDS } from '../../lambda/core/model/time.ts';
import type { WaitReason } from '../../lambda/core/reasons/reason.ts';
import {
  ago,
  arnOf,
  decideAll,
  detached,
  fresh,
  observe,
  old,
  ROLL,
  type Scene,
  SETTINGS,
  type Sketch,
} from './builders.ts';

const { pollSeconds, stableSeconds } = SETTINGS;
const SOON = pollSeconds / 5;

/** When a whole look comes after what is decided of the first group. */
const wholeLook = (
  sketches: readonly Sketch[],
  scene: Scene = {},
  times = 1,
  settings: Partial<typeof SETTINGS> = {},
) =>
  decideAll(observe(sketches, scene), { ...SETTINGS, ...settings }, ROLL).map(
    (each) => nextLook(each, times).seconds,
  );

describe('after a write a look comes', () => {
  const unrecorded = [old('i-1')];

  test('soon, if it takes effect at once', () => {
    expect(wholeLook(unrecorded, { roll: null })).toEqual([SOON]);
  });

  test('a poll later, if AWS is slow to show it', () => {
    expect(wholeLook(unrecorded, { roll: null }, 2)).toEqual([pollSeconds]);
  });

  test('later and later, the more often it seems to have no effect', () => {
    const polls = (times: number) => (wholeLook(unrecorded, { roll: null }, times)[0] ?? 0) / pollSeconds;
    expect([2, 3, 4, 7, 10].map(polls)).toEqual([1, 2, 3, 6, 6]);
    const tries = Array.from({ length: 9 }, (_, index) => polls(index + 1) * pollSeconds);
    expect(tries.reduce((a, b) => a + b)).toBeGreaterThan(EC2_LAG_SECONDS);
  });

  test('a poll later, if it begins something that takes time', () => {
    expect(wholeLook([detached('i-1', { turn: 60 }), fresh('i-9')], { settled: 99 })).toEqual([pollSeconds]);
  });

  const draining = detached('i-1', { ecs: 'DRAINING', turn: 60, tasks: ['service:api'], stopping: true });
  const watch = { draining: [arnOf('i-1')], servedSince: new Date(0) };
  const all = [draining, detached('i-2'), fresh('i-9')];

  test('six polls later, if glances tell when another has drained for which it is', () => {
    expect(wholeLook(all, { watch })).toEqual([6 * pollSeconds]);
  });

  test('soon, if those that drain only say goodbye and hold up nobody', () => {
    const said = { ...watch, servedSince: ago(5), goodbyes: watch.draining };
    expect(wholeLook(all, { watch: said })).toEqual([SOON]);
  });

  test('a poll later, if the one it chose may drain along', () => {
    expect(wholeLook(all, { watch }, 1, { drainConcurrency: 2 })).toEqual([pollSeconds]);
  });

  test('a poll later, if only some of what it does takes time', () => {
    const empty = detached('i-1', { ecs: 'DRAINING', turn: 90 });
    const both = [empty, detached('i-2', { turn: 60 }), fresh('i-9')];
    expect(wholeLook(both, { settled: 99 })).toEqual([pollSeconds]);
  });

  test('soon, if it ends what has drained while another still drains', () => {
    const empty = detached('i-1', { ecs: 'DRAINING', turn: 90 });
    const other = detached('i-2', { ecs: 'DRAINING', turn: 60, tasks: ['service:api'], stopping: true });
    const both = { draining: [arnOf('i-1'), arnOf('i-2')], servedSince: new Date(0) };
    expect(wholeLook([empty, other, fresh('i-9')], { watch: both, settled: 99 })).toEqual([SOON]);
  });

  test('soon, if nothing drains before the one it chose', () => {
    expect(wholeLook([detached('i-2'), fresh('i-9')])).toEqual([SOON]);
  });
});

const baking = (since: number): Scene => ({ roll: { canary: { kind: 'baking', since: ago(since) } } });

describe('during a wait a whole look comes', () => {
  const draining = detached('i-1', { ecs: 'DRAINING', turn: 60 });
  const settling = (settled: number) => wholeLook([draining, fresh('i-9')], { settled });

  test('six polls later, if glances tell whether anything has changed', () => {
    const left = { ...draining, tasks: ['service:api'] };
    expect(wholeLook([left, fresh('i-9')])).toEqual([6 * pollSeconds]);
  });

  test('a poll later, if only a whole look can tell', () => {
    expect(wholeLook([detached('i-1'), fresh('i-9', { agentConnected: false })])).toEqual([pollSeconds]);
  });

  test('right when the last task will have stopped, if it takes as long as another of its service did', () => {
    const stopping = { ...draining, tasks: ['service:api', 'service:web'], stopping: true };
    const all = (stoppingFor?: number) => [{ ...stopping, stoppingFor }, fresh('i-9')];
    const known = { stopSeconds: { 'service:api': 35, 'service:web': 5 } };
    expect(wholeLook(all(20), known)).toEqual([16]);
    expect(wholeLook(all(34.5), known)).toEqual([SOON]);
    expect(wholeLook(all(35), known)).toEqual([6 * pollSeconds]);
    expect(wholeLook(all(1), known)).toEqual([35]);
    expect(wholeLook(all(36), known)).toEqual([6 * pollSeconds]);
    expect(wholeLook(all(), known)).toEqual([6 * pollSeconds]);
    expect(wholeLook(all(20), { stopSeconds: { 'service:api': 35 } })).toEqual([6 * pollSeconds]);
  });

  test('six polls later, if nothing was read of how long tasks take to stop', () => {
    const left = { ...draining, tasks: ['service:api'], stopping: true, stoppingFor: 20 };
    const observation = observe([left, fresh('i-9')]);
    const unread = { ...observation, details: { ...observation.details, stopSeconds: undefined } };
    const looks = decideAll(unread, SETTINGS, ROLL).map((each) => nextLook(each, 1).seconds);
    expect(looks).toEqual([6 * pollSeconds]);
  });

  test('but not before services will have been steady for long enough', () => {
    const left = { ...draining, tasks: ['service:api'], stopping: true, stoppingFor: 34 };
    const scene = { stopSeconds: { 'service:api': 35 }, settled: stableSeconds - 9 };
    expect(wholeLook([left, fresh('i-9')], scene)).toEqual([9]);
  });

  test('and then at once, if its tasks take longer than one poll more: another may drain', () => {
    const left = { ...draining, tasks: ['service:api'], stopping: true, stoppingFor: 5 };
    const look = (took: number) =>
      wholeLook([left, fresh('i-9')], { stopSeconds: { 'service:api': took }, settled: stableSeconds - 9 });
    expect(look(14 + pollSeconds)).toEqual([9]);
    expect(look(13 + pollSeconds)).toEqual([9 + pollSeconds]);
  });

  test('and until then no glance asks for the tasks', () => {
    const left = { ...draining, tasks: ['service:api'], stopping: true, stoppingFor: 20 };
    const asked = (stopSeconds: Scene['stopSeconds']) =>
      decideAll(observe([left, fresh('i-9')], { stopSeconds }), SETTINGS, ROLL).map(
        (each) => nextLook(each, 1).waits?.tasks.length,
      );
    expect(asked({ 'service:api': 35 })).toEqual([0]);
    expect(asked({})).toEqual([1]);
  });

  test('right when a trial is over, and no sooner if it lasts longer', () => {
    const onTrial = (since: number, running = 1) =>
      wholeLook([fresh('i-9', { running }), old('i-1')], baking(since), 1, {
        canary: 1,
        bakeSeconds: 120,
      });
    expect(onTrial(90)).toEqual([31]);
    expect(onTrial(30)).toEqual([6 * pollSeconds]);
    expect(onTrial(90, 0)).toEqual([6 * pollSeconds]);
  });

  test('right when services have been steady for long enough, and not at once', () => {
    expect(settling(stableSeconds - 4)).toEqual([4]);
    expect(settling(stableSeconds - 0.1)).toEqual([SOON]);
  });

  test('six polls later, until instances register, however steady services are', () => {
    const coming = [detached('i-1'), fresh('i-9', { ecs: null })];
    expect(wholeLook(coming)).toEqual([6 * pollSeconds]);
    expect(wholeLook(coming, { settled: 1 })).toEqual([6 * pollSeconds]);
  });

  /** When a whole look comes while a group waits for this. */
  const lookWhile = (reason: WaitReason, pollSeconds: number) => {
    const settings = { ...SETTINGS, pollSeconds };
    return decideAll(observe([fresh('i-9')]), settings, ROLL).map(
      (each) => nextLook({ ...each, decision: { kind: 'wait', reason } }, 1).seconds,
    );
  };

  test('right when a hook that holds is asked again', () => {
    const holds = (askedAt: Date) =>
      ({ code: 'hook-holds', stage: 'before-batch', askedAt, until: ago(-900) }) as const;
    expect(lookWhile(holds(ago(20)), 15)).toEqual([41]);
    expect(lookWhile(holds(ago(60)), 5)).toEqual([1]);
  });

  test('right when the time of people to answer is over', () => {
    const awaited = (until: Date) =>
      ({ code: 'approval-awaited', stage: 'before-batch', group: 'web-ecs', question: 'k', until }) as const;
    expect(lookWhile(awaited(ago(-20)), 15)).toEqual([21]);
    expect(lookWhile(awaited(ago(-900)), 15)).toEqual([90]);
  });

  test('six polls later while services that are to settle are not seen to be steady', () => {
    expect(
      lookWhile({ code: 'services-settling', instanceIds: ['i-1'], seconds: stableSeconds }, 15),
    ).toEqual([90]);
  });
});
