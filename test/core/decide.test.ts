import { describe, expect, test } from 'vitest';
import type { LaunchPlace } from '../../lambda/core/model/launch.ts';
import { NO_CHANGES, NOTHING_ADDED } from '../../lambda/core/model/roll.ts';
import {
  ago,
  CONTINUE,
  crashOn,
  decideAll,
  decided,
  detached,
  fresh,
  launching,
  NEWER,
  NOW,
  OLD,
  observe,
  old,
  PLACE,
  ROLL,
  type Scene,
  SETTINGS,
  type Sketch,
  service,
  TARGET,
  TARGET_GROUP,
  together,
  told,
  unready,
} from './builders.ts';

const template: Extract<LaunchPlace, { kind: 'launch-template' }> = {
  kind: 'launch-template',
  templateId: 'lt-1',
  reference: 'number',
  version: 3,
};
const notBegun = { roll: null };

describe('before a roll', () => {
  test('a group whose members and launch spec have the target is up to date', () => {
    expect(decided(observe([fresh('i-1')], notBegun)).kind).toBe('up-to-date');
  });

  test('the group is tagged before anything else changes', () => {
    expect(told(observe([old('i-1')], notBegun))).toEqual(['tag group web-ecs: roll onto ami-7a2']);
  });

  test('an outdated launch spec is reason enough, so that the next scaling brings the image', () => {
    const launch = launching({ ...template, reference: 'number' });
    expect(told(observe([], { ...notBegun, launch }))).toEqual(['tag group web-ecs: roll onto ami-7a2']);
  });

  test('a launch configuration is copied even before the tags: if the account may create none, it shows then', () => {
    expect(told(observe([old('i-1')], { ...notBegun, launch: launching(PLACE) }))).toEqual([
      `copy launch configuration web-lc to web-ecs-ecs-ami-deploy-11111111-22222222-ami-7a2 with ami-7a2 (${TARGET.name})`,
      'tag group web-ecs: roll onto ami-7a2',
    ]);
  });

  test('continue begins nothing', () => {
    expect(told(observe([old('i-1')], notBegun), {}, CONTINUE)).toEqual([
      'skipped: no roll has begun; the schedule begins it, or `ecs-ami-deploy roll`',
    ]);
  });

  test('an older image never replaces a newer one', () => {
    expect(decided(observe([fresh('i-1', { image: NEWER })], notBegun)).kind).toBe('up-to-date');
  });

  test('unless it is asked for by its id', () => {
    const settings = { image: { kind: 'id', imageId: TARGET.imageId } } as const;
    expect(decided(observe([fresh('i-1', { image: NEWER })], notBegun), settings).kind).toBe('act');
  });

  test("a group that can't be handled is blocked with the reason", () => {
    const launch = { obstacle: { code: 'group-deleting' } } as const;
    expect(told(observe([old('i-1')], { launch }))).toEqual(['blocked: the group is being deleted']);
  });
});

describe('a roll does not begin', () => {
  test('while something is in its way that would make it fail', () => {
    const preflight = { unusableProfiles: [], stuckServices: [], freeAddresses: 0 };
    expect(decided(observe([old('i-1')], { ...notBegun, preflight }))).toMatchObject({
      kind: 'blocked',
      reason: { code: 'addresses-lacking' },
    });
  });

  test('while there is no room beside its members; without outdated ones none is needed', () => {
    const scene = { ...notBegun, trafficSources: [TARGET_GROUP], launch: launching(template) };
    const decision = (sketch: Sketch) => decided(observe([sketch], scene));
    expect(decision(old('i-1'))).toMatchObject({ kind: 'blocked', reason: { code: 'no-room' } });
    expect(decision(fresh('i-1'))).toMatchObject({ kind: 'act', reason: { code: 'roll-begins' } });
  });

  test('onto anything while one of its places would launch a rejected image', () => {
    const sources = [
      { place: PLACE, imageId: OLD.imageId, target: TARGET },
      { place: template, imageId: NEWER.imageId, target: NEWER, rejected: NEWER.imageId },
    ];
    const launch = { sources, mixed: true };
    expect(decided(observe([old('i-1')], { ...notBegun, launch }))).toMatchObject({
      kind: 'skipped',
      reason: { code: 'image-rejected', imageIds: [NEWER.imageId] },
    });
  });

  test('while its own instance may still turn up as detached', () => {
    const detachedLately = [{ instanceId: 'i-9', missedSince: ago(60) }];
    expect(decided(observe([old('i-1')], { ...notBegun, detachedLately }))).toEqual({
      kind: 'wait',
      reason: { code: 'detachment-awaited', instanceIds: ['i-9'] },
    });
  });
});

