import { expect, test } from 'vitest';
import type { Decision } from '../../lambda/core/actions/decision.ts';
import { assess } from '../../lambda/core/group/assess.ts';
import { phases } from '../../lambda/metrics/phases.ts';
import { groupOf, observe, old, type Scene, SETTINGS } from '../core/builders.ts';

const TRIAL = {
  kind: 'wait',
  reason: {
    code: 'on-trial',
    instanceIds: ['i-1'],
    seconds: 120,
    since: new Date(0),
    faults: [],
    isIdle: false,
  },
} satisfies Decision;
const STEP = { kind: 'act', reason: { code: 'launch-spec-given-back' }, actions: [] } satisfies Decision;
const SETTLING = { code: 'services-settling', instanceIds: [], seconds: 30 } as const;

/** Tells phases what was decided, so many seconds after the former decision. */
function heard(
  decisions: readonly (readonly [number, Decision])[],
  scene: Scene = {},
): { readonly spent: ReturnType<typeof phases>; pass(seconds: number): void } {
  let now = 0;
  const clock = { now: () => new Date(now * 1000), sleep: async () => undefined };
  const spent = phases(clock);
  const observation = observe([old('i-1')], scene);
  const assessment = assess(groupOf(observation), observation, SETTINGS);
  for (const [after, decision] of decisions) {
    now += after;
    spent.heard('web', { assessment, decision, warnings: [], incredible: [] });
  }
  return {
    spent,
    pass(seconds) {
      now += seconds;
    },
  };
}

test('a roll is in a phase until something else is decided, or the invocation ends', () => {
  const { spent, pass } = heard([
    [0, TRIAL],
    [100, { kind: 'wait', reason: SETTLING }],
    [7, TRIAL],
  ]);
  pass(20);
  expect(spent.secondsOf('web', 'web-ecs')).toEqual({ trial: 120, draining: 7 });
});

test('a step is part of the phase it is taken in, at first of the launch', () => {
  const { spent } = heard([
    [0, STEP],
    [5, TRIAL],
    [100, STEP],
    [3, { kind: 'wait', reason: SETTLING }],
  ]);
  expect(spent.secondsOf('web', 'web-ecs')).toEqual({ launching: 5, trial: 103 });
});

test('of several reasons the first tells the phase', () => {
  const several = {
    kind: 'blocked',
    reason: { code: 'several', reasons: [SETTLING, TRIAL.reason] },
  } as const;
  const { spent } = heard([
    [0, several],
    [4, STEP],
    [6, TRIAL],
  ]);
  expect(spent.secondsOf('web', 'web-ecs')).toEqual({ draining: 6 });
});

test.each([
  ['that rests', { kind: 'paused', reason: { code: 'paused' } }],
  ['that is blocked', { kind: 'blocked', reason: SETTLING }],
  [
    'whose roll is over',
    { kind: 'finish', reason: { code: 'no-roll-begun' }, actions: [], ending: 'completed' },
  ],
] as const)('time of a group %s belongs to no phase', (_, decision) => {
  const { spent, pass } = heard([
    [0, TRIAL],
    [10, decision],
  ]);
  pass(500);
  expect(spent.secondsOf('web', 'web-ecs')).toEqual({ trial: 10 });
});

test('time after a group failed belongs to no phase', () => {
  const { spent, pass } = heard([[0, TRIAL]]);
  pass(10);
  spent.closed('web', 'web-ecs');
  pass(500);
  expect(spent.secondsOf('web', 'web-ecs')).toEqual({ trial: 10 });
});

test('a group without a roll is in no phase', () => {
  const { spent, pass } = heard([[0, TRIAL]], { roll: null });
  pass(10);
  expect(spent.secondsOf('web', 'web-ecs')).toEqual({});
});
