import { expect, test } from 'vitest';
import type { Decision } from '../../../lambda/core/actions/decision.ts';
import { rollEvent } from '../../../lambda/core/events/roll-event.ts';
import type { Reason } from '../../../lambda/core/reasons/reason.ts';
import { ago, decideAll, observe, old, ROLL, SETTINGS } from '../builders.ts';
import { expectValid } from './schema.ts';

/** What EventBridge takes of an entry. */
const MOST_BYTES = 256 * 1024;

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
