import { describe, expect, test } from 'vitest';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import { describeDecision } from '../../../lambda/core/text/decision.ts';
import {
  ago,
  arnOf,
  crashOn,
  decided,
  detached,
  fresh,
  NOW,
  observe,
  old,
  type Scene,
  type Sketch,
  service,
  told,
} from '../builders.ts';

const LIMIT = 1800;
const steady = { settled: 60 };
const tell = (sketches: readonly Sketch[], scene: Scene = {}, settings: Partial<Settings> = {}) =>
  told(observe(sketches, scene), settings);

/** An instance whose drain has timed out. */
const stuck = (id: string, rest: Partial<Sketch> = {}): Sketch =>
  detached(id, { marked: 2500, turn: LIMIT + 1, ecs: 'DRAINING', tasks: ['service:api'], ...rest });

/** An instance whose drain was given up so many seconds ago. */
const given = (id: string, givenUp: number, rest: Partial<Sketch> = {}): Sketch =>
  detached(id, { marked: 2500, turn: givenUp + LIMIT + 1, givenUp, tasks: ['service:api'], ...rest });

/** A task that doesn't serve on the only replacement, for so long. */
function illFor(seconds: number) {
  const arn = 'arn:task/web/9';
  const sick = { arn, service: 'api', containerInstanceArn: arnOf('i-9'), startedAt: ago(7200) };
  return {
    unhealthy: [{ ...sick, starting: false, ofNoImage: false, says: 'it is unhealthy' }],
    watch: { draining: ['i-1'], unsettledSince: ago(100), illSince: new Map([[arn, ago(seconds)]]) },
  };
}

