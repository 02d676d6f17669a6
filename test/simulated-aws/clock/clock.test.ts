import { describe, expect, it } from 'vitest';
import { spedUpClock, virtualClock } from './clock.ts';
import { pacedClock } from './paced-clock.ts';

const START = Date.parse('2026-11-20T00:00:00Z');

describe('the virtual clock', () => {
  it('runs events by their time, those of the same time as they were scheduled', () => {
    const clock = virtualClock(START);
    const seen: string[] = [];
    for (const [seconds, name] of [
      [5, 'c'],
      [2, 'a'],
      [2, 'b'],
      [9, 'd'],
    ] as const)
      clock.schedule(seconds, () => seen.push(name));
    clock.advance(5);
    expect(seen).toEqual(['a', 'b', 'c']);
    expect(clock.now()).toBe(START + 5000);
  });

  it('keeps the order of many events', () => {
    const clock = virtualClock(START);
    const seen: number[] = [];
    for (let index = 0; index < 500; index++) {
      const seconds = (index * 37) % 101;
      clock.schedule(seconds, () => seen.push(seconds * 1000 + index));
    }
    clock.advance(200);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen).toHaveLength(500);
  });

  it('forgets an event that was taken back', () => {
    const clock = virtualClock(START);
    const takeBack = clock.schedule(1, () => expect.fail('taken back'));
    takeBack();
    clock.advance(2);
  });

  it('drives several callers at once, in the same order every time', async () => {
    const clock = virtualClock(START);
    const seen: string[] = [];
    const caller = async (name: string, seconds: number) => {
      for (let turn = 0; turn < 3; turn++) {
        await clock.sleep(seconds);
        seen.push(`${name}${(clock.now() - START) / 1000}`);
      }
    };
    await clock.drive(Promise.all([caller('a', 2), caller('b', 3)]));
    expect(seen).toEqual(['a2', 'b3', 'a4', 'b6', 'a6', 'b9']);
  });

  it('lets two drives go on side by side', async () => {
    const clock = virtualClock(START);
    const first = clock.drive(clock.sleep(10).then(() => clock.now()));
    const second = clock.drive(clock.sleep(4).then(() => clock.now()));
    expect(await Promise.all([first, second])).toEqual([START + 10_000, START + 4000]);
  });

  it('stands still while something that takes real time is held', async () => {
    const clock = virtualClock(START);
    const realWork = async () => {
      const release = clock.hold();
      await new Promise((resolve) => setTimeout(resolve, 20));
      const at = clock.now();
      release();
      return at;
    };
    clock.schedule(1, () => undefined);
    expect(await clock.drive(realWork())).toBe(START);
  });

  it('tells a hang: unsettled, and nothing left to happen', async () => {
    const clock = virtualClock(START);
    const hang = clock.drive(new Promise(() => undefined));
    await expect(hang).rejects.toThrow('Nothing is left to happen');
  });

  it('gives up at the most simulated time', async () => {
    const clock = virtualClock(START);
    const late = clock.drive(clock.sleep(100), 60);
    await expect(late).rejects.toThrow('Out of simulated time');
  });

  it('passes on what the driven promise was rejected with', async () => {
    const clock = virtualClock(START);
    const fails = clock.sleep(1).then(() => {
      throw new Error('of its own');
    });
    await expect(clock.drive(fails)).rejects.toThrow('of its own');
  });
});

describe('the sped-up clock', () => {
  it('tells the real time and shortens the waits', async () => {
    const clock = spedUpClock(1000);
    const before = Date.now();
    await clock.sleep(10);
    expect(clock.now() - before).toBeLessThan(2000);
  });
});

describe('the paced clock', () => {
  it('moves from event to event in real time, and tells each its own time', async () => {
    const clock = pacedClock(START, 1000);
    const seen: number[] = [];
    clock.schedule(30, () => seen.push(clock.now() - START));
    clock.schedule(10, () => seen.push(clock.now() - START));
    const before = Date.now();
    await clock.sleep(50);
    expect(Date.now() - before).toBeGreaterThanOrEqual(45);
    expect(seen).toEqual([10_000, 30_000]);
    expect(clock.now() - START).toBe(50_000);
  });

  it('shows time that passes between two events, and never more than the next', async () => {
    const clock = pacedClock(START, 1000);
    clock.schedule(3600, () => undefined);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(clock.now()).toBe(START);
    expect(clock.shown()).toBeGreaterThan(START);
    expect(clock.shown()).toBeLessThanOrEqual(START + 3_600_000);
    clock.end();
  });

  it('stands still while it is held', async () => {
    const clock = pacedClock(START, 1000);
    let happened = false;
    clock.schedule(1, () => {
      happened = true;
    });
    const release = clock.hold();
    const shown = clock.shown();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect({ happened, shown: clock.shown() }).toEqual({ happened: false, shown });
    release();
    await clock.sleep(1);
    expect(happened).toBe(true);
  });

  it('goes on from where it was held, however often somebody looks', async () => {
    const clock = pacedClock(START, 1000);
    clock.schedule(3600, () => undefined);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const shown = clock.shown();
    for (let look = 0; look < 3; look++) clock.hold()();
    expect(shown).toBeGreaterThan(START);
    expect(clock.shown()).toBeGreaterThanOrEqual(shown);
    clock.end();
  });

  it('says when everything that follows from an event has happened', async () => {
    const seen: string[] = [];
    const clock = pacedClock(START, 1000, () => seen.push(`settled at ${(clock.now() - START) / 1000}`));
    const waits = async () => {
      await clock.sleep(5);
      seen.push('awake');
      await clock.sleep(5);
    };
    await waits();
    expect(seen).toEqual(['settled at 0', 'awake', 'settled at 5']);
  });
});
