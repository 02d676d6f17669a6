import { describe, expect, test } from 'vitest';
import type { Action, Decision } from '../../lambda/core/actions/decision.ts';
import { assessCluster } from '../../lambda/core/group/assess.ts';
import type { GroupDecision } from '../../lambda/core/group-decision.ts';
import { withinConcurrency } from '../../lambda/core/groups-at-once.ts';
import type { Observation } from '../../lambda/core/model/observation.ts';
import type { Settings } from '../../lambda/core/model/settings.ts';
import { describeDecision } from '../../lambda/core/text/decision.ts';
import {
  ago,
  decideAll,
  detached,
  fresh,
  NOW,
  observe,
  old,
  ROLL,
  type Scene,
  SETTINGS,
  type Sketch,
  together,
  unready,
} from './builders.ts';

const begun = (seconds: number) => ({ roll: { startedAt: ago(seconds) } });
const notBegun = { roll: null };

/** What is decided about each group, in the order in which they come. */
function decisions(observation: Observation, settings: Partial<Settings> = {}): string[][] {
  return decideAll(observation, { ...SETTINGS, ...settings }, ROLL).map(
    ({ assessment: { group }, decision }) => [group.name, decision.kind],
  );
}

const three = together(
  observe([old('i-1')], begun(10)),
  observe([old('i-2')], begun(30)),
  observe([old('i-3')], begun(20)),
);

describe('the groups of a cluster', () => {
  test('are rolled one at a time, starting with the one that began first', () => {
    const observation = together(observe([old('i-1')]), observe([old('i-2')], { roll: { startedAt: NOW } }));
    const [first, second] = decideAll(observation, SETTINGS, ROLL);
    expect(first?.assessment.group.name).toBe('web-ecs');
    expect(second?.decision).toEqual({
      kind: 'wait',
      reason: { code: 'other-groups-first', groups: ['web-ecs'] },
    });
  });

  test('are rolled two at a time if configured, and the third names both it waits for', () => {
    const decided = decideAll(three, { ...SETTINGS, groupConcurrency: 2 }, ROLL);
    expect(decided.map(({ assessment: { group } }) => group.name)).toEqual(['other', 'third', 'web-ecs']);
    expect(decided.map(({ decision }) => decision.kind)).toEqual(['act', 'act', 'wait']);
    expect(decided[2]?.decision.reason).toEqual({
      code: 'other-groups-first',
      groups: ['other', 'third'],
    });
  });

  test('are recorded at once even while waiting for a turn, so that the next invocation knows', () => {
    const observation = together(observe([old('i-1')]), observe([old('i-2')], notBegun));
    const [, second] = decideAll(observation, SETTINGS, ROLL);
    expect(second?.decision).toMatchObject({ actions: [{ kind: 'record-roll', group: 'other' }] });
  });

  test('are recorded in one go if they are about to begin', () => {
    const observation = together(observe([old('i-1')], notBegun), observe([old('i-2')], notBegun));
    const decided = decideAll(observation, SETTINGS, ROLL);
    for (const { decision } of decided) {
      expect(decision).toMatchObject({ actions: [{ kind: 'record-roll' }] });
    }
  });

  test.each<[string, Partial<Settings>, number, boolean]>([
    ['waits as long as any', {}, 60, true],
    ['waits for longer by its tags, but not yet', { bakeSeconds: 86_400 }, 60, true],
    ['waits for longer by its tags', { bakeSeconds: 86_400 }, 30_000, false],
    ['bakes as others, and may drain for longer', { drainTimeoutSeconds: 604_800 }, 60, true],
  ])("wait for one that %s, and don't let it keep them for days", (_, overrides, seconds, holds) => {
    const baking = { kind: 'baking', since: ago(seconds) } as const;
    const roll = { startedAt: ago(seconds + 600), canary: baking };
    const waiting = observe([fresh('i-1'), old('i-2')], { roll, overrides });
    const decided = decisions(together(waiting, observe([old('i-3')], begun(30))), { canary: 1 });
    expect(decided).toEqual([
      ['web-ecs', 'wait'],
      ['other', holds ? 'wait' : 'act'],
    ]);
  });

  test.each([
    ['for as long as it may', 9000, true],
    ['that its owner keeps from ending', 30_000, false],
  ])("wait for one's launch hook %s, and no longer", (_, seconds, holds) => {
    const about = { abandons: false, heartbeatSeconds: 7200, globalTimeoutSeconds: 172_800 };
    const hook = { name: 'slow', transition: 'launching', ...about } as const;
    const lifecycleHooks = { kind: 'read', hooks: [hook] } as const;
    const replaced = detached('i-1', { marked: seconds });
    const waiting = observe([fresh('i-2', { age: seconds, member: 'Pending:Wait' }), replaced], {
      roll: { startedAt: ago(seconds) },
      lifecycleHooks,
    });
    expect(decisions(together(waiting, observe([old('i-3')], begun(30))))).toEqual([
      ['web-ecs', 'wait'],
      ['other', holds ? 'wait' : 'act'],
    ]);
  });

  test("don't wait for one that is blocked", () => {
    const blocked = observe([old('i-1')], { launch: { obstacle: { code: 'launch-spec-missing' } } });
    expect(decisions(together(blocked, observe([old('i-2')], notBegun)))).toEqual([
      ['web-ecs', 'blocked'],
      ['other', 'act'],
    ]);
  });

  test("don't wait for one that is up to date or left out", () => {
    const upToDate = observe([fresh('i-1')], notBegun);
    const leftOut = observe([old('i-2')], { ...notBegun, excluded: true });
    expect(decisions(together(upToDate, leftOut, observe([old('i-3')])))).toEqual([
      ['third', 'act'],
      ['other', 'skipped'],
      ['web-ecs', 'up-to-date'],
    ]);
  });

  test('keep their turn in mid-roll while they only record a request to force', () => {
    const forced = observe([old('i-1')], { ...begun(60), forceRequestedAt: NOW });
    expect(decisions(together(forced, observe([old('i-2')], begun(30))))).toEqual([
      ['web-ecs', 'act'],
      ['other', 'wait'],
    ]);
  });

  test('record a request to force even while waiting for a turn', () => {
    const forced = observe([old('i-2')], { ...begun(30), forceRequestedAt: NOW });
    const [, second] = decideAll(together(observe([old('i-1')], begun(60)), forced), SETTINGS, ROLL);
    expect(second?.decision).toMatchObject({ actions: [{ kind: 'record-roll', group: 'other' }] });
  });
});

