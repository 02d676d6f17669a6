import { describe, expect, test } from 'vitest';
import { candidateOf } from '../../../lambda/core/drain/phase.ts';
import { leftOn, unsettledSince, waitForCapacity, waitForTurns } from '../../../lambda/core/drain/wait.ts';
import type { Course } from '../../../lambda/core/model/roll.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import {
  ago,
  arnOf,
  assessed,
  crashOn,
  detached,
  fresh,
  groupOf,
  launching,
  OLD,
  observe,
  PLACE,
  type Scene,
  type Sketch,
  service,
} from '../builders.ts';

const LIMIT = 1800;

/** What is said of i-1, which drains, and has for longer than it may unless said otherwise. */
const told = (scene: Scene = {}, rest: Partial<Sketch> = {}, settings: Partial<Settings> = {}) => {
  const i1 = detached('i-1', { marked: 2500, turn: LIMIT + 1, ecs: 'DRAINING', ...rest });
  const assessment = assessed(observe([i1, fresh('i-9')], scene), settings);
  const candidates = assessment.classified.leaving.map((each) =>
    candidateOf(each, assessment.observation, assessment.settings),
  );
  return waitForTurns(assessment, candidates, 'others');
};
const withTask = { tasks: ['service:api'] };

describe('a drain is overdue', () => {
  test('once its time is over, and says how long that was', () => {
    expect(told({}, { ...withTask, turn: LIMIT })).toMatchObject({
      kind: 'wait',
      reason: { code: 'draining' },
    });
    expect(told({}, withTask)).toMatchObject({ kind: 'blocked', reason: { afterSeconds: LIMIT } });
  });

  test('no sooner than its time after the roll turned back', () => {
    const back = (seconds: number): Course => ({
      kind: 'rollback',
      since: ago(seconds),
      because: { code: 'recorded', text: 'tasks crash' },
    });
    expect(told({ roll: { course: back(LIMIT) } }, withTask).kind).toBe('wait');
    expect(told({ roll: { course: back(LIMIT + 1) } }, withTask).kind).toBe('blocked');
    expect(told({ roll: { course: back(5000) } }, { ...withTask, turn: LIMIT }).kind).toBe('wait');
  });

  test('later by each task that leaves, but not while the instance is ACTIVE: there, others come', () => {
    const watch = { draining: [], unsettledSince: ago(600) };
    const scene = { services: [service('api', { runningCount: 1 })], watch };
    expect(told({}, { ...withTask, left: 60 }).kind).toBe('wait');
    expect(told(scene, { ecs: 'ACTIVE', left: 60 })).toMatchObject({
      kind: 'blocked',
      reason: { afterSeconds: LIMIT, isNext: true },
    });
  });

  test('never if its turn is not recorded', () => {
    expect(told({}, { ...withTask, turn: undefined }).kind).toBe('wait');
  });
});

describe('while too few members take tasks', () => {
  const lost = { agentConnected: false };
  const capacity = (sketches: readonly Sketch[], scene: Scene = {}) =>
    waitForCapacity(assessed(observe(sketches, scene)), 'others');

  test('it is waited for them, for ten minutes from when that was seen', () => {
    const since = (seconds: number): Scene => ({ watch: { draining: [], shortSince: ago(seconds) } });
    expect(capacity([fresh('i-8'), fresh('i-9')])).toBeUndefined();
    expect(capacity([fresh('i-8', lost), fresh('i-9')])?.kind).toBe('wait');
    const kinds = [600, 601].map(
      (seconds) => capacity([fresh('i-8', lost), fresh('i-9')], since(seconds))?.kind,
    );
    expect(kinds).toEqual(['wait', 'blocked']);
  });

  test('what EC2 does not answer for is waited for if it is among them: it may drain by a turn of its own', () => {
    const reason = (...silent: readonly string[]) => {
      const sketches = [fresh('i-7', lost), fresh('i-8', lost), fresh('i-9')];
      const observation = observe(sketches, { unknown: { zones: ['a'], instanceIds: silent } });
      const groups = observation.groups.map((group) => ({
        ...group,
        instances: group.instances.filter(({ instanceId }) => !silent.includes(instanceId)),
      }));
      return waitForCapacity(assessed({ ...observation, groups }), 'others')?.reason.code;
    };
    expect([reason('i-8'), reason('i-7', 'i-8')]).toEqual(['instances-unknown', 'instances-unknown']);
    expect([reason('i-9'), reason('i-4'), reason()]).toEqual([
      'too-few-serve',
      'too-few-serve',
      'too-few-serve',
    ]);
  });

  test('failed ones get the time to come and to drain in a rollback, from when the last that is idle came', () => {
    const back = (seconds: number, age: number, watch: Scene['watch'] = {}) => {
      const course: Course = { kind: 'rollback', since: ago(seconds), because: { code: 'asked' } };
      const scene: Scene = {
        roll: { startedAt: ago(9000), course },
        launch: launching(PLACE, OLD, OLD),
        watch,
      };
      return capacity([fresh('i-9', { age, ...lost }), fresh('i-8', { age: 10 })], scene)?.kind;
    };
    expect([2700, 2701].map((age) => back(9000, age))).toEqual(['wait', 'blocked']);
    expect([2700, 2701].map((seconds) => back(seconds, 8000))).toEqual(['wait', 'blocked']);
    const short = (seconds: number) => ({ draining: [], shortSince: ago(seconds) });
    expect([back(10, 10, short(601)), back(9000, 8000, short(600))]).toEqual(['blocked', 'wait']);
  });
});