test('a rollback that may be an earlier one does not go on, and says since when it is recorded', () => {
  const since = ago(43 * 86_400);
  const course = { kind: 'rollback', since, because: { code: 'asked' } } as const;
  const roll = { startedAt: ago(44 * 86_400), course };
  expect(decided(observe([fresh('i-1')], { roll }))).toMatchObject({
    kind: 'blocked',
    reason: { code: 'rollback-doubtful', since },
  });
});

describe('an instance refresh in progress', () => {
  const instanceRefresh = { status: 'refresh-1, InProgress', decidesLaunches: true };
  const BLOCKED =
    'blocked: an instance refresh is under way (refresh-1, InProgress); wait for its end, or cancel it';
  const PAUSED =
    'blocked: an instance refresh is under way (refresh-1, InProgress), but stands still while InstanceRefresh is ' +
    'suspended; cancel it';

  test('keeps a roll from beginning, and from going on', () => {
    const scene = { ...notBegun, instanceRefresh, suspendedProcesses: [] };
    expect(told(observe([old('i-1')], scene))).toEqual([BLOCKED]);
    expect(told(observe([old('i-1')], { instanceRefresh }))).toEqual([PAUSED]);
    const next = detached('i-1', { turn: 5 });
    expect(told(observe([next, fresh('i-2')], { instanceRefresh, settled: 60 }))).toEqual([PAUSED]);
  });

  test('does not matter if there is nothing to do', () => {
    expect(decided(observe([fresh('i-1')], { ...notBegun, instanceRefresh })).kind).toBe('up-to-date');
  });
});

describe('a request to force', () => {
  const forceRequestedAt = new Date('2026-11-21T11:59:00Z');

  test('records its time on the group', () => {
    expect(decided(observe([fresh('i-1')], { ...notBegun, forceRequestedAt }))).toMatchObject({
      actions: [{ kind: 'record-roll', roll: { forceBefore: forceRequestedAt } }],
    });
  });

  test('joins a roll that has begun, once', () => {
    const roll = { startedAt: new Date('2026-11-21T11:00:00Z') };
    const joined = { ...roll, forceBefore: forceRequestedAt };
    expect(decided(observe([fresh('i-1')], { roll, forceRequestedAt }))).toMatchObject({
      actions: [{ kind: 'record-roll', roll: { imageIds: [TARGET.imageId], exact: false, ...joined } }],
    });
    const later = new Date('2026-11-21T11:59:30Z');
    expect(told(observe([fresh('i-1')], { roll: joined, forceRequestedAt: later }))).toEqual([
      'tag i-1 to be replaced',
      'detach i-1 from group web-ecs, which launches as many',
    ]);
  });

  test('leaves alone what was launched after it', () => {
    const roll = { startedAt: forceRequestedAt, forceBefore: forceRequestedAt };
    expect(decided(observe([fresh('i-1', { age: 30 })], { roll })).kind).toBe('finish');
  });
});

