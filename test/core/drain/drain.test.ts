import { describe, expect, test } from 'vitest';
import { endLeaving } from '../../../lambda/core/drain/drain.ts';
import { type DrainRules, UNRESTRICTED } from '../../../lambda/core/drain/rules.ts';
import { hasRoll } from '../../../lambda/core/group/assess.ts';
import { NO_CHANGES } from '../../../lambda/core/model/roll.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import {
  ago,
  arnOf,
  assessed,
  detached,
  fresh,
  launching,
  NOW,
  OLD,
  observe,
  old,
  PLACE,
  type Scene,
  type Sketch,
  TARGET_GROUP,
} from '../builders.ts';

/** What is decided about the instances that leave a group. */
function decide(
  sketches: readonly Sketch[],
  scene: Scene = {},
  rules: Partial<DrainRules> = {},
  settings: Partial<Settings> = {},
) {
  const assessment = assessed(
    observe([...sketches, fresh('i-8'), fresh('i-9')], { settled: 60, ...scene }),
    settings,
  );
  if (!hasRoll(assessment)) throw new Error('there is no roll');
  return endLeaving(assessment, { ...UNRESTRICTED, ...rules });
}
const actionsOf = (...given: Parameters<typeof decide>) => {
  const decision = decide(...given);
  return decision !== undefined && 'actions' in decision ? decision.actions : [];
};
const draining = (id: string, rest: Partial<Sketch> = {}) =>
  detached(id, { ecs: 'DRAINING', turn: 60, ...rest });
const task = { tasks: ['service:api'] };

describe('of what leaves', () => {
  test('nothing is decided if there is nothing, or it is kept serving', () => {
    expect(decide([])).toBeUndefined();
    expect(decide([detached('i-1')], {}, { keptServing: new Set(['i-1']) })).toBeUndefined();
    expect(actionsOf([detached('i-1')])).toMatchObject([{ kind: 'mark-instances', instanceIds: ['i-1'] }]);
  });

  test('what its owner excludes is up to the owner, who is told once nothing else is left', () => {
    const excluded = detached('i-1', { excluded: true });
    expect(decide([excluded])).toEqual({
      kind: 'blocked',
      reason: { code: 'left-out-while-leaving', instanceIds: ['i-1'] },
    });
    expect(actionsOf([excluded, detached('i-2')])).toMatchObject([{ instanceIds: ['i-2'] }]);
  });

  test('those that were detached together get their turns in one call, with their own mark', () => {
    const all = [
      detached('i-1', { marked: 400 }),
      detached('i-2', { marked: 500 }),
      detached('i-3', { marked: 400 }),
    ];
    const marks = actionsOf(all, {}, {}, { drainConcurrency: 3 });
    expect(marks).toEqual([
      {
        kind: 'mark-instances',
        instanceIds: ['i-1', 'i-3'],
        mark: { group: 'web-ecs', detachStartedAt: ago(400), drainStartedAt: NOW },
      },
      {
        kind: 'mark-instances',
        instanceIds: ['i-2'],
        mark: { group: 'web-ecs', detachStartedAt: ago(500), drainStartedAt: NOW },
      },
    ]);
  });

  test('one begins to drain on each registration that is ACTIVE, beside those that have their turn after it', () => {
    const twice = detached('i-1', { turn: 30, twin: { ecs: 'REGISTRATION_FAILED' } });
    const others = [detached('i-2', { turn: 20 }), detached('i-3')];
    const [drain] = actionsOf([twice, ...others]);
    expect(drain).toMatchObject({
      kind: 'drain',
      containerInstances: [{ arn: arnOf('i-1') }],
      next: [{ instanceId: 'i-2' }],
    });
    expect(drain).not.toHaveProperty('containerInstances.1');
    expect(drain).not.toHaveProperty('next.1');
  });

  test('one that drains already has its other registrations drained, beside nobody', () => {
    const twin = { ecs: 'DRAINING' };
    const [drain] = actionsOf([detached('i-1', { turn: 30, twin, ...task }), detached('i-2', { turn: 20 })]);
    expect(drain).toMatchObject({ kind: 'drain', containerInstances: [{ arn: arnOf('i-1') }] });
    expect(drain).toHaveProperty('next', []);
    expect(drain).not.toHaveProperty('containerInstances.1');
  });

  test('one that has had its turn for most of the time of a drain before it begins gets its time anew', () => {
    const again = (turn: number) =>
      actionsOf([detached('i-1', { marked: 4000, turn })]).filter(({ kind }) => kind === 'mark-instances');
    expect(again(900)).toEqual([]);
    expect(again(901)).toMatchObject([{ instanceIds: ['i-1'], mark: { drainStartedAt: NOW } }]);
  });
});

