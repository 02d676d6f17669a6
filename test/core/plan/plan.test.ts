import { describe, expect, test } from 'vitest';
import type { LaunchPlace } from '../../../lambda/core/model/launch.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import { plan as planned } from '../../../lambda/core/plan/plan.ts';
import {
  ago,
  assessed,
  crashOn,
  detached,
  fresh,
  launching,
  NOW,
  OLD,
  observe,
  old,
  PLACE,
  ROLL,
  type Scene,
  type Sketch,
  service,
  TARGET,
  TARGET_GROUP,
  told,
} from '../builders.ts';

const COPY = 'web-ecs-ecs-ami-deploy-11111111-22222222-ami-7a2';
const COPIES = `copy launch configuration web-lc to ${COPY} with ami-7a2 (${TARGET.name})`;
const BEGINS = [
  // Before anything is tagged, to see whether the account may.
  COPIES,
  'tag group web-ecs: roll onto ami-7a2',
  'tag group web-ecs: AZRebalance and InstanceRefresh suspended by us',
  'suspend AZRebalance and InstanceRefresh of group web-ecs',
  `let group web-ecs launch from ${COPY}`,
];
const ENDS = [
  'resume AZRebalance and InstanceRefresh of group web-ecs',
  'tag group web-ecs: no change of ours is left',
  'remove the tags from group web-ecs',
];
const AWAITS = (count: number) =>
  `wait until ${count === 1 ? '1 new member is' : `${count} new members are`} InService, ACTIVE in ECS and connected`;
const DRAINS = (ids: string) =>
  `drain, deregister and terminate ${ids}, 1 at a time, each when it is empty and the services have been steady for 30 s`;
const DAY = 86_400;

/** The plan for a group whose roll has not begun. */
function plan(sketches: readonly Sketch[], scene: Scene = {}, settings: Partial<Settings> = {}): string[] {
  const observation = observe(sketches, {
    roll: null,
    launch: launching(PLACE),
    suspendedProcesses: [],
    ...scene,
  });
  return [...planned(assessed(observation, settings), ROLL).steps];
}

/** The steps of a plan that a pattern knows. */
const only = (steps: readonly string[], pattern: RegExp) => steps.filter((step) => pattern.test(step));

const three = ['i-1', 'i-2', 'i-3'].map((id) => old(id));
const served: Scene = { trafficSources: [TARGET_GROUP] };