test('an instance that is cut off from a daemon is told of by it, once nothing else is left', () => {
  const services = [service('logs', { daemon: true })];
  const left = (tasks: readonly string[], agentConnected = false) => {
    const { observation, settings, classified } = assessed(
      observe([detached('i-1', { turn: 60, ecs: 'DRAINING', tasks, agentConnected })], { services }),
    );
    return classified.leaving.flatMap((each) =>
      leftOn(candidateOf(each, observation, settings), observation, false),
    );
  };
  expect(left(['service:logs'])).toEqual([
    { kind: 'tasks-cut-off', instanceId: 'i-1', groups: ['service:logs'] },
  ]);
  expect(left(['service:logs', 'service:api'])).toMatchObject([{ kind: 'tasks-left', group: 'service:api' }]);
  expect([left([]), left(['service:logs'], true)]).toEqual([[], []]);
});

describe('of several with a turn', () => {
  const turns = (sketches: readonly Sketch[], scene: Scene = {}) => {
    const assessment = assessed(observe([...sketches, fresh('i-9'), fresh('i-8')], scene));
    const { observation, settings, classified } = assessment;
    return waitForTurns(
      assessment,
      classified.leaving.map((each) => candidateOf(each, observation, settings)),
      'others',
    );
  };
  const draining = (id: string, turn: number) =>
    detached(id, { marked: 2500, turn, ecs: 'DRAINING', ...withTask });
  const next = (id: string, turn: number) => detached(id, { marked: 2500, turn });

  test('one is enough to be overdue, of those that drain if any does', () => {
    expect(turns([draining('i-1', LIMIT + 1), draining('i-2', 10)]).kind).toBe('blocked');
    expect(turns([draining('i-1', 10), next('i-2', LIMIT + 1)]).kind).toBe('wait');
    expect(turns([draining('i-1', LIMIT + 1), next('i-2', 10)]).kind).toBe('blocked');
  });

  test('all that is left must be deployed to have the time of a deployment', () => {
    const services = [service('api', { deploying: true }), service('web')];
    const other = { ...draining('i-2', LIMIT + 1), tasks: ['service:web'] };
    expect(turns([draining('i-1', LIMIT + 1)], { services }).kind).toBe('wait');
    expect(turns([draining('i-1', LIMIT + 1), other], { services }).kind).toBe('blocked');
  });

  test('deployments that follow each other block once they have taken twice the longest', () => {
    const services = [service('api', { deploying: true })];
    const kinds = [14_400, 14_401].map((turn) =>
      turns([{ ...draining('i-1', turn), marked: 20_000 }], { services }),
    );
    expect(kinds.map(({ kind }) => kind)).toEqual(['wait', 'blocked']);
  });
});