describe('it waits', () => {
  const reasonOf = (...given: Parameters<typeof decide>) => decide(...given)?.reason;

  test('for one that has yet to register, or says what its registration is', () => {
    const first = (rest: Partial<Sketch>) => reasonOf([detached('i-1', { age: 10, ...rest })]);
    expect(first({ ecs: null })).toEqual({ code: 'registration-awaited', instanceId: 'i-1' });
    expect(first({ ecs: 'REGISTERING' })).toEqual({
      code: 'instance-status',
      instanceId: 'i-1',
      status: 'REGISTERING',
      endsAfterSeconds: 900,
    });
    const lacking = reasonOf([draining('i-1', task), detached('i-2')], {}, {}, { drainConcurrency: 1 });
    expect(lacking).toMatchObject({ code: 'draining', instanceIds: ['i-1'] });
  });

  test('for nothing but what drains already where nothing may begin', () => {
    const rules = { mayBegin: false };
    expect(reasonOf([detached('i-1')], {}, rules)).toBeUndefined();
    expect(reasonOf([draining('i-1', task)], {}, rules)).toMatchObject({
      code: 'draining',
      instanceIds: ['i-1'],
    });
    const onTrial = { ...rules, onTrial: true };
    expect(reasonOf([draining('i-1')], {}, onTrial)).toBeUndefined();
    expect(reasonOf([draining('i-1'), draining('i-2', task)], {}, onTrial)).toMatchObject({
      code: 'draining',
    });
  });

  test('for one that was drained and is kept only until replacements are ready, and says what they lack', () => {
    const lacking = { desiredCapacity: 3 };
    const code = (...sketches: readonly Sketch[]) => reasonOf(sketches, lacking, { onTrial: true })?.code;
    expect(code(draining('i-1'))).toBe('replacements-not-ready');
    expect(code(draining('i-1'), draining('i-2', { ...task, turn: 90 }))).toBe('replacements-not-ready');
  });

  test('for one that serves on while an old member is gone, and says which', () => {
    const drained = old('i-1', { ecs: 'DRAINING', marked: 60, turn: 60, serving: true, healthy: true });
    const changes = { ...NO_CHANGES, addedSizes: { desiredCapacity: 1, maxSize: 0 } };
    const scene = { desiredCapacity: 4, roll: { changes }, trafficSources: [TARGET_GROUP] };
    const beside = (alive: boolean) =>
      decide([drained, old('i-2', { alive })], scene, {}, { terminateHooks: 'run' });
    expect(beside(false)).toMatchObject({
      kind: 'wait',
      reason: { code: 'too-few-serve', faults: [{ kind: 'member-gone', instanceId: 'i-2' }] },
    });
    expect(beside(true)?.kind).toBe('act');
  });

  test('for what drains, not for an old member that is gone, unless one serves on for that', () => {
    const scene = { desiredCapacity: 3 };
    expect(reasonOf([draining('i-1', task), old('i-2', { alive: false })], scene)?.code).toBe('draining');
  });

  test('and blocks once all that is left is protected, or was given up', () => {
    const givenUp = detached('i-1', { marked: 4000, turn: 2000, givenUp: 60 });
    const safe = { terminationProtected: new Set(['i-2']) };
    expect(reasonOf([detached('i-2')], safe)).toEqual({
      code: 'termination-protected',
      instanceIds: ['i-2'],
    });
    expect(reasonOf([givenUp, detached('i-2')], safe)).toEqual({
      code: 'termination-protected',
      instanceIds: ['i-2'],
    });
    expect(decide([givenUp])?.kind).toBe('blocked');
    expect(reasonOf([givenUp])?.code).not.toBe('termination-protected');
    expect(actionsOf([givenUp, detached('i-3')])).toMatchObject([{ instanceIds: ['i-3'] }]);
  });

  test('for replacements first where others wait for them', () => {
    const lacking = { desiredCapacity: 3 };
    expect(reasonOf([draining('i-1', task)], lacking)?.code).toBe('draining');
    expect(reasonOf([draining('i-1', task), detached('i-2')], lacking)?.code).toBe('draining');
    const leaving = { ...task, stopping: true };
    const watch = { goodbyes: [arnOf('i-1')] };
    expect(reasonOf([draining('i-1', leaving)], { ...lacking, watch })?.code).toBe('draining');
    expect(reasonOf([draining('i-1', leaving), detached('i-2')], { ...lacking, watch })?.code).toBe(
      'replacements-not-ready',
    );
    const none = { mayBegin: false };
    expect(reasonOf([draining('i-1', leaving), detached('i-2')], { ...lacking, watch }, none)?.code).toBe(
      'draining',
    );
  });

  test('for what its group ends while nothing else drains, if that ends all that leaves', () => {
    const run = { terminateHooks: 'run' } as const;
    const ending = old('i-7', { member: 'Terminating:Wait', marked: 60, turn: 30, ecs: 'DRAINING' });
    const changes = { suspended: [], addedSizes: { desiredCapacity: 2, maxSize: 0 } };
    const scene: Scene = { desiredCapacity: 3, roll: { changes } };
    const waiting = old('i-1', { marked: 60 });
    expect(reasonOf([waiting, ending], scene, {}, run)?.code).toBe('being-ended');
    const other = old('i-2', { marked: 60, turn: 30, ecs: 'DRAINING', ...task });
    expect(reasonOf([waiting, other, ending], scene, {}, run)?.code).toBe('draining');
    expect(reasonOf([detached('i-1'), ending], { desiredCapacity: 2 })).toEqual({
      code: 'instance-status',
      instanceId: 'i-1',
      status: 'ACTIVE',
    });
  });
});

