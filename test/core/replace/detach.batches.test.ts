import { describe, expect, test } from 'vitest';
import { detached, fresh, observe, old, type Sketch, told } from '../builders.ts';

describe('a batch is chosen only from a whole group', () => {
  test('with no instance missing', () => {
    expect(told(observe([old('i-1'), old('i-2')], { desiredCapacity: 3 }))).toEqual([
      'wait: replacements are not ready: Auto Scaling has launched 2 of 3 instances',
    ]);
  });

  test('with the replacements of the previous batch ready', () => {
    expect(told(observe([old('i-1'), fresh('i-2', { agentConnected: false })]))).toEqual([
      'wait: replacements are not ready: i-2 is registered but its agent is not connected',
    ]);
  });
});

test('a batch is a share of the members that stay, whatever else their group is ending', () => {
  const staying = ['i-1', 'i-2', 'i-3', 'i-4'].map((id) => old(id));
  const ending = ['i-5', 'i-6', 'i-7', 'i-8'].map((id) => old(id, { member: 'Terminating:Wait', ecs: null }));
  const half = { maxSurge: { kind: 'percent', percent: 50 } } as const;
  const scene = { desiredCapacity: 4, roll: {} };
  expect(told(observe([...staying, ...ending], scene), half)).toEqual(told(observe(staying, scene), half));
});

// With views of different age they choose others, and each marks its own.
test('what two invocations mark at once beyond the surge waits for room', () => {
  const one = { maxSurge: { kind: 'count', count: 1 } } as const;
  const chosen = [old('i-2', { marked: 5 }), old('i-3', { marked: 5 }), old('i-4')];
  expect(told(observe(chosen, { roll: {} }), one)).toEqual([
    'detach i-2 from group web-ecs, which launches as many',
  ]);
  const beside = [detached('i-1', { marked: 5 }), ...chosen, fresh('i-9', { ecs: null })];
  expect(told(observe(beside, { roll: {} }), one).join()).not.toContain('detach');
});

describe('a member that is chosen', () => {
  const two = { maxSurge: { kind: 'count', count: 2 } } as const;
  const marked = (id: string, rest: Partial<Sketch> = {}) => old(id, { marked: 20, age: 70, ...rest });
  const tell = (...sketches: readonly Sketch[]) =>
    told(observe(sketches, { roll: {}, desiredCapacity: 1, maxSize: 9 }), two);

  test('is not detached before Auto Scaling would do so, and no other is chosen meanwhile', () => {
    expect(tell(marked('i-1', { member: 'Pending' }), old('i-2'))).toEqual([
      "wait: outdated members can't be detached yet: i-1 is Pending",
    ]);
    expect(tell(marked('i-1', { member: 'Pending' }), marked('i-2'))).toEqual([
      'detach i-2 from group web-ecs, which launches as many',
    ]);
  });

  test('is told of once one of them has taken too long', () => {
    const late = marked('i-1', { member: 'Pending', age: 2000 });
    expect(tell(late, marked('i-2', { member: 'Pending' }), fresh('i-9'))[0]).toMatch(
      /^blocked: after 900 s, outdated members/,
    );
  });

  test('waits for room while others are being detached', () => {
    const leaving = ['i-1', 'i-2'].map((id) => marked(id, { member: 'Detaching' }));
    expect(tell(...leaving, marked('i-3'), old('i-4')).join()).not.toContain('detach i-3');
    expect(tell(...leaving.slice(1), marked('i-3'), old('i-4'))).toEqual([
      'detach i-3 from group web-ecs, which launches as many',
    ]);
  });

  test('is the first of its batch only once the last has left the group and is gone', () => {
    const draining = detached('i-1', { turn: 10, ecs: 'DRAINING', tasks: ['service:api'] });
    expect(tell(draining, marked('i-2', { member: 'Detaching' }), old('i-3'))).toEqual([
      'wait: i-1 drains: 1 task of service api left on i-1',
    ]);
  });
});