describe('services that are not settled', () => {
  const services = [service('api', { runningCount: 1 })];
  const watched = (seconds: number) => ({ draining: [], unsettledSince: ago(seconds) });

  test('block an overdue drain once they have lasted for six polls', () => {
    const pollSeconds = 20;
    expect(told({ services, watch: watched(120) }, {}, { pollSeconds }).kind).toBe('wait');
    expect(told({ services, watch: watched(121) }, {}, { pollSeconds }).kind).toBe('blocked');
    expect(told({ services, watch: watched(121) }, { turn: LIMIT }, { pollSeconds }).kind).toBe('wait');
  });

  test('do not block it while a task is watched for whose illness the image may be to blame', () => {
    const arn = 'arn:task/web/9';
    const sick = { arn, service: 'api', containerInstanceArn: arnOf('i-9'), startedAt: ago(7200) };
    const unhealthy = [{ ...sick, starting: false, ofNoImage: false, says: 'it is unhealthy' }];
    const since = (seconds: number): Scene => {
      const watch = { ...watched(700), illSince: new Map([[arn, ago(seconds)]]) };
      return { services, unhealthy, watch };
    };
    expect(told(since(599)).kind).toBe('wait');
    expect(told(since(600)).kind).toBe('blocked');
  });

  test('also block it if they are settled now and then', () => {
    const by = [{ kind: 'service-pending', service: 'api', pending: 1 }] as const;
    const since = (seconds: number): Scene => ({
      services,
      watch: { ...watched(1), unsteady: { since: ago(seconds), by } },
    });
    expect(told(since(600), {}, { stableSeconds: 300 }).kind).toBe('wait');
    expect(told(since(601), {}, { stableSeconds: 300 }).kind).toBe('blocked');
    expect(told(since(120), {}, { stableSeconds: 0, pollSeconds: 20 }).kind).toBe('wait');
    expect(told(since(121), {}, { stableSeconds: 0, pollSeconds: 20 }).kind).toBe('blocked');
  });

  test('are waited for, however long, while their owner deploys', () => {
    const deploying = [service('api', { runningCount: 1, deploying: true })];
    expect(told({ services: deploying, watch: watched(5000) }).kind).toBe('wait');
    const both = [...deploying, service('web', { runningCount: 1 })];
    expect(told({ services: both, watch: watched(5000) }).kind).toBe('blocked');
  });

  test("are those of the owner's deployment until that is over", () => {
    const at = (watch: Scene['watch']) => unsettledSince(groupOf(observe([], { watch })));
    expect(at({ draining: [] })).toBeUndefined();
    expect(at(watched(300))).toEqual(ago(300));
    expect(at({ ...watched(300), unsteady: { since: ago(60), by: [] } })).toEqual(ago(60));
    expect(at({ ...watched(300), unsteady: { since: ago(900), by: [] } })).toEqual(ago(300));
  });
});

describe('tasks that crashed recently are given as the reason', () => {
  const GONE = 'CannotPullContainerError: pull image manifest has been retried 1 time(s): manifest unknown';
  const reasons = (scene: Scene) => {
    const { reason } = told(scene, withTask);
    if (reason.code !== 'draining') throw new Error(`it is ${reason.code}`);
    return reason.faults.flatMap((fault) => (fault.kind === 'tasks-crash' ? fault.says : []));
  };
  const crash = (on: string, since: number, reason = 'exited') => crashOn(on, { since, reason });

  test('while that is no longer ago than a replacement may take', () => {
    expect(reasons({ crashes: [crash('i-9', 900)] })).toEqual(['exited']);
    expect(reasons({ crashes: [crash('i-9', 901)] })).toEqual([]);
  });

  test('the last on a replacement first, then the last that no image is to blame for, then any', () => {
    const onOld = [crash('i-1', 50, 'older'), crash('i-1', 40, 'newer')];
    const ofOthers = [crash('i-1', 70, `${GONE} 1`), crash('i-1', 60, `${GONE} 2`)];
    const onNew = [crash('i-9', 90, 'first'), crash('i-9', 80, 'last')].map((each) => ({
      ...each,
      group: 'service:web',
    }));
    const services = [service('api'), service('web')];
    expect(reasons({ crashes: [...onNew, ...ofOthers, ...onOld], services })).toEqual(['last']);
    expect(reasons({ crashes: [...ofOthers, ...onOld] })).toEqual([`${GONE} 2`]);
    expect(reasons({ crashes: onOld })).toEqual(['newer']);
  });
});

test('deployments that failed are only reported once a drain is overdue', () => {
  const deployment = {
    id: 'ecs-svc/1',
    succeeded: false,
    begunAt: ago(60),
    bakeSeconds: 0,
    runningCount: 0,
    failedTasks: 0,
  };
  const services = [service('api', { deployment })];
  const failed = [{ kind: 'deployment-failed', service: 'api' }];
  expect(told({ services }, withTask).reason).toMatchObject({ failedDeployments: failed });
  expect(told({ services }, { ...withTask, turn: LIMIT }).reason).toMatchObject({ failedDeployments: [] });
});