describe('the launch spec', () => {
  test('uses a launch configuration that was copied before the roll was recorded', () => {
    expect(told(observe([old('i-1')], { launch: launching(PLACE) }))).toEqual([
      'let group web-ecs launch from web-ecs-ecs-ami-deploy-11111111-22222222-ami-7a2',
    ]);
  });

  test.each(['number', '$Default', '$Latest'] as const)(
    'gets a version made from the one that runs (%s)',
    (reference) => {
      const launch = launching({ ...template, reference });
      expect(told(observe([old('i-1')], { launch }))).toEqual([
        'create a version of launch template lt-1 from version 3 with ami-7a2',
      ]);
    },
  );

  const made = {
    kind: 'launch-template',
    templateId: 'lt-1',
    version: 4,
    sourceVersion: 3,
    imageId: TARGET.imageId,
    inUse: false,
    made: true,
  } as const;

  test('reuses a version that a killed run has made', () => {
    const launch = launching(template);
    expect(told(observe([old('i-1')], { launch, ownLaunchSpecs: [made] }))).toEqual([
      'let group web-ecs launch from version 4 of lt-1',
    ]);
  });

  test('on $Default stays on it: the default moves', () => {
    const launch = launching({ ...template, reference: '$Default' });
    expect(told(observe([old('i-1')], { launch, ownLaunchSpecs: [made] }))).toEqual([
      'make version 4 the default of lt-1',
    ]);
  });

  test('does not use a version of ours from another source', () => {
    const launch = launching(template);
    const other = { ...made, sourceVersion: 2 };
    expect(told(observe([old('i-1')], { launch, ownLaunchSpecs: [other] }))).toEqual([
      'create a version of launch template lt-1 from version 3 with ami-7a2',
    ]);
  });
});

describe('detaching', () => {
  test('tags a whole batch, then detaches it in calls of twenty', () => {
    const members = Array.from({ length: 45 }, (_, index) => old(`i-${index + 10}`));
    const decision = decided(observe(members));
    const sizes =
      'actions' in decision &&
      decision.actions.map((each) => 'instanceIds' in each && each.instanceIds.length);
    expect(sizes).toEqual([45, 20, 20, 5]);
  });

  test('continues with the members that a killed run had marked, and with no others', () => {
    const members = [detached('i-1'), old('i-2', { marked: 400 }), old('i-3')];
    expect(told(observe(members), { maxSurge: { kind: 'count', count: 2 } })).toEqual([
      'detach i-2 from group web-ecs, which launches as many',
    ]);
  });

  test('takes no more than the surge at once', () => {
    const members = ['i-1', 'i-2', 'i-3', 'i-4'].map((id) => old(id));
    expect(told(observe(members), { maxSurge: { kind: 'percent', percent: 26 } })).toEqual([
      'tag i-1, i-2 to be replaced',
      'detach i-1, i-2 from group web-ecs, which launches as many',
    ]);
  });

  test('chooses no next batch while one of the last is alive', () => {
    const members = [
      detached('i-1', { ecs: 'DRAINING', turn: 60, tasks: ['service:api'] }),
      fresh('i-9'),
      old('i-2'),
    ];
    expect(decided(observe(members), { maxSurge: { kind: 'count', count: 1 } }).kind).toBe('wait');
  });

  test.each(['Pending', 'Pending:Wait', 'Terminating', 'Terminating:Wait', 'EnteringStandby'])(
    'leaves a member alone that is %s',
    (member) => {
      const told_ = told(observe([old('i-1', { member }), old('i-2')], { desiredCapacity: 1 }));
      expect(told_).toEqual([
        'tag i-2 to be replaced',
        'detach i-2 from group web-ecs, which launches as many',
      ]);
    },
  );

  test('waits for a member on its way into Standby, if those are replaced too', () => {
    const member = 'EnteringStandby';
    expect(told(observe([old('i-1', { member })], { desiredCapacity: 0 }), { standby: 'replace' })).toEqual([
      "blocked: after 900 s, outdated members can't be detached yet: i-1 is EnteringStandby",
    ]);
  });

  test('removes the tags from a member that is not outdated', () => {
    expect(told(observe([fresh('i-1', { marked: 100 })]))).toEqual(['remove the tags from i-1']);
  });
});