describe('a drain that takes too long', () => {
  test('is tagged as given up first, then undone, so that a killed run leaves nothing draining', () => {
    const decision = decided(observe([stuck('i-1'), fresh('i-9')]));
    expect(decision).toMatchObject({
      kind: 'act',
      actions: [
        {
          kind: 'mark-instances',
          instanceIds: ['i-1'],
          mark: { detachStartedAt: ago(2500), drainStartedAt: ago(LIMIT + 1), drainGivenUpAt: NOW },
        },
        { kind: 'activate', containerInstances: [{ instanceId: 'i-1' }] },
      ],
    });
    expect(describeDecision(decision)).toContain('1 task of service api left on i-1 (i-1-0)');
  });

  test('is undone by the next run after a kill between the two', () => {
    expect(tell([stuck('i-1', { givenUp: 5 }), fresh('i-9')])).toEqual(['set i-1 back ACTIVE']);
  });

  test('is undone after such a kill even if drains have become forced since', () => {
    expect(tell([stuck('i-1', { givenUp: 5 }), fresh('i-9')], {}, { onDrainTimeout: 'force' })).toEqual([
      'set i-1 back ACTIVE',
    ]);
  });

  test('is not given up while a task is watched for whose illness the image may be to blame', () => {
    expect(tell([stuck('i-1'), fresh('i-9')], illFor(599))).toEqual([expect.stringMatching(/^wait: /)]);
    expect(tell([stuck('i-1'), fresh('i-9')], illFor(600))).toContain('set i-1 back ACTIVE');
  });

  test('is not given up before its time', () => {
    expect(tell([stuck('i-1', { turn: LIMIT }), fresh('i-9')])).toEqual([
      'wait: i-1 drains: 1 task of service api left on i-1',
    ]);
  });

  test('has its time anew whenever a task leaves, or is on its way out', () => {
    const waits = ['wait: i-1 drains: 1 task of service api left on i-1'];
    expect(tell([stuck('i-1', { left: LIMIT }), fresh('i-9')])).toEqual(waits);
    expect(tell([stuck('i-1', { left: LIMIT + 1 }), fresh('i-9')]).at(-1)).toBe('set i-1 back ACTIVE');
    const leaving = { stopping: true, deactivating: true };
    expect(tell([stuck('i-1', { ...leaving, stoppingFor: 3599 }), fresh('i-9')])).toEqual(waits);
    // No load balancer lets requests go on for longer. It would stop all the same if it were ACTIVE again.
    expect(tell([stuck('i-1', { ...leaving, stoppingFor: 3601 }), fresh('i-9')])).toEqual([
      expect.stringMatching(/^blocked: after 1800 s, i-1 drains: 1 task of service api left/),
    ]);
    const cutOff = { ...leaving, stoppingFor: 3601, agentConnected: false };
    expect(tell([stuck('i-1', cutOff), fresh('i-9')]).at(-1)).toBe('set i-1 back ACTIVE');
  });

  test('is given up one at a time', () => {
    const actions = tell(
      [stuck('i-1'), stuck('i-2'), fresh('i-8'), fresh('i-9')],
      {},
      { drainConcurrency: 2 },
    );
    expect(actions.at(-1)).toBe('set i-1 back ACTIVE');
  });

  test('is given up even if empty when its tasks are missing elsewhere, as we watch', () => {
    const services = [service('api', { runningCount: 1 })];
    const empty = stuck('i-1', { tasks: [] });
    const since = (seconds: number) => ({
      services,
      servicesOn: { 'i-1': ['api'] },
      watch: { draining: ['i-1'], unsettledSince: ago(seconds) },
    });
    expect(tell([empty, fresh('i-9')], since(61))).toContain('set i-1 back ACTIVE');
    expect(decided(observe([empty, fresh('i-9')], since(61))).reason).toEqual({
      code: 'drain-given-up',
      instanceId: 'i-1',
      afterSeconds: LIMIT,
      faults: [{ kind: 'service-short', service: 'api', running: 1, desired: 2 }],
    });
    expect(tell([empty, fresh('i-9')], since(60))).toEqual([
      'wait: i-1 drains: service api runs 1 of 2 tasks',
    ]);
  });

  test('is not given up if it is empty, for tasks that run elsewhere without serving', () => {
    const ill = illFor(0);
    const unhealthy = ill.unhealthy.map((each) => ({ ...each, ofNoImage: true }));
    const scene = {
      unhealthy,
      servicesOn: { 'i-1': ['api'] },
      watch: { draining: ['i-1'], unsettledSince: ago(100) },
    };
    const [said] = tell([stuck('i-1', { tasks: [] }), fresh('i-9')], scene);
    expect(said).toMatch(/^blocked: after 1800 s, i-1 drains: /);
  });

  test('blocks the roll if services are steady only for moments', () => {
    const empty = stuck('i-1', { tasks: [] });
    const fault = { kind: 'service-short', service: 'api', running: 1, desired: 2 } as const;
    const since = (seconds: number) => ({
      watch: {
        draining: ['i-1'],
        servedSince: ago(1),
        unsteady: { since: ago(seconds), by: [fault] },
      },
    });
    expect(tell([empty, fresh('i-9')], since(91))).toEqual([
      'blocked: after 1800 s, the services have never been steady for 30 s (last: service api runs 1 of 2 tasks); in turn: i-1',
    ]);
    expect(tell([empty, fresh('i-9')], since(90))).toEqual([
      'wait: waits until the services have been steady for 30 s; in turn: i-1',
    ]);
  });

  test('gets some more time after a deployment that outlasted its limit, though tasks are missing', () => {
    const empty = stuck('i-1', { tasks: [] });
    const services = [service('api', { runningCount: 1 })];
    const since = (seconds: number) => ({
      services,
      servicesOn: { 'i-1': ['api'] },
      watch: { draining: ['i-1'], unsettledSince: ago(2400), unsteady: { since: ago(seconds), by: [] } },
    });
    expect(tell([empty, fresh('i-9')], since(61))).toContain('set i-1 back ACTIVE');
    expect(tell([empty, fresh('i-9')], since(60))).toEqual([
      'wait: i-1 drains: service api runs 1 of 2 tasks',
    ]);
  });

  test('stays drained and is reported if it is empty and none of its tasks is missing', () => {
    const services = [service('api'), service('web', { runningCount: 1 })];
    const watch = { draining: ['i-1'], unsettledSince: ago(61) };
    const scene = { services, watch, servicesOn: { 'i-1': ['api'] } };
    const turn = { tasks: [], turn: LIMIT + 1 };
    expect(tell([stuck('i-1', turn), fresh('i-9')], scene)).toEqual([
      'blocked: after 1800 s, i-1 drains: service web runs 1 of 2 tasks',
    ]);
  });

  test('is given up if it is empty, a service lacks tasks, and nobody knows what ran there', () => {
    const services = [service('web', { runningCount: 1 })];
    const watch = { draining: ['i-1'], unsettledSince: ago(61) };
    const scene = { services, watch };
    expect(tell([stuck('i-1', { tasks: [], turn: 3001 }), fresh('i-9')], scene)).toContain(
      'set i-1 back ACTIVE',
    );
  });

  test('is not given up while a deployment by the owner is in progress', () => {
    const services = [service('api', { deploying: true })];
    expect(tell([stuck('i-1'), fresh('i-9')], { services })).toEqual([
      'wait: i-1 drains: 1 task of service api left on i-1 (i-1-0)',
    ]);
  });

  test('is not given up while a deployment is in progress, though services were unhealthy before the roll', () => {
    const services = [service('api', { deploying: true }), service('ill', { runningCount: 0 })];
    const unsteady = ['ill', 'api'].map((name) => ({ name, runningCount: 0 }));
    const scene = (...before: typeof unsteady) => ({ services, roll: { unsteady: before } });
    expect(tell([stuck('i-1'), fresh('i-9')], scene(...unsteady))).toContain('set i-1 back ACTIVE');
    expect(tell([stuck('i-1'), fresh('i-9')], scene(...unsteady.slice(0, 1)))[0]).toMatch(
      /^wait: i-1 drains/,
    );
  });

  test('is given up even if a service that was unhealthy before the roll deploys forever', () => {
    const services = [service('api'), service('ill', { deploying: true, runningCount: 0 })];
    const roll = { unsteady: [{ name: 'ill', runningCount: 0 }] };
    expect(tell([stuck('i-1'), fresh('i-9')], { services, roll })).toContain('set i-1 back ACTIVE');
  });

  test('is not given up while only protected tasks are left, however long they take', () => {
    const busy = stuck('i-1', { protectedFor: 60 });
    expect(tell([busy, fresh('i-9')])).toEqual([
      'blocked: after 1800 s, i-1 drains: 1 task of service api left on i-1 (i-1-0)',
    ]);
    expect(tell([{ ...busy, protectedFor: 0 }, fresh('i-9')])).toContain('set i-1 back ACTIVE');
  });

  test('is given up if one of its tasks is not protected', () => {
    const observation = observe([stuck('i-1', { tasks: ['service:api', 'service:api'] }), fresh('i-9')]);
    const { tasks = [] } = observation.details ?? {};
    const protectedUntil = ago(-60);
    const details = {
      ...observation.details,
      tasks: tasks.map((task, i) => (i ? task : { ...task, protectedUntil })),
    };
    expect(told({ ...observation, details })).toContain('set i-1 back ACTIVE');
  });

  test('is undone only in registrations that drain, not in one made since', () => {
    const again = stuck('i-1', { givenUp: 5, twin: { ecs: 'ACTIVE' } });
    expect(decided(observe([again, fresh('i-9')]))).toMatchObject({
      reason: { code: 'drain-undone', instanceIds: ['i-1'], because: 'given-up' },
      actions: [{ kind: 'activate', containerInstances: [{ arn: arnOf('i-1') }] }],
    });
  });

  test('is never held up by daemons', () => {
    const services = [service('api'), service('logs', { daemon: true })];
    expect(tell([stuck('i-1', { tasks: ['service:logs'] }), fresh('i-9')], { ...steady, services })).toEqual([
      'terminate i-1',
    ]);
  });
});