describe("a setting that a group's tag overrides", () => {
  test('applies to that group alone', () => {
    const members = ['i-1', 'i-2', 'i-3'].map((id) => old(id));
    const one = observe(members, { overrides: { maxSurge: { kind: 'count', count: 1 } } });
    const decided = decideAll(together(one, observe(members)), { ...SETTINGS, groupConcurrency: 2 }, ROLL);
    const marked = decided.map(
      ({ decision }) =>
        'actions' in decision &&
        decision.actions.flatMap((each) => (each.kind === 'mark-instances' ? each.instanceIds : [])),
    );
    expect(marked).toEqual([['i-1', 'i-2', 'i-3'], ['i-1']]);
  });

  test('decides what makes its members outdated, and how long they are waited for', () => {
    const overrides = { drift: ['age'] as const, maxInstanceAgeDays: 1 };
    const young = observe([old('i-1', { age: 1000 })], { ...notBegun, overrides });
    expect(decisions(young)).toEqual([['web-ecs', 'up-to-date']]);
    const late = observe([fresh('i-1', { member: 'Pending', age: 300 })], {
      overrides: { readyTimeoutSeconds: 120 },
      watch: unready(ago(200), 'i-1'),
    });
    const [first] = decideAll(late, SETTINGS, ROLL);
    expect(first && describeDecision(first.decision)).toMatch(/^rolls back: after 120 s/);
  });
});

describe('with one group at a time', () => {
  const RESTS = { code: 'no-roll-begun' } as const;
  const waits = { kind: 'wait', reason: { code: 'draining', faults: [] } } as unknown as Decision;
  const acts = (...actions: readonly Action[]) =>
    ({ kind: 'act', reason: RESTS, actions }) as unknown as Decision;
  const PAUSE: Action = { kind: 'pause', group: 'web-ecs', since: NOW };
  const TERMINATE: Action = { kind: 'terminate', instanceIds: ['i-1'] };

  /** Whether a group of which that is decided keeps another from its turn. */
  function holds(decision: Decision, scene: Scene = {}, sketches: readonly Sketch[] = [old('i-1')]): boolean {
    const observation = together(observe(sketches, scene), observe([old('i-2')]));
    const [first, second] = assessCluster(observation, SETTINGS).groups;
    if (first === undefined || second === undefined) throw new Error('there are two groups');
    const both = [
      { assessment: first, decision },
      { assessment: second, decision: acts(TERMINATE) },
    ].map((each) => ({ ...each, warnings: [], notes: [] }) as unknown as GroupDecision);
    return withinConcurrency(both, SETTINGS)[1]?.decision.kind === 'wait';
  }

  test('another waits for one that does something, waits or finishes', () => {
    const finishes = { kind: 'finish', reason: RESTS, actions: [], ending: 'completed' } as const;
    for (const decision of [acts(TERMINATE), acts(PAUSE, TERMINATE), waits, finishes])
      expect(holds(decision)).toBe(true);
    expect(holds({ kind: 'paused', reason: RESTS })).toBe(false);
  });

  test('another waits for one that only records something if its roll has begun', () => {
    expect(holds(acts(PAUSE))).toBe(true);
    expect(holds(acts(PAUSE), notBegun)).toBe(false);
    expect(holds(acts(PAUSE, TERMINATE), notBegun)).toBe(true);
  });

  test("another never waits for a stranger's", () => {
    const notOurs = { kind: 'undecided', reason: { code: 'belonging-undecided' } } as never;
    expect(holds(waits, { notOurs })).toBe(false);
  });

  test('another waits for as long as a step may take since its latest step, whichever that was', () => {
    const long = { startedAt: ago(90_000) };
    expect(holds(waits, { roll: long })).toBe(false);
    expect(holds(acts(TERMINATE), { roll: long })).toBe(true);
    expect(holds(waits, { roll: { startedAt: ago(60) } })).toBe(true);
    expect(holds(waits, notBegun)).toBe(false);
    expect(holds(waits, { roll: { ...long, canary: { kind: 'baking', since: ago(60) } } })).toBe(true);
    const course = { kind: 'abort', since: ago(60), because: { code: 'asked' } } as const;
    expect(holds(waits, { roll: { ...long, course } })).toBe(true);
    expect(holds(waits, { roll: long }, [detached('i-1', { marked: 60 })])).toBe(true);
    expect(holds(waits, { roll: long }, [detached('i-1', { marked: 90_000, turn: 60 })])).toBe(true);
    expect(holds(waits, { roll: long }, [detached('i-1', { marked: 60, alive: false })])).toBe(false);
  });
});
