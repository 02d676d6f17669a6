import { describe, expect, test } from 'vitest';
import { decided, detached, fresh, observe, type Sketch, twinArnOf } from '../builders.ts';

const protectedOne = (id: string, turn: number, rest: Partial<Sketch> = {}) =>
  detached(id, { turn, serves: ['service:api', 'service:api'], protectedFor: 600, ...rest });

const drains = (instanceId: string) => ({
  actions: [{ kind: 'drain', containerInstances: [{ instanceId }] }],
});

describe('an instance with protected tasks', () => {
  test('does not begin to drain, and the reason names them', () => {
    const decision = decided(observe([protectedOne('i-1', 60), fresh('i-9')], { settled: 60 }));
    expect(decision).toMatchObject({
      kind: 'wait',
      reason: {
        code: 'draining',
        instanceIds: ['i-1'],
        isNext: true,
        faults: [
          {
            kind: 'tasks-protected',
            instanceId: 'i-1',
            group: 'service:api',
            taskIds: ['i-1-0', 'i-1-1'],
            until: new Date('2026-11-21T12:10:00Z'),
          },
        ],
      },
    });
  });

  test('is reported once that takes longer than a drain may', () => {
    const decision = decided(observe([protectedOne('i-1', 1801), fresh('i-9')], { settled: 60 }));
    expect(decision).toMatchObject({
      kind: 'blocked',
      reason: { code: 'draining', afterSeconds: 1800, faults: [{ kind: 'tasks-protected' }] },
    });
    const before = decided(observe([protectedOne('i-1', 1799), fresh('i-9')], { settled: 60 }));
    expect(before.kind).toBe('wait');
  });

  test('is reported then, too, if tasks come and go on it', () => {
    const busy = protectedOne('i-1', 1801, { left: 60 });
    expect(decided(observe([busy, fresh('i-9')], { settled: 60 }))).toMatchObject({
      kind: 'blocked',
      reason: { code: 'draining', afterSeconds: 1800, faults: [{ kind: 'tasks-protected' }] },
    });
  });

  test('drains as soon as their protection is over', () => {
    const over = protectedOne('i-1', 60, { protectedFor: 0 });
    expect(decided(observe([over, fresh('i-9')], { settled: 60 }))).toMatchObject(drains('i-1'));
  });

  test('keeps none of the others from their turns', () => {
    const others = [protectedOne('i-1', 60), detached('i-2', { turn: 30 }), fresh('i-8'), fresh('i-9')];
    expect(decided(observe(others, { settled: 60 }))).toMatchObject(drains('i-2'));
    const waiting = [protectedOne('i-1', 60), detached('i-2'), fresh('i-8'), fresh('i-9')];
    expect(decided(observe(waiting, { settled: 60 }))).toMatchObject({
      reason: { code: 'turns-taken', chosen: ['i-2'] },
    });
  });
});

test('a registration that takes protected tasks while another of its instance drains is left alone', () => {
  const twice = (protectedFor: number) =>
    detached('i-1', {
      ecs: 'DRAINING',
      turn: 60,
      twin: { ecs: 'ACTIVE', serves: ['service:api'], protectedFor },
    });
  expect(decided(observe([twice(600), fresh('i-9')], { settled: 60 }))).toMatchObject({
    kind: 'wait',
    reason: { code: 'draining', faults: [{ kind: 'tasks-protected' }] },
  });
  expect(decided(observe([twice(0), fresh('i-9')], { settled: 60 }))).toMatchObject({
    actions: [{ kind: 'drain', containerInstances: [{ arn: twinArnOf('i-1') }] }],
  });
});