describe('a drain of an instance with a service that can start nowhere else', () => {
  const GONE = 'CannotPullContainerError: pull image manifest has been retried 1 time(s): manifest unknown';
  const services = ['api', 'web', 'db'].map((name) => service(name, { runningCount: name === 'db' ? 2 : 1 }));
  const decide = (since: number, on: readonly string[] = ['api', 'web'], rest: Partial<Sketch> = {}) => {
    const crashes = [crashOn('i-9', { since, reason: GONE })];
    const scene = { services, crashes, servicesOn: { 'i-1': on } };
    return decided(observe([detached('i-1', { ecs: 'DRAINING', turn: 60, ...rest }), fresh('i-9')], scene));
  };

  test('is given up at once, and only that service counts as taken down', () => {
    expect(decide(30)).toMatchObject({
      reason: { code: 'drain-given-up', faults: [{ kind: 'tasks-crash', group: 'service:api' }] },
      actions: [{ mark: { drainGivenUpAt: NOW, shortServices: ['api'] } }, { kind: 'activate' }],
    });
  });

  test('continues if it crashed before the drain began, or had no task there, or nobody knows when it began', () => {
    expect(decide(60).kind).toBe('act');
    expect(decide(61).kind).toBe('wait');
    expect(decide(30, ['web']).kind).toBe('wait');
    expect(decide(30, ['api'], { turn: undefined })).toMatchObject({ reason: { code: 'turns-taken' } });
  });
});