describe('waiting for replacements', () => {
  const waiting = (rest: Parameters<typeof fresh>[1]) => told(observe([detached('i-1'), fresh('i-2', rest)]));

  test.each([
    ['i-2 is Pending in the group', { member: 'Pending' }],
    ['i-2 is unhealthy in the group', { healthy: false }],
    ['i-2 is InService but not registered in the cluster', { ecs: null }],
    ['i-2 is DRAINING in the cluster: somebody else drained it', { ecs: 'DRAINING' }],
    ['i-2 is registered but its agent is not connected', { agentConnected: false }],
  ])('%s', (what, rest) => {
    expect(waiting(rest)).toEqual([`wait: replacements are not ready: ${what}`]);
  });

  test('that Auto Scaling has yet to launch', () => {
    expect(told(observe([detached('i-1'), detached('i-2'), fresh('i-3')], { desiredCapacity: 2 }))).toEqual([
      'wait: replacements are not ready: Auto Scaling has launched 1 of 2 instances',
    ]);
  });

  test('does not wait for a member that the group is terminating', () => {
    const scene = { desiredCapacity: 1, settled: 60 };
    const all = [detached('i-1', { turn: 5 }), fresh('i-2'), fresh('i-3', { member: 'Terminating:Wait' })];
    expect(told(observe(all, scene))).toEqual(['drain i-1']);
  });

  test('past the limit blocks and names what is missing, if that was there before the roll', () => {
    const late = observe([detached('i-1', { marked: 1000 }), fresh('i-2', { ecs: null, age: 950 })], {
      watch: unready(new Date('2026-11-21T11:58:00Z'), 'i-2'),
    });
    expect(told(late)).toEqual([
      'blocked: after 900 s, replacements are not ready: i-2 is InService but not registered in the cluster',
    ]);
  });

  test('past the limit rolls back and names what is missing, if the roll launched it', () => {
    const late = observe([detached('i-1', { marked: 1000 }), fresh('i-2', { ecs: null, age: 950 })], {
      roll: { startedAt: new Date('2026-11-21T11:40:00Z') },
      watch: unready(new Date('2026-11-21T11:58:00Z'), 'i-2'),
    });
    const because =
      'after 900 s, replacements are not ready: i-2 is InService but not registered in the cluster';
    expect(told(late)).toEqual([`tag group web-ecs: rollback, because ${because}`]);
  });

  test('does not block for an agent that has only just dropped, however old its instance', () => {
    const flap = observe(
      [detached('i-1', { marked: 5000 }), fresh('i-2', { agentConnected: false, age: 4900 })],
      {
        watch: unready(new Date('2026-11-21T11:59:50Z'), 'i-2'),
      },
    );
    expect(decided(flap).kind).toBe('wait');
  });
});

