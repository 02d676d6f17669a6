import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Action } from '../../lambda/core/actions/decision.ts';
import { times } from '../sample/sampled.ts';
import { type AnyGroup, cases } from './any-group.ts';
import {
  ago,
  crashOn,
  decideAll,
  decided,
  detached,
  fresh,
  NOW,
  observe,
  old,
  ROLL,
  type Scene,
  told,
} from './builders.ts';

const closed = { code: 'outside-windows', opensAt: new Date(NOW.getTime() + 3_600_000) } as const;
const outside = closed;

describe('outside its windows', () => {
  test('a group is only planned, even if somebody asks', () => {
    const observed = observe([old('i-1')], { roll: null, closed });
    expect(decided(observed, {}, { ...ROLL, asked: true })).toEqual({ kind: 'planned', reason: outside });
    expect(told(observed)).toEqual([
      'planned: begins nothing new outside its windows, the next of which opens at 2026-11-21T13:00:00.000Z',
    ]);
  });

  test('a roll that has begun replaces nothing', () => {
    expect(decided(observe([old('i-1'), old('i-2')], { closed }))).toEqual({
      kind: 'paused',
      reason: outside,
    });
  });

  test('what drains is ended, and nothing else drains', () => {
    const sketches = [
      old('i-1', { member: null, marked: 600, turn: 300, ecs: 'DRAINING', running: 0 }),
      old('i-2', { member: null, marked: 600 }),
      fresh('i-3'),
      fresh('i-4'),
    ];
    expect(decided(observe(sketches, { closed, settled: 60 }))).toMatchObject({
      kind: 'act',
      reason: { code: 'turns-taken', ending: ['i-1'], beginning: [], chosen: [] },
    });
    expect(decided(observe(sketches.slice(1), { closed, settled: 60 })).kind).toBe('paused');
  });

  test('replacements are waited for', () => {
    const late = fresh('i-2', { member: 'Pending', ecs: null, age: 60 });
    expect(decided(observe([old('i-1', { member: null, marked: 60 }), late], { closed }))).toMatchObject({
      kind: 'wait',
      reason: { code: 'replacements-not-ready' },
    });
  });

  test('marks go from what stays', () => {
    expect(told(observe([fresh('i-9', { marked: 60 }), old('i-1')], { closed }))).toEqual([
      'remove the tags from i-9',
    ]);
  });

  test('tasks that fail turn a roll back', () => {
    const crashes = [901, 60].map((since) => crashOn('i-9', { since }));
    const scene = { closed, crashes, roll: { startedAt: ago(3400) } };
    expect(decided(observe([fresh('i-9', { age: 3000 }), old('i-1')], scene))).toMatchObject({
      kind: 'act',
      reason: { code: 'turns-back' },
    });
  });

  test('a trial goes on, and passes', () => {
    const all = [detached('i-1', { turn: 400, ecs: 'DRAINING' }), fresh('i-9'), old('i-2'), old('i-3')];
    const code = (seconds: number) => {
      const roll: Scene['roll'] = { canary: { kind: 'baking', since: ago(seconds) } };
      const observation = observe(all, { closed, settled: 60, roll });
      return decided(observation, { canary: 1, bakeSeconds: 120 }).reason.code;
    };
    expect([code(20), code(121)]).toEqual(['on-trial', 'trial-passed']);
  });

  test('a roll waits for what is left of its warm pool', () => {
    const warm = [old('i-5', { member: 'Warmed:Stopped', ecs: null })];
    expect(decided(observe([fresh('i-1')], { closed, warm }))).toEqual({ kind: 'paused', reason: outside });
  });

  test('a roll with nothing left to replace ends', () => {
    expect(decided(observe([fresh('i-1')], { closed })).kind).toBe('finish');
  });

  test.each(['abort', 'rollback'] as const)('an order goes on: %s', (kind) => {
    const course = { kind, since: ago(60), because: { code: 'asked' } } as const;
    const leaving = old('i-1', { member: null, marked: 600 });
    const observed = observe([leaving, fresh('i-2')], { closed, roll: { course, startedAt: ago(900) } });
    expect(decided(observed)).not.toMatchObject({ reason: outside });
  });

  test('windows that never open are said to', () => {
    expect(told(observe([old('i-1')], { roll: null, closed: { code: 'outside-windows' } }))).toEqual([
      'planned: begins nothing new outside its windows, which never open',
    ]);
  });
});

test('in a window a roll begins, and goes on', () => {
  expect(decided(observe([old('i-1')], { roll: null }))).toMatchObject({
    kind: 'act',
    reason: { code: 'roll-begins' },
  });
  expect(decided(observe([old('i-1')]))).toMatchObject({
    kind: 'act',
    reason: { code: 'members-detached' },
  });
});

/** Actions that begin something new, or are only for that. */
const BEGINNING: ReadonlySet<Action['kind']> = new Set([
  'use-launch-configuration',
  'create-launch-template-version',
  'use-launch-template-version',
  'change-mixed-instances-policy',
  'set-default-version',
  'detach-instances',
]);

function begins({ group, observation }: AnyGroup, action: Action): boolean {
  const marked = (id: string) => group.instances.find(({ instanceId }) => instanceId === id)?.mark;
  const drains = (id: string) =>
    observation.containerInstances.some((each) => each.instanceId === id && each.status === 'DRAINING');
  switch (action.kind) {
    case 'record-roll':
      return action.begins && !group.instances.some(({ alive, mark }) => alive && mark);
    case 'mark-instances':
      return action.instanceIds.some(
        (id) => marked(id) === undefined || (action.mark.drainStartedAt !== undefined && !drains(id)),
      );
    case 'drain':
      return action.containerInstances.some(({ instanceId }) => !drains(instanceId));
    case 'terminate':
      return action.pooledIn !== undefined;
    default:
      return BEGINNING.has(action.kind);
  }
}

test('whatever is observed, nothing new begins outside the windows', () => {
  const samples = fc.sample(cases, { numRuns: times(1_000, 300), seed: 2 });
  const toldOf = samples.map((one) => {
    const observation = { ...one.observation, groups: [{ ...one.group, closed }] };
    const [{ decision } = { decision: one.decision }] = decideAll(observation, one.settings, ROLL);
    return { one, decision, actions: 'actions' in decision ? decision.actions : [] };
  });
  const begun = toldOf.flatMap(({ one, actions }) => actions.filter((action) => begins(one, action)));
  expect(begun).toEqual([]);
  expect(samples.filter((one) => one.actions.some((each) => begins(one, each))).length).toBeGreaterThan(
    times(20, 5),
  );
  expect(toldOf.filter(({ decision }) => decision.reason.code === 'outside-windows').length).toBeGreaterThan(
    times(50, 20),
  );
  expect(
    toldOf.filter(({ actions }) => actions.some(({ kind }) => kind === 'deregister')).length,
  ).toBeGreaterThan(0);
});