describe('a plan shows step by step', () => {
  test('how batches are detached and ended', () => {
    expect(plan(three, {}, { maxSurge: { kind: 'count', count: 2 } })).toEqual([
      ...BEGINS,
      'tag i-1, i-2 to be replaced',
      'detach i-1, i-2 from group web-ecs, which launches as many',
      AWAITS(2),
      DRAINS('i-1, i-2'),
      'tag i-3 to be replaced',
      'detach i-3 from group web-ecs, which launches as many',
      AWAITS(1),
      DRAINS('i-3'),
      ...ENDS,
    ]);
  });

  test('how a group that gets requests is enlarged for a while', () => {
    const ours = 'AZRebalance and InstanceRefresh and AlarmNotification suspended by us';
    expect(plan(three, { ...served, maxSize: 4 }, { raiseMaxSize: true })).toEqual([
      ...BEGINS,
      'tag i-1, i-2, i-3 to be replaced',
      `tag group web-ecs: ${ours}`,
      'suspend AlarmNotification of group web-ecs',
      `tag group web-ecs: ${ours}; its size goes from 3 of 4 to 6 of 6`,
      'set group web-ecs to 6 of at most 6 instances',
      `tag group web-ecs: ${ours}; 3 of its instances are ours; 2 of its maximum size is ours`,
      AWAITS(3),
      `tag group web-ecs: ${ours}; 3 of its instances are ours; 2 of its maximum size is ours; its size goes from 6 of 6 to 3 of 6`,
      'detach i-1, i-2, i-3 from group web-ecs, which gets smaller by as many',
      `tag group web-ecs: ${ours}; 2 of its maximum size is ours`,
      'resume AlarmNotification of group web-ecs',
      'tag group web-ecs: AZRebalance and InstanceRefresh suspended by us; 2 of its maximum size is ours',
      DRAINS('i-1, i-2, i-3'),
      'resume AZRebalance and InstanceRefresh of group web-ecs',
      'tag group web-ecs: 2 of its maximum size is ours',
      'tag group web-ecs: 2 of its maximum size is ours; its size goes from 3 of 6 to 3 of 4',
      'set group web-ecs to 3 of at most 4 instances',
      'tag group web-ecs: no change of ours is left',
      'remove the tags from group web-ecs',
    ]);
  });

  test('how members are ended in place, one after the other', () => {
    const steps = plan([old('i-1'), old('i-2')], served, { maxSurge: { kind: 'count', count: 0 } });
    const around = (id: string) => [
      `tag ${id} to be replaced`,
      'tag group web-ecs: AZRebalance and InstanceRefresh and ReplaceUnhealthy suspended by us',
      'suspend ReplaceUnhealthy of group web-ecs',
      DRAINS(id),
      'resume ReplaceUnhealthy of group web-ecs',
      'tag group web-ecs: AZRebalance and InstanceRefresh suspended by us',
      AWAITS(1),
    ];
    expect(steps).toEqual([...BEGINS, ...around('i-1'), ...around('i-2'), ...ENDS]);
  });

  test('that the warm pool comes first', () => {
    const warm = [old('i-8', { member: 'Warmed:Stopped', ecs: null })];
    expect(plan([old('i-1')], { warm }).slice(BEGINS.length, -ENDS.length)).toEqual([
      'tag i-8 to be replaced',
      'terminate i-8',
      'tag i-1 to be replaced',
      'detach i-1 from group web-ecs, which launches as many',
      AWAITS(1),
      DRAINS('i-1'),
    ]);
  });

  test('how a mixed instances policy gets its images', () => {
    const place = (templateId: string, reference: 'number' | '$Default'): LaunchPlace => ({
      kind: 'launch-template',
      templateId,
      reference,
      version: 3,
    });
    const arm = { ...TARGET, imageId: 'ami-0a2', architecture: 'arm64' };
    const sources = [
      { place: place('lt-1', 'number'), imageId: OLD.imageId, target: TARGET },
      { place: place('lt-2', '$Default'), imageId: OLD.imageId, target: arm },
    ];
    const steps = plan(three, { launch: { sources, mixed: true } });
    expect(steps[0]).toBe('tag group web-ecs: roll onto ami-7a2, ami-0a2');
    expect(only(steps, /lt-/)).toEqual([
      'create a version of launch template lt-1 from version 3 with ami-7a2',
      'create a version of launch template lt-2 from version 3 with ami-0a2',
      'make the new version the default of lt-2',
      'let the mixed instances policy of group web-ecs name the new version of lt-1',
    ]);
  });

  test.each(['number', '$Default', '$Latest'] as const)('how a launch template gets it (%s)', (reference) => {
    const place: LaunchPlace = { kind: 'launch-template', templateId: 'lt-1', reference, version: 3 };
    expect(only(plan(three, { launch: launching(place) }), /lt-/)).toEqual([
      'create a version of launch template lt-1 from version 3 with ami-7a2',
      ...{
        number: ['let group web-ecs launch from the new version of lt-1'],
        $Default: ['make the new version the default of lt-1'],
        $Latest: [],
      }[reference],
    ]);
  });

  test('where it stops, and why', () => {
    expect(plan(three, { ...served, maxSize: 3 })).toEqual([
      expect.stringMatching(/^stop there: the group has 3 of at most 3 instances/),
    ]);
  });

  test('where nobody can foresee how it goes on: a member in Standby', () => {
    const changes = { suspended: [], addedSizes: { desiredCapacity: 1, maxSize: 0 } };
    const aside = fresh('i-3', { member: 'Standby' });
    const sizes = { desiredCapacity: 2, minSize: 2, maxSize: 4 };
    const steps = plan([old('i-1', { marked: 60 }), fresh('i-2'), aside], {
      ...served,
      ...sizes,
      launch: launching(PLACE, TARGET),
      roll: { changes },
    });
    expect(steps.at(-1)).toBe(
      'stop there: i-3 must be back from Standby first, as the group is at its minimum size',
    );
  });

  test('nothing if there is nothing to do, nor a time', () => {
    const observation = observe([fresh('i-1')], { roll: null, suspendedProcesses: [] });
    expect(planned(assessed(observation), ROLL)).toEqual({ steps: [] });
  });

  test.each([
    ['rollback', 'roll back (somebody asked for it)'],
    ['abort', 'wind the roll up (somebody asked for it)'],
  ] as const)('of a roll that does not go on only that: %s', (kind, step) => {
    const course = { kind, since: ago(60), because: { code: 'asked' } } as const;
    expect(planned(assessed(observe(three, { roll: { course } })), ROLL)).toEqual({ steps: [step] });
  });

  test('that the first batch is tried out, once what it replaces is drained', () => {
    const steps = plan(three, {}, { canary: 1, bakeSeconds: 120 });
    const tried = 'try the first batch out for 120 s, and begin the next only then';
    expect(only(steps, /try/)).toEqual([`when i-1 is drained, ${tried}`]);
    expect(only(steps, /trial/)).toEqual([]);
  });

  test.each<[Settings['drainConcurrency'], string, string[]]>([
    ['auto', 'as many at a time as their services and the free capacity allow', ['i-1', 'i-2']],
    ['auto', '1 at a time', ['i-1']],
    [2, '2 at a time', ['i-1', 'i-2']],
  ])('how many drain at once: by %s, %s', (drainConcurrency, atOnce, ids) => {
    const drains = only(
      plan(
        ids.map((id) => old(id)),
        {},
        { drainConcurrency },
      ),
      /^drain/,
    );
    expect(drains).toEqual([expect.stringContaining(`terminate ${ids.join(', ')}, ${atOnce}, each when`)]);
  });
});

