import { describe, expect, test } from 'vitest';
import type { Decision } from '../../../lambda/core/actions/decision.ts';
import { instancesInRoll, rollEvent } from '../../../lambda/core/events/roll-event.ts';
import type { Reason } from '../../../lambda/core/reasons/reason.ts';
import {
  ago,
  decideAll,
  detached,
  fresh,
  observe,
  old,
  ROLL,
  type Scene,
  SETTINGS,
  type Sketch,
} from '../builders.ts';
import { expectValid } from './schema.ts';

/** What EventBridge takes of an entry. */
const MOST_BYTES = 256 * 1024;

const at = (seconds: number) => ago(seconds).toISOString();

/** Of a roll that is blocked and goes back, both for this reason. */
function blockedBy(text: string) {
  const because: Reason = { code: 'recorded', text };
  const course = { kind: 'rollback', since: ago(10), because } as const;
  const instances = Array.from({ length: 130 }, (_, index) => old(`i-${String(index).padStart(17, '0')}`));
  const [decided] = decideAll(observe(instances, { settled: 60, roll: { course } }), SETTINGS, ROLL);
  if (decided === undefined) throw new Error('there must be a group');
  // What blocks a roll has facts besides; here only its words count.
  const decision = { kind: 'blocked', reason: because } as unknown as Decision;
  return rollEvent({ decided: { ...decided, decision }, from: [], marked: [] }, 'blocked');
}

test('a reason is told whole as long as 4,000 characters are enough', () => {
  const event = blockedBy('x'.repeat(4000));
  expectValid(event);
  expect(event).toMatchObject({ reason: 'x'.repeat(4000), because: 'x'.repeat(4000) });
});

test('a longer one is cut before text and chat are made of it, so that EventBridge takes the event', () => {
  // In JSON such a character takes six bytes.
  for (const character of ['x', '€', '\u0001']) {
    const event = blockedBy(character.repeat(400_000));
    expectValid(event);
    const cut = `${character.repeat(3999)}…`;
    // Compared here, as the difference would fill screens.
    expect([event.reason === cut, event.because === cut, event.text.endsWith(cut)]).not.toContain(false);
    expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThan(MOST_BYTES);
  }
});

test('no character is cut in two', () => {
  const { reason } = blockedBy('🚢'.repeat(4000));
  expect(reason === `${'🚢'.repeat(1999)}…`).toBe(true);
});

describe('of the instances in a roll', () => {
  const inRoll = (sketches: readonly Sketch[], scene: Scene = {}) => {
    const [decided] = decideAll(observe(sketches, { settled: 60, ...scene }), SETTINGS, ROLL);
    if (decided === undefined) throw new Error('there must be a group');
    return { decided, told: instancesInRoll(decided).inRoll };
  };

  test('those to be replaced are told, however far they are, and those launched since', () => {
    const sketches = [
      detached('i-1', { marked: 300, turn: 200, givenUp: 10, ecs: 'DRAINING', tasks: ['service:api'] }),
      old('i-2', { member: 'Detaching', marked: 20 }),
      old('i-7', { member: 'Detaching', marked: 20 }),
      old('i-3', { age: 200 }),
      fresh('i-4', { age: 500 }),
      fresh('i-5', { age: 501 }),
      fresh('i-6', { alive: false }),
    ];
    const of = (role: 'old' | 'new', imageId: string, age: number) => ({
      role,
      imageId,
      launchedAt: at(age),
    });
    expect(inRoll(sketches).told).toEqual([
      {
        instanceId: 'i-1',
        ...of('old', 'ami-01d', 86_400),
        detachStartedAt: at(300),
        drainStartedAt: at(200),
        drainGivenUpAt: at(10),
      },
      { instanceId: 'i-2', ...of('old', 'ami-01d', 86_400), detachStartedAt: at(20) },
      { instanceId: 'i-7', ...of('old', 'ami-01d', 86_400), detachStartedAt: at(20) },
      { instanceId: 'i-3', ...of('old', 'ami-01d', 200) },
      { instanceId: 'i-4', ...of('new', 'ami-7a2', 500) },
    ]);
  });

  test('nothing is told before it begins, nor where none can', () => {
    expect(inRoll([old('i-1')], { roll: null }).told).toBeUndefined();
    const obstacle = { code: 'launch-spec-missing' } as const;
    expect(inRoll([old('i-1')], { launch: { obstacle } }).told).toBeUndefined();
  });

  test('an event tells of a batch alone while there is one', () => {
    const sketches = [detached('i-1', { marked: 300 }), old('i-3'), fresh('i-4')];
    const { decided } = inRoll(sketches);
    const { instances } = decided.assessment.group;
    const marked = instances.filter(({ mark }) => mark !== undefined);
    const idsOf = (some: typeof marked) =>
      rollEvent({ decided, from: [], marked: some }, 'begun').instances.map(({ instanceId }) => instanceId);
    expect(idsOf(marked)).toEqual(['i-1', 'i-4']);
    expect(idsOf([])).toEqual(['i-3', 'i-4']);
  });
});