describe('draining', () => {
  test('is undone if EC2 would not terminate the instance, which serves until it can be terminated', () => {
    const terminationProtected = new Set(['i-1']);
    const at = (ecs: string) =>
      told(
        observe([detached('i-1', { ecs, turn: 60 }), fresh('i-2')], { terminationProtected, settled: 60 }),
      );
    expect(at('DRAINING')).toEqual(['set i-1 back ACTIVE']);
    expect(at('ACTIVE')).toEqual([expect.stringMatching(/^blocked: i-1 is detached and protected/)]);
  });

  test('takes the emptiest first, so that tasks of the fullest only move to new instances', () => {
    const all = [
      detached('i-1', { running: 8 }),
      detached('i-2', { running: 2 }),
      fresh('i-3'),
      fresh('i-4'),
    ];
    expect(told(observe(all, { settled: 60 }))).toEqual(['tag i-2 as the next to drain']);
  });

  test('takes the oldest among equally full ones', () => {
    const all = [detached('i-2', { age: 10 }), detached('i-1'), fresh('i-3'), fresh('i-4')];
    expect(told(observe(all, { settled: 60 }))).toEqual(['tag i-1 as the next to drain']);
  });

  test('keeps the earlier turn when two invocations chose differently', () => {
    const all = [detached('i-1', { turn: 5 }), detached('i-2', { turn: 6 }), fresh('i-3'), fresh('i-4')];
    expect(told(observe(all, { settled: 60 }))).toEqual(['drain i-2']);
  });

  test('waits for the services to have been steady', () => {
    const all = [detached('i-1', { turn: 5 }), fresh('i-3')];
    expect(told(observe(all, { settled: 29 }))).toEqual([
      'wait: waits until the services have been steady for 30 s; in turn: i-1',
    ]);
    expect(told(observe(all, { settled: 30 }))).toEqual(['drain i-1']);
  });

  test.each([
    ['service api runs 1 of 2 tasks', [service('api', { runningCount: 1 })]],
    ['service api has 1 task pending', [service('api', { pendingCount: 1 })]],
    ['service api has a deployment in progress', [service('api', { deploying: true })]],
  ])('does not begin while %s', (what, services) => {
    const all = [detached('i-1', { turn: 5 }), fresh('i-3')];
    expect(told(observe(all, { services }))).toEqual([`wait: i-1 is the next to drain: ${what}`]);
  });

  test('waits for every task of a service and for standalone tasks, by name', () => {
    const draining = (group: string) =>
      told(
        observe([detached('i-1', { turn: 50, ecs: 'DRAINING', tasks: [group] }), fresh('i-3')], {
          settled: 60,
        }),
      );
    expect(draining('service:api')).toEqual(['wait: i-1 drains: 1 task of service api left on i-1']);
    expect(draining('family:batch')).toEqual(['wait: i-1 drains: 1 task of family:batch left on i-1']);
  });

  test("names where tasks fail that fit nowhere else, even on another group's instance", () => {
    const all = [
      detached('i-1', { turn: 50, ecs: 'DRAINING', tasks: ['service:api'] }),
      fresh('i-3'),
      fresh('i-9', { member: null }),
    ];
    expect(told(observe(all, { settled: 60, crashes: [crashOn('i-9')] }))).toEqual([
      'wait: i-1 drains: 1 task of service api left on i-1; tasks of service api stop by themselves on i-9 ' +
        '(Essential container in task exited)',
    ]);
  });

  test('names, once it takes too long, a deployment that failed, after which ECS starts no more tasks', () => {
    const counts = { bakeSeconds: 0, runningCount: 1, failedTasks: 3 };
    const deployment = { id: 'ecs-svc/1', begunAt: ago(9000), succeeded: false, ...counts };
    const services = [service('api', { deployment, runningCount: 1 })];
    const next = (turn: number) => told(observe([detached('i-1', { turn }), fresh('i-3')], { services }));
    expect(next(1790)).toEqual(['wait: i-1 is the next to drain: service api runs 1 of 2 tasks']);
    expect(next(1810)).toEqual([
      'wait: i-1 is the next to drain: service api runs 1 of 2 tasks; the latest deployment of service api has ' +
        'failed: deploy it again',
    ]);
  });

  test('does not wait for a daemon, but then leaves deregistering to ECS', () => {
    const services = [service('logs', { daemon: true, runningCount: 0 })];
    const all = [detached('i-1', { turn: 50, ecs: 'DRAINING', tasks: ['service:logs'] }), fresh('i-3')];
    expect(told(observe(all, { settled: 60, services }))).toEqual(['terminate i-1']);
  });

  test('chooses the next while an empty one waits for the services to be steady', () => {
    const all = [detached('i-1', { turn: 50, ecs: 'DRAINING' }), detached('i-2'), fresh('i-3'), fresh('i-4')];
    expect(told(observe(all, { settled: 10 }))).toEqual(['tag i-2 as the next to drain']);
  });

  test('terminates an empty instance and begins with the next in one go', () => {
    const next = detached('i-2', { turn: 20 });
    const all = [detached('i-1', { turn: 50, ecs: 'DRAINING' }), next, fresh('i-3'), fresh('i-4')];
    expect(told(observe(all, { settled: 31 }))).toEqual(['deregister i-1', 'terminate i-1', 'drain i-2']);
  });

  test('terminates what was deregistered before a kill', () => {
    expect(told(observe([detached('i-1', { turn: 50, ecs: null }), fresh('i-3')]))).toEqual([
      'terminate i-1',
    ]);
  });

  test('never terminates one that may be about to register for the first time', () => {
    const young = detached('i-1', { ecs: null, age: 60, marked: 30 });
    expect(decided(observe([young, fresh('i-3')], { settled: 60 })).kind).toBe('wait');
    const hopeless = detached('i-1', { ecs: null, age: 901, marked: 30 });
    expect(told(observe([hopeless, fresh('i-3')], { settled: 60 }))).toEqual(['terminate i-1']);
  });

  test('leaves alone what is already terminated', () => {
    expect(decided(observe([detached('i-1', { alive: false, ecs: null }), fresh('i-3')])).kind).toBe(
      'finish',
    );
  });

  test('keeps its concurrency', () => {
    const some = (turn?: number) => ['i-1', 'i-2', 'i-3'].map((id) => detached(id, { turn }));
    const members = ['i-7', 'i-8', 'i-9'].map((id) => fresh(id));
    const two = { drainConcurrency: 2 };
    expect(told(observe([...some(), ...members], { settled: 60 }), two)).toEqual([
      'tag i-1, i-2 as the next to drain',
    ]);
    expect(told(observe([...some(20), ...members], { settled: 60 }), two)).toEqual(['drain i-1, i-2']);
  });

  test('past the limit is given up, naming service and task', () => {
    const stuck = detached('i-1', { turn: 1801, ecs: 'DRAINING', tasks: ['service:api'] });
    expect(decided(observe([stuck, fresh('i-3')]))).toMatchObject({
      reason: {
        code: 'drain-given-up',
        instanceId: 'i-1',
        afterSeconds: 1800,
        faults: [{ kind: 'tasks-left', instanceId: 'i-1', group: 'service:api', taskIds: ['i-1-0'] }],
      },
      actions: [
        { kind: 'mark-instances', mark: { drainGivenUpAt: NOW } },
        { kind: 'activate', containerInstances: [{ instanceId: 'i-1' }] },
      ],
    });
  });
});