describe('a plan continues a roll in progress', () => {
  test('with what we still have to clean up', () => {
    const changes = { suspended: [], addedSizes: { desiredCapacity: 1, maxSize: 0 } };
    const scene = { ...served, launch: launching(PLACE, TARGET), roll: { changes } };
    const steps = plan([old('i-1', { marked: 60 }), fresh('i-2')], {
      ...scene,
      suspendedProcesses: ['AZRebalance', 'InstanceRefresh', 'AlarmNotification'],
    });
    expect(only(steps, /^(detach|set|drain)/)).toEqual([
      'detach i-1 from group web-ecs, which gets smaller by as many',
      DRAINS('i-1'),
    ]);
  });
});

describe('in a plan time stands still:', () => {
  const old30 = { drift: ['image', 'age'], maxInstanceAgeDays: 30 } as const;
  const settled: Scene = { launch: launching(PLACE, TARGET) };

  test('no member grows too old', () => {
    const members = [fresh('i-1', { age: 30 * DAY + 1 }), fresh('i-2', { age: 30 * DAY })];
    expect(only(plan(members, settled, old30), /\bi-\d/)).toEqual([
      'tag i-1 to be replaced',
      'detach i-1 from group web-ecs, which launches as many',
      DRAINS('i-1'),
    ]);
  });

  test.each([
    ['detached', {}, {}],
    ['scaled out for', { ...served, maxSize: 9 }, {}],
    ['ended in place', served, { maxSurge: { kind: 'count', count: 0 } }],
  ] as const)('no new one is replaced again, even if the old is %s', (_, scene, settings) => {
    const members = [fresh('i-1', { age: 31 * DAY }), fresh('i-2', { age: 32 * DAY })];
    const all = { drift: ['image', 'launch-spec', 'age'] as const, maxInstanceAgeDays: 30 };
    const steps = plan(members, { ...settled, ...scene }, { ...all, ...settings });
    expect(only(steps, /new member \d|replacement of/)).toEqual([]);
    expect(steps.at(-1)).toBe('remove the tags from group web-ecs');
  });

  test('nothing is forced twice', () => {
    const steps = plan([fresh('i-1')], { ...settled, forceRequestedAt: new Date('2026-11-21T11:59:59Z') });
    expect(only(steps, /to be replaced/)).toEqual(['tag i-1 to be replaced']);
  });
});

test('a plan comes to an end where somebody has paused the group by a tag without a time', () => {
  expect(plan(three, { pausedSince: NOW })).toEqual([]);
});

test('a plan comes to an end where a task has just crashed on what the roll has launched', () => {
  const members = [detached('i-0', { turn: 200, ecs: 'DRAINING' }), fresh('i-9'), old('i-1'), old('i-2')];
  const roll = { canary: { kind: 'baking', since: ago(90) } } as const;
  const begun = { roll, settled: 60, services: [service('api')], crashes: [crashOn('i-9', { since: 91 })] };
  const settings = { canary: 1, bakeSeconds: 300 };
  expect(told(observe(members, begun), settings).join()).toMatch(/^wait: i-9 is on trial/);
  expect(plan(members, begun, settings)).toContain(DRAINS('i-0'));
});

test('a paused roll shows what it still ends, and no time for the rest', () => {
  const begun = observe([detached('i-0', { turn: 60, ecs: 'DRAINING' }), old('i-1'), fresh('i-2')], {
    pausedSince: NOW,
  });
  const { steps, forecast } = planned(assessed(begun), ROLL);
  expect(steps).toContain(DRAINS('i-0'));
  expect(forecast).toBeUndefined();
});

describe('a plan for members that weigh more than one', () => {
  test('counts their weights', () => {
    const scene = { ...served, desiredCapacity: 4, maxSize: 6 };
    const members = [old('i-1', { weight: 2 }), old('i-2', { weight: 2 })];
    expect(only(plan(members, scene), /^(set|detach)/)).toEqual([
      'set group web-ecs to 6 instances',
      'detach i-1 from group web-ecs, which gets smaller by as many',
      'set group web-ecs to 6 instances',
      'detach i-2 from group web-ecs, which gets smaller by as many',
    ]);
  });

  test('expects no more than desired', () => {
    const steps = plan([old('i-1', { weight: 4 }), old('i-2', { weight: 4 })], { desiredCapacity: 8 });
    expect(only(steps, /^wait/)).toEqual([AWAITS(2)]);
  });
});
