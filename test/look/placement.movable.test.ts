import {
  DescribeTaskDefinitionCommand,
  DescribeTasksCommand,
  ECSClient,
  ListTasksCommand,
} from '@aws-sdk/client-ecs';
import { beforeEach, describe, expect, test } from 'vitest';
import { assessCluster } from '../../lambda/core/group/assess.ts';
import type { Settings } from '../../lambda/core/model/settings.ts';
import { newMemory } from '../../lambda/look/memory.ts';
import { withMovable } from '../../lambda/look/placement.ts';
import { mocked } from '../aws/mocked.ts';
import { refusal } from '../aws/refusal.ts';
import { sealedAws } from '../aws/sealed-aws.ts';
import { arnOf, detached, fresh, NOW, observe, SETTINGS, type Sketch, service } from '../core/builders.ts';

const ecs = mocked(ECSClient);
const DEFINITION = 'arn:task-definition/api:3';
const NEEDS = { cpu: 256, memory: 512, gpus: 0 };
const placement = (taskDefinition: string, distinctInstance = false) => ({
  taskDefinition,
  expressions: [],
  distinctInstance,
  capacityProviders: [],
});
const SERVICES = [
  service('api', { runningCount: 2, placement: placement(DEFINITION) }),
  service('logs', { daemon: true, placement: placement('arn:task-definition/logs:1') }),
];

/** Looks so many seconds after the first look. */
function looking(sketches: readonly Sketch[], settings: Partial<Settings> = {}, services = SERVICES) {
  const memory = newMemory(sealedAws(), NOW);
  const observation = observe([...sketches, fresh('i-9')], { services });
  return async (seconds = 0) => {
    const now = new Date(NOW.getTime() + seconds * 1000);
    const assessed = assessCluster(
      { ...observation, now, details: { ...observation.details, movable: undefined } },
      {
        ...SETTINGS,
        drainConcurrency: 'auto',
        ...settings,
      },
    );
    const before = ecs.calls().length;
    const { observation: seen } = await withMovable(sealedAws(), assessed, memory);
    return { movable: seen.details?.movable, calls: ecs.calls().length - before };
  };
}

const two = [detached('i-1'), detached('i-2')];

/** Each task by its ARN, with its group and the instance it runs on. */
const running = (tasks: Readonly<Record<string, readonly [group: string, instance: string]>>) => {
  ecs.on(ListTasksCommand).callsFake(({ containerInstance }: { containerInstance?: string }) => ({
    taskArns: Object.keys(tasks).filter(
      (arn) => containerInstance === undefined || arnOf(tasks[arn]?.[1] ?? '') === containerInstance,
    ),
  }));
  ecs.on(DescribeTasksCommand).callsFake(({ tasks: arns }: { tasks: string[] }) => ({
    tasks: arns.map((taskArn) => ({
      taskArn,
      group: tasks[taskArn]?.[0],
      containerInstanceArn: arnOf(tasks[taskArn]?.[1] ?? ''),
    })),
  }));
};

beforeEach(() => {
  running({ 1: ['service:api', 'i-1'], 2: ['service:logs', 'i-1'], 3: ['family:job', 'i-2'] });
  ecs.on(DescribeTaskDefinitionCommand).resolves({ taskDefinition: { cpu: '256', memory: '512' } });
});

describe('what would move off instances that leave', () => {
  test('is their tasks of services other than daemons, with what they need', async () => {
    const { movable } = await looking(two)();
    expect(movable?.get(arnOf('i-1'))).toEqual([{ service: 'api', needs: NEEDS, exclusive: false }]);
    expect(movable?.get(arnOf('i-2'))).toEqual([]);
    expect(movable?.has(arnOf('i-9'))).toBe(false);
  });

  test('is, of one that drains, what has not been told to stop', async () => {
    const drains = (stopping: boolean) =>
      detached('i-3', { ecs: 'DRAINING', turn: 60, tasks: ['service:api'], stopping });
    expect((await looking([...two, drains(false)])()).movable?.get(arnOf('i-3'))).toHaveLength(1);
    expect((await looking([...two, drains(true)])()).movable?.get(arnOf('i-3'))).toEqual([]);
  });

  test('needs nothing that is known where the task definition cannot be read', async () => {
    ecs
      .on(DescribeTaskDefinitionCommand)
      .rejects(await refusal('ecs', 'AccessDeniedException', 'not authorized', 400));
    const { movable } = await looking(two)();
    expect(movable?.get(arnOf('i-1'))).toEqual([{ service: 'api', exclusive: false }]);
  });

  test('is exclusive if each task has to have an instance of its own', async () => {
    const services = [service('api', { placement: placement(DEFINITION, true) })];
    const { movable } = await looking(two, {}, services)();
    expect(movable?.get(arnOf('i-1'))).toMatchObject([{ exclusive: true }]);
  });
});

describe('is listed', () => {
  test('once a minute', async () => {
    const look = looking(two);
    expect((await look()).calls).toBe(3);
    expect((await look(60)).calls).toBe(0);
    expect((await look(61)).calls).toBe(2);
  });

  test('for the cluster at once, or instance by instance if those are fewer than its pages', async () => {
    const filters = async (services: typeof SERVICES) => {
      await looking(two, {}, services)();
      return ecs.commandCalls(ListTasksCommand).map(({ args }) => args[0].input.containerInstance);
    };
    expect(await filters(SERVICES)).toEqual([undefined]);
    ecs.resetHistory();
    expect(await filters([service('api', { runningCount: 201, desiredCount: 201 })])).toEqual([
      arnOf('i-1'),
      arnOf('i-2'),
    ]);
  });

  test.each<[string, readonly Sketch[], Partial<Settings>]>([
    ['unless drains go by number', two, { drainConcurrency: 1 }],
    ['unless only one leaves', [detached('i-1')], {}],
    ['unless replacements are on their way', [...two, fresh('i-8', { member: 'Pending', age: 5 })], {}],
  ])('%s', async (_, sketches, settings) => {
    expect(await looking(sketches, settings)()).toEqual({ movable: undefined, calls: 0 });
  });
});