describe('the end', () => {
  test('comes when nothing is outdated and nothing of ours is detached; the tags go last', () => {
    const ownLaunchSpecs = Array.from({ length: 7 }, (_, index) => ({
      kind: 'launch-configuration' as const,
      name: `web-lc-${index}`,
      createdAt: new Date(2026, 0, index + 1),
    }));
    expect(told(observe([fresh('i-1')], { ownLaunchSpecs }))).toEqual([
      'delete launch configuration web-lc-1',
      'delete launch configuration web-lc-0',
      'remove the tags from group web-ecs',
    ]);
  });

  test('does not come while a member is not ready', () => {
    expect(decided(observe([fresh('i-1', { member: 'Pending' })])).kind).toBe('wait');
  });

  test('never deletes a template version that somebody uses', () => {
    const own = (version: number, inUse = false) =>
      ({
        kind: 'launch-template',
        templateId: 'lt-1',
        version,
        sourceVersion: version - 1,
        imageId: OLD.imageId,
        inUse,
        made: true,
      }) as const;
    const scene = {
      launch: launching({ ...template, version: 9 }, TARGET),
      ownLaunchSpecs: [own(4), own(5, true), own(6), own(9)],
    };
    expect(told(observe([fresh('i-1')], scene), { keepLaunchSpecs: 1 })).toEqual([
      'delete versions 4 of launch template lt-1',
      'remove the tags from group web-ecs',
    ]);
  });
});

describe('a group whose tag that names its cluster is wrong', () => {
  test('gets it back before all else, unless it is left out', () => {
    const misnamed = { misnamed: true, pausedSince: ago(9) };
    expect(decided(observe([old('i-1')], misnamed))).toEqual({
      kind: 'act',
      reason: { code: 'cluster-tag-spoilt' },
      actions: [{ kind: 'record-cluster', group: 'web-ecs' }],
    });
    expect(decided(observe([old('i-1')], { ...misnamed, excluded: true })).kind).toBe('blocked');
  });
});

describe("a group that isn't ours", () => {
  const reason = { code: 'belonging-undecided' };
  test.each([
    ['stranger', 'skipped'],
    ['undecided', 'wait'],
  ] as const)('as it is a %s, is left alone, whoever asks', (kind, what) => {
    const notOurs = { kind, reason } as never;
    for (const request of [ROLL, { ...ROLL, order: 'pause' } as const])
      expect(decided(observe([old('i-1')], { notOurs, misnamed: true }), {}, request)).toEqual({
        kind: what,
        reason,
      });
  });
});

