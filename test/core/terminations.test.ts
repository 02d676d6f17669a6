import { describe, expect, it } from 'vitest';
import type { ContainerInstance, Task } from '../../lambda/core/model/cluster.ts';
import type { Observation } from '../../lambda/core/model/observation.ts';
import {
  describeStep,
  type EndingInstance,
  type EndingsSeen,
  nextStep,
  terminationEvent,
} from '../../lambda/core/terminations.ts';
import { ago, NOW, service } from './builders.ts';

const TIMEOUT = 1800;

const proxy = service('proxy', { daemon: true, sources: [{ kind: 'target-group', arn: 'arn:tg' }] });

interface Scene {
  readonly statuses?: readonly string[];
  readonly tasks?: readonly Partial<Task>[];
  readonly ending?: Partial<EndingInstance>;
  readonly isPartial?: boolean;
  readonly agentConnected?: boolean;
  /** Tasks that ECS counts and doesn't list. */
  readonly hidden?: number;
}

function scene({
  statuses = ['DRAINING'],
  tasks = [],
  ending = {},
  isPartial = false,
  agentConnected = true,
  hidden = 0,
}: Scene) {
  const containerInstances = statuses.map(
    (status, index): ContainerInstance => ({
      arn: `ci-${index}`,
      instanceId: 'i-1',
      status,
      agentConnected,
      pendingTasksCount: 0,
      runningTasksCount: index === 0 ? tasks.length + hidden : 0,
    }),
  );
  const observation: Observation = {
    now: NOW,
    cluster: 'web',
    containerInstances,
    images: new Map(),
    groups: [],
    details: {
      services: [service('logs', { daemon: true }), proxy, service('api')],
      tasks: tasks.map((task, index) => ({
        arn: `arn:aws:ecs:eu-west-1:111122223333:task/web/${index}`,
        containerInstanceArn: 'ci-0',
        group: 'service:api',
        stopping: false,
        ...task,
      })),
    },
  };
  const seen: EndingsSeen = { now: NOW, clusters: [observation], isPartial };
  const of: EndingInstance = { instanceId: 'i-1', group: 'web-ecs', since: ago(400), gone: false, ...ending };
  const step = nextStep(of, seen, TIMEOUT);
  return { step, seen, of, says: describeStep(of, step, seen, TIMEOUT) };
}

const because = (from: Scene) => {
  const { step } = scene(from);
  return step.kind === 'release' ? step.because : step.kind;
};

describe('an instance that its group ends', () => {
  it('drains in each registration that is ACTIVE, even with nothing on it', () => {
    expect(scene({ statuses: ['ACTIVE', 'DRAINING', 'ACTIVE'] }).step).toMatchObject({
      kind: 'drain',
      containerInstances: [{ arn: 'ci-0' }, { arn: 'ci-2' }],
    });
  });

  it('is kept for what it still has, but for daemons that no load balancer knows', () => {
    expect(because({ tasks: [{}] })).toBe('keep');
    expect(because({ tasks: [{ group: 'service:logs' }] })).toBe('empty');
    expect(because({ tasks: [{ group: 'service:proxy' }] })).toBe('keep');
    expect(because({ tasks: [{ group: 'family:job' }] })).toBe('keep');
  });

  it('is kept, and looked at again soon, while ECS counts more than it lists', () => {
    expect(scene({ tasks: [{ group: 'service:logs' }], hidden: 1 }).step).toMatchObject({
      kind: 'keep',
      isSoon: true,
    });
  });

  it('is let go of where nobody knows it, unless a cluster could not be read', () => {
    expect(because({ statuses: [] })).toBe('unregistered');
    expect(because({ statuses: ['REGISTERING'] })).toBe('unregistered');
    expect(because({ statuses: [], isPartial: true })).toBe('keep');
    expect(because({ isPartial: true })).toBe('keep');
    expect(because({ tasks: [{}], ending: { gone: true } })).toBe('gone');
  });

  it('is let go of once its time is over, counted from when its group began to end it', () => {
    expect(because({ tasks: [{}], ending: { since: ago(TIMEOUT) } })).toBe('keep');
    expect(because({ tasks: [{}], ending: { since: ago(TIMEOUT + 1) } })).toBe('late');
    expect(because({ statuses: ['ACTIVE'], tasks: [{}], ending: { since: ago(TIMEOUT + 1) } })).toBe('late');
    expect(because({ tasks: [{}], ending: { since: undefined } as Partial<EndingInstance> })).toBe('keep');
  });

  it('is spared its drain for half of the time while a task there is protected', () => {
    const tasks = [{ protectedUntil: new Date(NOW.getTime() + 60_000) }];
    const at = (seconds: number) => because({ statuses: ['ACTIVE'], tasks, ending: { since: ago(seconds) } });
    expect(at(TIMEOUT / 2)).toBe('keep');
    expect(at(TIMEOUT / 2 + 1)).toBe('drain');
  });

  it('has ten minutes if its agent is away', () => {
    const at = (seconds: number) =>
      because({ tasks: [{}], agentConnected: false, ending: { awaySince: ago(seconds) } });
    expect(at(600)).toBe('keep');
    expect(at(601)).toBe('away');
  });

  it('is looked at again soon only where something may be due', () => {
    const isSoon = (from: Scene) => {
      const { step } = scene(from);
      return step.kind === 'keep' && step.isSoon;
    };
    const job = { group: 'family:job' };
    expect(isSoon({ tasks: [{}] })).toBe(true);
    expect(isSoon({ tasks: [job] })).toBe(false);
    expect(isSoon({ tasks: [{ ...job, stopping: true }] })).toBe(true);
    expect(isSoon({ tasks: [job], ending: { since: ago(TIMEOUT - 299) } })).toBe(true);
    expect(isSoon({ tasks: [job], ending: { awaySince: ago(1) } })).toBe(true);
    expect(isSoon({ tasks: [{ protectedUntil: new Date(NOW.getTime() + 1) }] })).toBe(false);
    expect(isSoon({ tasks: [job], isPartial: true })).toBe(true);
    expect(isSoon({ tasks: [job, {}] })).toBe(true);
  });

  it('is kept while one of its clusters counts more than it lists', () => {
    const { of, seen } = scene({ hidden: 1 });
    const listed = scene({}).seen;
    const both = { ...seen, clusters: [...seen.clusters, ...listed.clusters] };
    expect(nextStep(of, both, TIMEOUT)).toEqual({ kind: 'keep', left: [], isSoon: true });
  });
});