test('a drain of which only some tasks stop is given up for the others', () => {
  const observation = observe([stuck('i-1', { tasks: ['service:api', 'service:web'] }), fresh('i-9')]);
  const code = (stopping: readonly boolean[]) => {
    const { tasks = [] } = observation.details ?? {};
    const told = tasks.map((task, index) => ({ ...task, stopping: stopping[index] ?? false }));
    return decided({ ...observation, details: { ...observation.details, tasks: told } }).reason.code;
  };
  expect(code([true, false])).toBe('drain-given-up');
  expect(code([true, true])).toBe('draining');
});

test('a drain that times out names each service that runs short by now', () => {
  const services = ['api', 'web', 'db'].map((name) => service(name, { runningCount: name === 'db' ? 2 : 1 }));
  expect(decided(observe([stuck('i-1'), fresh('i-9')], { services }))).toMatchObject({
    reason: { code: 'drain-given-up' },
    actions: [{ mark: { drainGivenUpAt: NOW, shortServices: ['api', 'web'] } }, {}],
  });
});

test('a drain that took no service down is given up without naming any', () => {
  expect(decided(observe([stuck('i-1'), fresh('i-9')]))).toMatchObject({
    actions: [{ mark: expect.not.objectContaining({ shortServices: expect.anything() }) }, {}],
  });
});

describe('an instance whose drain was given up', () => {
  test('lets the others continue', () => {
    const next = detached('i-2', { turn: 20, marked: 2500 });
    const all = [given('i-1', 60), next, fresh('i-8'), fresh('i-9')];
    expect(tell(all, steady)).toEqual(['drain i-2']);
    const drained = { ...next, ecs: 'DRAINING' };
    expect(tell([given('i-1', 60), drained, fresh('i-8'), fresh('i-9')], steady)).toEqual([
      'deregister i-2',
      'terminate i-2',
    ]);
  });

  test('counts as part of the surge, so the next batch is smaller', () => {
    const members = [old('i-2'), old('i-3'), old('i-4'), fresh('i-9')];
    const percent = { maxSurge: { kind: 'percent', percent: 50 } } as const;
    expect(tell([given('i-1', 60), ...members], {}, percent)).toEqual([
      'tag i-2 to be replaced',
      'detach i-2 from group web-ecs, which launches as many',
    ]);
  });

  test('holds up the next batch if it takes all of the surge, and then blocks the roll with the reason', () => {
    const one = { maxSurge: { kind: 'count', count: 1 } } as const;
    expect(tell([given('i-1', 60), old('i-2'), fresh('i-9')], {}, one)).toEqual([
      'blocked: i-1 has lost no task for 1800 s, is ACTIVE again and keeps running: 1 task of service api left ' +
        'on i-1 (i-1-0); this is tried again after as long, and ON_DRAIN_TIMEOUT=force would stop what is left',
    ]);
  });

  test('blocks the roll once nothing else is left, naming service and task', () => {
    const [reason] = tell([given('i-1', 60, { tasks: ['family:batch'] }), fresh('i-9')]);
    expect(reason).toMatch(/^blocked: i-1 has lost no task .* 1 task of family:batch left on i-1 \(i-1-0\)/);
  });

  test('names the deployment that failed, which keeps ECS from starting its tasks elsewhere', () => {
    const counts = { runningCount: 0, failedTasks: 3, bakeSeconds: 0 };
    const failed = { id: 'ecs-svc/1', succeeded: false, begunAt: ago(3600), ...counts };
    const services = [service('api', { deployment: failed })];
    expect(tell([given('i-1', 60), fresh('i-9')], { services })[0]).toContain(
      '1 task of service api left on i-1 (i-1-0); the latest deployment of service api has failed: deploy it again; ' +
        'this is tried again',
    );
  });

  test('gets another turn after being left alone for as long as its drain took', () => {
    expect(tell([given('i-1', LIMIT), fresh('i-9')])[0]).toMatch(/^blocked/);
    expect(tell([given('i-1', LIMIT + 1), fresh('i-9')], steady)).toEqual(['tag i-1 as the next to drain']);
  });

  test('waits for that turn while services are steady, and keeps running its tasks', () => {
    const again = given('i-1', LIMIT + 1);
    expect(tell([{ ...again, turn: 40, givenUp: undefined }, fresh('i-9')], steady)).toEqual(['drain i-1']);
  });

  test('stays a member if members drain in place, and the next is still chosen', () => {
    const addedSizes = old('i-1', { marked: 2500, turn: 1900, givenUp: 60, tasks: ['family:batch'] });
    const inPlace = { maxSurge: { kind: 'count', count: 0 } } as const;
    expect(tell([addedSizes, old('i-2')], {}, inPlace)).toEqual(['tag i-2 to be replaced']);
    expect(tell([addedSizes, fresh('i-2')], {}, inPlace)[0]).toMatch(/^blocked: i-1 has lost no task/);
  });

  test('is terminated once it is empty and its next turn has come', () => {
    expect(
      tell([detached('i-1', { marked: 4000, turn: 30, ecs: 'DRAINING' }), fresh('i-9')], steady),
    ).toEqual(['deregister i-1', 'terminate i-1']);
  });
});