describe('one on which tasks fail', () => {
  const course = {
    kind: 'rollback',
    since: ago(60),
    because: { code: 'recorded', text: 'it fails' },
  } as const;
  const back: Scene = { launch: launching(PLACE, OLD, OLD), roll: { course }, settled: 5 };
  const failed = { failed: new Set(['i-1']) };
  /** A member that goes back, too, and serves nobody. */
  const idle = fresh('i-7', { agentConnected: false });
  const code = (sketches: readonly Sketch[], rules: Partial<DrainRules> = failed) =>
    decide([...sketches, idle], back, rules)?.reason.code;

  test('is not set back ACTIVE, however long it drains', () => {
    const stuck = draining('i-1', { ...task, marked: 2500, turn: 1801 });
    expect(decide([stuck])?.reason.code).toBe('drain-given-up');
    expect(decide([stuck], {}, failed)?.reason.code).not.toBe('drain-given-up');
  });

  test('is not kept serving, even if its tasks find no other place', () => {
    const observation = observe([detached('i-1', { turn: 30 }), fresh('i-8'), fresh('i-9')], { settled: 60 });
    const why = { kind: 'service-deploying', service: 'api' } as const;
    const stranded = new Map([['i-1', [{ service: 'api', why, byImage: false }]]]);
    const assessment = assessed({ ...observation, details: { ...observation.details, stranded } });
    if (!hasRoll(assessment)) throw new Error('there is no roll');
    const codeBy = (rules: Partial<DrainRules>) =>
      endLeaving(assessment, { ...UNRESTRICTED, ...rules })?.reason.code;
    expect([codeBy({}), codeBy(failed)]).toEqual(['drain-spared', 'turns-taken']);
  });

  test('drains although others like it serve nobody, for which any other waits', () => {
    const next = (id: string) => detached(id, { turn: 10 });
    expect(code([next('i-1')])).toBe('turns-taken');
    expect(code([next('i-2')])).toBe('too-few-serve');
    expect(code([draining('i-1', task), next('i-2')])).toBe('draining');
  });

  test('is waited for although others like it serve nobody, unless any other waits along', () => {
    const coming = (id: string) => detached(id, { age: 10, ecs: null });
    expect(code([coming('i-1')])).toBe('registration-awaited');
    expect(code([coming('i-2')])).toBe('too-few-serve');
    expect(code([coming('i-1'), coming('i-2')])).toBe('too-few-serve');
  });
});