describe('in words and as an event', () => {
  const told = (from: Scene) => {
    const { of, step, says } = scene(from);
    if (step.kind !== 'release') throw new Error('kept');
    return terminationEvent({ ...of, step, says, at: NOW, cluster: 'web' });
  };

  it('it says what is done, for what it waits, and how long that may take', () => {
    expect(scene({ statuses: ['ACTIVE'] }).says).toBe('drains i-1, which its group ends');
    expect(scene({ tasks: [{}, { group: 'family:job' }] }).says).toBe(
      'keeps i-1, with 1 task of family:job left on i-1 (1); 1 task of service api left on i-1 (0); 24 min are left',
    );
    expect(scene({}).says).toBe('lets go of i-1, as nothing is left on it');
  });

  it('it names the tasks that it took along', () => {
    expect(told({ tasks: [{}], ending: { since: ago(TIMEOUT + 1) } })).toMatchObject({
      kind: 'timed-out',
      seconds: 1801,
      tasks: ['arn:aws:ecs:eu-west-1:111122223333:task/web/0'],
      text: 'web/web-ecs: lets go of i-1, as its time is over, with 1 task of service api left on i-1 (0)',
      chat: { metadata: { eventType: 'Termination timed out' } },
    });
    expect(told({})).toMatchObject({ kind: 'drained', tasks: [] });
    expect(told({ ending: { gone: true } })).toBeUndefined();
  });

  it('it is known by its place, its time and its outcome', () => {
    expect(told({})?.id).toBe('web/web-ecs/i-1/2026-11-21T11:53:20.000Z/drained');
    expect(told({ ending: { since: undefined } as Partial<EndingInstance> })?.id).toBe(
      'web/web-ecs/i-1/unknown/drained',
    );
    expect(told({ tasks: [{}], ending: { since: ago(TIMEOUT + 1) } })?.id).toBe(
      'web/web-ecs/i-1/2026-11-21T11:29:59.000Z/timed-out',
    );
  });

  it('it shows a person how it ended', () => {
    const late = told({ tasks: [{}], ending: { since: ago(TIMEOUT + 1) } });
    expect(told({})?.chat).toMatchObject({
      content: { title: expect.stringContaining(':white_check_mark:') },
      metadata: { eventType: 'Termination drained' },
    });
    expect(late?.chat.content.title).toContain(':warning:');
  });

  it('it names no more than a hundred tasks', () => {
    const tasks = Array.from({ length: 101 }, () => ({}));
    expect(told({ tasks, ending: { since: ago(TIMEOUT + 1) } })?.tasks).toHaveLength(100);
  });

  it('it tells nothing of what no cluster knows', () => {
    expect(told({ statuses: [] })).toBeUndefined();
  });
});