describe('when drains are forced', () => {
  const force = { onDrainTimeout: 'force' } as const;

  test('every kind of task that is left is stopped', () => {
    const all = [stuck('i-1', { tasks: ['service:api', 'family:batch'] }), fresh('i-9')];
    expect(tell(all, {}, force)).toEqual(['stop i-1-0, i-1-1']);
  });

  test('nothing is stopped while a task is watched for whose illness the image may be to blame', () => {
    expect(tell([stuck('i-1'), fresh('i-9')], illFor(599), force)).toEqual([
      expect.stringMatching(/^wait: /),
    ]);
    expect(tell([stuck('i-1'), fresh('i-9')], {}, force)).toEqual(['stop i-1-0']);
  });

  test('nothing is stopped before the time limit', () => {
    expect(tell([stuck('i-1', { turn: LIMIT }), fresh('i-9')], {}, force)[0]).toMatch(/^wait/);
    expect(tell([stuck('i-1', { left: LIMIT }), fresh('i-9')], {}, force)[0]).toMatch(/^wait/);
  });

  test('a protected task is never stopped', () => {
    expect(tell([stuck('i-1', { protectedFor: 1 }), fresh('i-9')], {}, force)[0]).not.toMatch(/^stop/);
  });

  test('a task that is already stopping is not stopped again', () => {
    expect(tell([stuck('i-1', { stopping: true }), fresh('i-9')], {}, force)[0]).not.toMatch(/^stop/);
  });

  test('a daemon task is not stopped, as nothing waits for it', () => {
    const services = [service('api'), service('logs', { daemon: true })];
    const all = [stuck('i-1', { tasks: ['service:logs'] }), fresh('i-9')];
    expect(tell(all, { services }, force)).toEqual(['terminate i-1']);
  });

  test('an empty instance ends even if the services are not steady', () => {
    const services = [service('api', { runningCount: 1 })];
    expect(tell([stuck('i-1', { tasks: [] }), fresh('i-9')], { services }, force)).toEqual([
      'deregister i-1',
      'terminate i-1',
    ]);
  });
});

describe('a standalone task', () => {
  const draining = (rest: Partial<Sketch> = {}) =>
    detached('i-1', { turn: 20, ecs: 'DRAINING', tasks: ['family:batch', 'service:api'], ...rest });

  test('is waited for', () => {
    expect(tell([draining(), fresh('i-9')])[0]).toMatch(/^wait: i-1 drains: .* family:batch/);
  });

  test('is stopped at once if the setting says so, and nothing else is', () => {
    const stop = { standaloneTasks: 'stop' } as const;
    expect(tell([draining(), fresh('i-9')], {}, stop)).toEqual(['stop i-1-0']);
    expect(tell([draining({ stopping: true }), fresh('i-9')], {}, stop)[0]).toMatch(/^wait/);
  });

  test('is not stopped before its instance drains', () => {
    const stop = { standaloneTasks: 'stop' } as const;
    const next = draining({ ecs: 'ACTIVE' });
    expect(tell([next, fresh('i-9')], { settled: 10 }, stop)[0]).toMatch(/^wait/);
  });
});
