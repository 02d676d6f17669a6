import { describe, expect, test } from 'vitest';
import type { Decision } from '../../../lambda/core/actions/decision.ts';
import { heldAmong, waitForHeld } from '../../../lambda/core/drain/held.ts';
import { candidateOf } from '../../../lambda/core/drain/phase.ts';
import type { LastInZone } from '../../../lambda/core/model/cluster.ts';
import { idsOf } from '../../../lambda/core/model/members.ts';
import type { Observation } from '../../../lambda/core/model/observation.ts';
import {
  ago,
  assessed,
  decided,
  detached,
  fresh,
  launching,
  OLD,
  observe,
  old,
  PLACE,
  type Scene,
  type Sketch,
} from '../builders.ts';

/** Without i-1 a zone has no healthy target of the service. */
const lastInZone = (comes: boolean) => new Map([['i-1', [{ service: 'api', zone: 'a', comes }]]]);

function decideFor(sketches: readonly Sketch[], { comes = true }: { comes?: boolean } = {}): Decision {
  const { details, ...observation } = observe([...sketches, fresh('i-8'), fresh('i-9')], { settled: 60 });
  const whole: Observation = { ...observation, details: { ...details, lastInZone: lastInZone(comes) } };
  return decided(whole);
}

const drains = (instanceId: string) => ({
  actions: [{ kind: 'drain', containerInstances: [{ instanceId }] }],
});
const one = (turn: number) => [detached('i-1', { turn, serves: ['service:api'] })];

describe('an instance with the last healthy target of a zone', () => {
  test('waits ten minutes from its turn for ECS to start another there, and the reason names the zone', () => {
    const waits = {
      kind: 'wait',
      reason: {
        code: 'draining',
        instanceIds: ['i-1'],
        isNext: true,
        faults: [{ kind: 'last-in-zone', instanceId: 'i-1', service: 'api', zone: 'a' }],
      },
    };
    expect(decideFor(one(1))).toMatchObject(waits);
    expect(decideFor(one(599))).toMatchObject(waits);
    expect(decideFor(one(601))).toMatchObject(drains('i-1'));
  });

  test('drains at once where ECS starts none by itself', () => {
    expect(decideFor(one(1), { comes: false })).toMatchObject(drains('i-1'));
  });

  test.each([true, false])('lets others go first, however long it has waited: comes %s', (comes) => {
    const others = [...one(900), detached('i-2', { turn: 30 })];
    expect(decideFor(others, { comes })).toMatchObject({
      // To another invocation its turn may be held no more, so that it drains by then.
      actions: [{ ...drains('i-2').actions[0], next: [{ instanceId: 'i-1' }] }],
    });
    const waiting = [...one(900), detached('i-2')];
    expect(decideFor(waiting, { comes })).toMatchObject({
      actions: [{ kind: 'mark-instances', instanceIds: ['i-2'] }],
    });
  });

  test('drains on where it drains already', () => {
    const draining = [detached('i-1', { turn: 30, ecs: 'DRAINING', serves: ['service:api'] })];
    const decision = decideFor(draining);
    expect(JSON.stringify(decision)).not.toContain('last-in-zone');
  });

  test('lets others go first in a rollback, too, but of those alone that it takes back', () => {
    const course = { kind: 'rollback', since: ago(100), because: { code: 'asked' } } as const;
    const scene: Scene = { roll: { course }, launch: launching(PLACE, OLD, OLD), settled: 60 };
    const back = (other: Sketch) => {
      const failed = { member: null, marked: 90, serves: ['service:api'] };
      const sketches = [fresh('i-1', { ...failed, turn: 60 }), other, old('i-8'), old('i-9')];
      const { details, ...observation } = observe(sketches, scene);
      return decided({ ...observation, details: { ...details, lastInZone: lastInZone(false) } });
    };
    const turn = { actions: [{ kind: 'mark-instances', instanceIds: ['i-2'] }] };
    expect(back(fresh('i-2', { member: null, marked: 90 }))).toMatchObject(turn);
    expect(back(detached('i-2', { marked: 90 }))).toMatchObject(drains('i-1'));
  });
});

describe('of those that have a turn are held', () => {
  const candidatesOf = (
    sketches: readonly Sketch[],
    lastInZone = new Map<string, readonly LastInZone[]>(),
  ) => {
    const { details, ...observed } = observe([...sketches, fresh('i-8'), fresh('i-9')], { settled: 60 });
    const assessment = assessed({ ...observed, details: { ...details, lastInZone } });
    const { observation, settings, classified } = assessment;
    const candidates = classified.leaving.map((each) => candidateOf(each, observation, settings));
    return { assessment, candidates, held: heldAmong(candidates, observation, new Set()) };
  };
  const held = (...given: Parameters<typeof candidatesOf>) => idsOf(candidatesOf(...given).held);
  const safe = { serves: ['service:api'], protectedFor: 600 };
  const last = (...comes: boolean[]) =>
    comes.map((each, index) => ({ service: `s-${index}`, zone: 'a', comes: each }));

  test('those with protected tasks where they may take more, and each once', () => {
    expect(held([detached('i-1', { turn: 30, ...safe })])).toEqual(['i-1']);
    expect(held([detached('i-1', safe)])).toEqual([]);
    expect(held([detached('i-1', { turn: 30, ...safe, ecs: 'DRAINING' })])).toEqual([]);
    const both = [detached('i-1', { turn: 30, ...safe }), detached('i-2', { turn: 20 })];
    expect(held(both, new Map([['i-1', last(true)]]))).toEqual(['i-1']);
  });

  test('those that are last in a zone while one of several services gets another there, or others may go', () => {
    const one = [detached('i-1', { turn: 30 })];
    expect(held(one, new Map([['i-1', last(false, true)]]))).toEqual(['i-1']);
    expect(held(one, new Map([['i-1', last(false, false)]]))).toEqual([]);
    const drains = detached('i-2', { turn: 20, ecs: 'DRAINING' });
    expect(held([...one, drains], new Map([['i-1', last(false)]]))).toEqual([]);
    expect(held([...one, detached('i-2')], new Map([['i-1', last(false)]]))).toEqual(['i-1']);
    const waiting = new Map([['i-2', last(true)]]);
    expect(held([...one, detached('i-2')], waiting)).toEqual([]);
  });

  test('and it is told of protected tasks, service by service, before zones', () => {
    const said = (...given: Parameters<typeof candidatesOf>) => {
      const { assessment, held } = candidatesOf(...given);
      const decision = waitForHeld(assessment, held);
      const reason = decision?.reason;
      return reason?.code === 'draining' ? [reason.instanceIds, reason.faults] : decision;
    };
    const tasks = ['service:web', 'service:api', 'service:web'];
    const [first, second] = [
      detached('i-1', { turn: 30, serves: tasks, protectedFor: 600 }),
      detached('i-2', { turn: 20 }),
    ];
    const zone = new Map([['i-2', last(true)]]);
    expect(said([first, second], zone)).toMatchObject([
      ['i-1'],
      [
        { kind: 'tasks-protected', group: 'service:api', taskIds: ['i-1-1'] },
        { kind: 'tasks-protected', group: 'service:web', taskIds: ['i-1-0', 'i-1-2'] },
      ],
    ]);
    expect(said([second], zone)).toEqual([
      ['i-2'],
      [{ kind: 'last-in-zone', instanceId: 'i-2', service: 's-0', zone: 'a' }],
    ]);
    expect(said([second])).toBeUndefined();
  });
});
