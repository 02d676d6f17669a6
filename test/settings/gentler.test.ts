import { describe, expect, test } from 'vitest';
import { surgeCount } from '../../lambda/core/group/surge.ts';
import type { GroupSettings, SurgeLimit } from '../../lambda/core/model/settings.ts';
import { gentler } from '../../lambda/settings/owner-tags.ts';
import { SETTINGS } from '../core/builders.ts';

type Some = Partial<GroupSettings>;

const STACK: GroupSettings = {
  ...SETTINGS,
  canary: 2,
  drainConcurrency: 3,
  raiseMaxSize: true,
  standby: 'replace',
  sharedTemplates: 'update',
  onDrainTimeout: 'force',
  standaloneTasks: 'stop',
  alarmNames: ['errors'],
};

const count = (many: number): SurgeLimit => ({ kind: 'count', count: many });
const percent = (share: number): SurgeLimit => ({ kind: 'percent', percent: share });

describe('what is gentler than the stack', () => {
  test.each<[Some]>([
    [{ mode: 'plan' }],
    [{ announceMinutes: 1 }],
    [{ raiseMaxSize: false }],
    [{ standby: 'skip' }],
    [{ sharedTemplates: 'block' }],
    [{ canary: 1 }],
    [{ bakeSeconds: 86_400 }],
    [{ drainConcurrency: 1 }],
    [{ stableSeconds: 31 }],
    [{ readyTimeoutSeconds: 901 }],
    [{ drainTimeoutSeconds: 604_800 }],
    [{ onDrainTimeout: 'hold' }],
    [{ standaloneTasks: 'wait' }],
    [{ maxSurge: percent(50) }],
  ])('holds: %o', (asked) => {
    expect(gentler(asked, STACK)).toEqual(asked);
  });

  test('may be further alarms', () => {
    expect(gentler({ alarmNames: ['mine'] }, STACK)).toEqual({ alarmNames: ['errors', 'mine'] });
    expect(gentler({ alarmNames: ['mine'] }, SETTINGS)).toEqual({ alarmNames: ['mine'] });
  });

  test('may be further windows, of which both must be open', () => {
    const [night, weekend] = ['0 2 * * *', '0 0 * * 6'].map((cron) => [
      { cron, minutes: 60, timeZone: 'UTC' },
    ]);
    const windows = [night ?? []];
    expect(gentler({ windows: [weekend ?? []] }, { ...STACK, windows })).toEqual({
      windows: [night, weekend],
    });
    expect(gentler({ windows }, SETTINGS)).toEqual({ windows });
  });

  test('may be a trial if there is none', () => {
    expect(gentler({ canary: 5 }, SETTINGS)).toEqual({ canary: 5 });
  });
});

test('one drain at a time is gentler than auto, and auto no less gentle than itself', () => {
  const stack = { ...STACK, drainConcurrency: 'auto' } as const;
  expect(gentler({ drainConcurrency: 1 }, stack)).toEqual({ drainConcurrency: 1 });
  expect(gentler({ drainConcurrency: 'auto' }, stack)).toEqual({ drainConcurrency: 'auto' });
});

describe('what is not, is left out', () => {
  test.each<[Some, Some]>([
    [{ mode: 'roll' }, { mode: 'plan' }],
    [{ announceMinutes: 59 }, { announceMinutes: 60 }],
    [{ raiseMaxSize: true }, { raiseMaxSize: false }],
    [{ standby: 'replace' }, { standby: 'skip' }],
    [{ sharedTemplates: 'update' }, { sharedTemplates: 'block' }],
    [{ canary: 0 }, {}],
    [{ canary: 3 }, {}],
    [{ bakeSeconds: 119 }, {}],
    [{ drainConcurrency: 10 }, {}],
    [{ drainConcurrency: 'auto' }, {}],
    [{ drainConcurrency: 2 }, { drainConcurrency: 'auto' }],
    [{ stableSeconds: 29 }, {}],
    [{ readyTimeoutSeconds: 1 }, {}],
    [{ drainTimeoutSeconds: 0.1 }, {}],
    [{ onDrainTimeout: 'force' }, { onDrainTimeout: 'hold' }],
    [{ standaloneTasks: 'stop' }, { standaloneTasks: 'wait' }],
    [{ image: { kind: 'id', imageId: 'ami-1' } }, {}],
    [{ imageOwner: 'self' }, {}],
    [{ drift: ['age'] }, {}],
    [{ minImageAgeDays: 365 }, {}],
    [{ alarmTimeoutSeconds: 0 }, {}],
    [{ terminateHooks: 'run' }, {}],
    [{ keepLaunchSpecs: 0 }, {}],
    [{ maxSurge: percent(60) }, { maxSurge: percent(50) }],
    [{ maxSurge: count(4) }, { maxSurge: count(3) }],
    [{ maxSurge: count(0) }, {}],
    [{ maxSurge: count(1) }, { maxSurge: count(0) }],
  ])('%o where it has %o', (asked, has) => {
    expect(gentler(asked, { ...STACK, ...has })).toEqual({});
  });
});

test.each([
  [1, 1],
  [4, 2],
  [20, 3],
])('a number and a share: in a group of %i the smaller, %i', (members, most) => {
  const { maxSurge } = gentler({ maxSurge: count(3) }, { ...STACK, maxSurge: percent(50) });
  expect(maxSurge && surgeCount(maxSurge, members)).toBe(most);
});
