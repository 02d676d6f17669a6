import { describe, expect, test } from 'vitest';
import { StaleObservation } from '../../lambda/aws/errors.ts';
import { refusals } from '../../lambda/look/refusals.ts';

const at = (seconds: number) => new Date(Date.parse('2026-11-20T00:00:00Z') + seconds * 1000);
const refusal = (message: string, name = 'ValidationError') =>
  new StaleObservation(`${name}: ${message}`, { cause: Object.assign(new Error(message), { name }) });

describe('what AWS refuses', () => {
  test('is tried again after a while, and after the third time is final', () => {
    const seen = refusals();
    const note = (seconds: number) => seen.note('g', 'set-sizes', refusal('no'), at(seconds));
    expect(note(0)).toBe(false);
    expect([seen.mayTry('g', 'set-sizes', at(19)), seen.mayTry('g', 'set-sizes', at(20))]).toEqual([
      false,
      true,
    ]);
    expect(note(20)).toBe(false);
    expect([seen.mayTry('g', 'set-sizes', at(139)), seen.mayTry('g', 'set-sizes', at(140))]).toEqual([
      false,
      true,
    ]);
    expect(seen.isFinal('g', 'set-sizes')).toBe(false);
    expect(note(140)).toBe(true);
    expect(seen.isFinal('g', 'set-sizes')).toBe(true);
  });

  test('is not final while the group is busy, but tried more rarely', () => {
    const seen = refusals();
    let now = 0;
    for (let times = 0; times < 5; times++) {
      expect(
        seen.note('g', 'detach-instances', refusal('busy', 'ScalingActivityInProgressFault'), at(now)),
      ).toBe(false);
      while (!seen.mayTry('g', 'detach-instances', at(now))) now += 1;
    }
    expect(now).toBe(60 + 4 * 250);
  });

  test('counts by group and action, anew after a success or five minutes, and whatever dates it names', () => {
    const seen = refusals();
    seen.note('g', 'set-sizes', refusal('no'), at(0));
    expect(seen.mayTry('g', 'detach-instances', at(0))).toBe(true);
    expect(seen.mayTry('h', 'set-sizes', at(0))).toBe(true);
    seen.clear('g', 'set-sizes');
    expect(seen.mayTry('g', 'set-sizes', at(0))).toBe(true);
    const dated = (seconds: number) =>
      seen.note('g', 'set-sizes', refusal(`no at ${at(seconds).toISOString()}`), at(seconds));
    expect([dated(0), dated(1), dated(302), dated(303), dated(304)]).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  test('is final, too, if the words differ each time', () => {
    const seen = refusals();
    const final = ['a', 'b', 'c', 'd', 'e', 'f'].map((word, index) =>
      seen.note('g', 'set-sizes', refusal(word), at(index)),
    );
    expect(final).toEqual([false, false, false, false, false, true]);
  });
});