describe('what is decided about a group', () => {
  const warningsOf = (sketches: readonly Sketch[], scene: Scene) =>
    decideAll(observe(sketches, scene), SETTINGS, ROLL).flatMap(({ warnings }) => warnings);
  const codes = (sketches: readonly Sketch[], scene: Scene) =>
    warningsOf(sketches, scene).map(({ code }) => code);

  test('comes with warnings of its own, and of its roll', () => {
    const warnings = [{ code: 'family-ended', family: 'x', endsAt: 'y', next: 'z' }] as const;
    expect(codes([old('i-1')], { warnings })).toEqual(['family-ended']);
    expect(codes([old('i-1')], { roll: { unsteady: [{ name: 'api', runningCount: 1 }] } })).toEqual([
      'service-unsteady',
    ]);
  });

  test('comes with a warning of marked instances that may not be its own, and of what was made before', () => {
    const [warning] = warningsOf([fresh('i-1')], {
      ...notBegun,
      unproven: [{ instanceId: 'i-9', missedSince: ago(900) }],
    });
    expect(warning).toEqual({ code: 'detachment-unproven', group: 'web-ecs', instanceIds: ['i-9'] });
    const place = { ...template, version: 1 };
    const own = { kind: 'launch-template', templateId: 'lt-1', sourceVersion: 1, inUse: false } as const;
    const ownLaunchSpecs = [{ ...own, version: 3, imageId: TARGET.imageId, made: true }];
    expect(
      warningsOf([old('i-1')], { ...notBegun, launch: launching(place), ownLaunchSpecs }),
    ).toContainEqual({
      code: 'version-made-before',
      templateId: 'lt-1',
      version: 3,
      imageId: TARGET.imageId,
    });
  });

  test('comes with warnings of what may go wrong before a roll, and of what was not read', () => {
    const unread = [{ code: 'other-cluster-unread', cluster: 'api', because: 'denied' }] as const;
    const observation = observe([old('i-1')], {
      ...notBegun,
      services: [service('api', { desiredCount: 1, runningCount: 1, minimumHealthyPercent: 0 })],
    });
    const warned = { ...observation, details: { ...observation.details, unread } };
    const [first] = decideAll(warned, SETTINGS, ROLL);
    expect(first?.warnings.map(({ code }) => code)).toEqual([
      'single-task-interrupted',
      'other-cluster-unread',
    ]);
  });

  test('comes without warnings of the roll if nothing can be said of what it launches', () => {
    const launch = { obstacle: { code: 'group-deleting' } } as const;
    expect(warningsOf([old('i-1')], { ...notBegun, launch })).toEqual([]);
  });

  test("names notes on its tags that can't be ours", () => {
    const changes = { ...NO_CHANGES, addedSizes: { ...NOTHING_ADDED, desiredCapacity: 99 } };
    const notes = (scene: Scene) =>
      decideAll(observe([old('i-1')], scene), SETTINGS, ROLL).map(({ incredible }) => incredible);
    expect(notes({ roll: { changes } })).toEqual([['addedSizes']]);
    expect(notes({ roll: { changes }, launch: { obstacle: { code: 'group-deleting' } } })).toEqual([[]]);
    expect(notes(notBegun)).toEqual([[]]);
  });

  test('says since when it is paused while it finishes what it has begun', () => {
    const busy = detached('i-1', { turn: 20, ecs: 'DRAINING' });
    const scene = { settled: 60, pausedSince: ago(9) };
    expect(decided(observe([busy, fresh('i-2')], scene))).toMatchObject({ kind: 'act', pausedSince: ago(9) });
    const { pausedSince: _, ...goes } = scene;
    expect(decided(observe([busy, fresh('i-2')], goes))).not.toHaveProperty('pausedSince');
  });

  test('says, if its owner left it out by a tag, whether its instances have it, too', () => {
    const leftOut = (propagatesExclude?: boolean) =>
      decided(
        observe([old('i-1')], {
          ...notBegun,
          excluded: true,
          ...(propagatesExclude && { propagatesExclude }),
        }),
      );
    expect(leftOut(true).reason).toEqual({ code: 'left-out', isPropagated: true });
    expect(leftOut().reason).toEqual({ code: 'left-out', isPropagated: false });
  });
});

test('groups come by when they began, those of the same time by name', () => {
  const marked = detached('i-2', { marked: 600 });
  const observation = together(observe([old('i-1')]), observe([old('i-3')]), observe([marked, fresh('i-9')]));
  const names = (groups: typeof observation.groups) =>
    decideAll({ ...observation, groups }, SETTINGS, ROLL).map(({ assessment: { group } }) => group.name);
  expect(names(observation.groups)).toEqual(['third', 'other', 'web-ecs']);
  expect(names([...observation.groups].reverse())).toEqual(['third', 'other', 'web-ecs']);
});
