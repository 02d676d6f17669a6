import {
  type CapacityProviderStrategyItem,
  type DeploymentConfiguration,
  type DeploymentControllerType,
  type DeploymentLifecycleHook,
  DescribeServicesCommand,
  ECSClient,
  ListServicesCommand,
  type Service,
  type TaskSet,
} from '@aws-sdk/client-ecs';
import { describe, expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { describeServices, listServices } from '../../lambda/aws/services.ts';
import { mocked } from './mocked.ts';

const ecs = mocked(ECSClient);
const aws = createAws({ region: 'eu-west-1' });

const arns = (count: number) => Array.from({ length: count }, (_, index) => `arn:${index}`);

/** What is made of a service that AWS describes so. */
async function seen(parts: Service) {
  ecs
    .on(ListServicesCommand)
    .resolves({ serviceArns: arns(1) })
    .on(DescribeServicesCommand)
    .resolves({ services: [{ serviceName: 'api', status: 'ACTIVE', ...parts }] });
  const [service] = await describeServices(aws, 'web', await listServices(aws, 'web'));
  return service;
}

describe('services', () => {
  test('are described ten at a time, without the deleted ones', async () => {
    ecs
      .on(ListServicesCommand)
      .resolves({ serviceArns: arns(11) })
      .on(DescribeServicesCommand)
      .resolvesOnce({
        services: [
          { serviceName: 'gone', status: 'INACTIVE' },
          { serviceName: 'going', status: 'DRAINING' },
          {
            serviceName: 'api',
            status: 'ACTIVE',
            schedulingStrategy: 'REPLICA',
            desiredCount: 2,
            runningCount: 1,
            pendingCount: 1,
            deployments: [
              { id: 'ecs-svc/1', status: 'PRIMARY', rolloutState: 'COMPLETED', createdAt: new Date(1000) },
            ],
          },
        ],
      })
      .resolves({ services: [{ serviceName: 'logs', status: 'ACTIVE', schedulingStrategy: 'DAEMON' }] });
    const placement = { expressions: [], distinctInstance: false, capacityProviders: [], capabilities: [] };
    expect(await describeServices(aws, 'web', await listServices(aws, 'web'))).toEqual([
      {
        name: 'api',
        daemon: false,
        desiredCount: 2,
        runningCount: 1,
        pendingCount: 1,
        deploying: false,
        completedDeployments: [{ id: 'ecs-svc/1', createdAt: new Date(1000) }],
        minimumHealthyPercent: 100,
        maximumPercent: 200,
        placement,
      },
      {
        name: 'logs',
        daemon: true,
        desiredCount: 0,
        runningCount: 0,
        pendingCount: 0,
        deploying: false,
        minimumHealthyPercent: 0,
        maximumPercent: 100,
        placement,
      },
    ]);
  });

  test.each([
    [[{ status: 'PRIMARY' }], false],
    [[{ status: 'PRIMARY', rolloutState: 'FAILED' as const }], false],
    [[{ status: 'PRIMARY', rolloutState: 'FAILED' as const }, { status: 'ACTIVE' }], false],
    [[{ status: 'PRIMARY', rolloutState: 'IN_PROGRESS' as const }], true],
    [[{ status: 'PRIMARY' }, { status: 'ACTIVE' }], true],
    [[{ status: 'PRIMARY' }, { status: 'INACTIVE' }], false],
    // By early success: what is left of the last one may take two weeks.
    [[{ status: 'PRIMARY', rolloutState: 'COMPLETED' as const }, { status: 'ACTIVE' }], false],
    [[], false],
  ])('with the deployments %j are deploying: %s', async (deployments, deploying) => {
    expect(await seen({ deployments })).toMatchObject({ deploying });
  });

  test.each([
    ['one completed', [['PRIMARY', 'COMPLETED']], ['1']],
    ['one that ECS tells no rollout state of', [['PRIMARY', undefined]], ['1']],
    [
      'another beside the one before',
      [
        ['PRIMARY', 'IN_PROGRESS'],
        ['ACTIVE', 'COMPLETED'],
      ],
      ['2'],
    ],
    [
      'another beside one without a rollout state',
      [
        ['PRIMARY', undefined],
        ['ACTIVE', undefined],
      ],
      ['2'],
    ],
    [
      'a failed one beside the one before',
      [
        ['PRIMARY', 'FAILED'],
        ['ACTIVE', 'COMPLETED'],
      ],
      ['2'],
    ],
    [
      'the one before again, and tasks of the failed one',
      [
        ['PRIMARY', 'COMPLETED'],
        ['ACTIVE', 'FAILED'],
      ],
      ['1'],
    ],
    [
      'another instead of one that never completed',
      [
        ['PRIMARY', 'IN_PROGRESS'],
        ['ACTIVE', 'IN_PROGRESS'],
      ],
      [],
    ],
    ['none', [], undefined],
  ] as const)('with deployments, %s: have completed', async (_, states, completed) => {
    const deployments = states.map(([status, rolloutState], index) => ({
      id: `${index + 1}`,
      status,
      ...(rolloutState && { rolloutState }),
      createdAt: new Date(1000 * (10 - index)),
    }));
    const ids = (await seen({ deployments }))?.completedDeployments?.map(({ id }) => id);
    expect(ids).toEqual(completed);
  });

  test('deployed by something other than ECS have completed deployments that nobody tells', async () => {
    const deploymentController = { type: 'EXTERNAL' as const };
    const deployments = [{ id: '1', status: 'PRIMARY', createdAt: new Date(1000) }];
    expect(await seen({ deploymentController, deployments })).not.toHaveProperty('completedDeployments');
  });

  const CONTROLLERS = ['CODE_DEPLOY', 'EXTERNAL'] as const;

  test.each(CONTROLLERS)('deployed by %s are deploying while they have a second task set', async (type) => {
    const deploymentController = { type };
    const primary = { status: 'PRIMARY', stabilityStatus: 'STABILIZING' as const };
    const deploying = { deploymentController, taskSets: [primary, { status: 'ACTIVE' }] };
    expect(await seen(deploying)).toMatchObject({ deploying: true });
    // As long as a task of it runs on an instance that drains a task set is STABILIZING.
    expect(await seen({ deploymentController, taskSets: [primary] })).toMatchObject({ deploying: false });
    expect(await seen({ deploymentController })).toMatchObject({ deploying: false });
  });

  test('in task sets want as many tasks as these keep running', async () => {
    const set = (status: string, computedDesiredCount?: number) => ({ status, computedDesiredCount });
    const wanted = async (type: DeploymentControllerType, ...taskSets: TaskSet[]) =>
      (await seen({ desiredCount: 4, deploymentController: { type }, taskSets }))?.desiredCount;
    expect(await wanted('EXTERNAL', set('PRIMARY', 2))).toBe(2);
    expect(await wanted('EXTERNAL', set('PRIMARY', 4), set('ACTIVE', 1), set('DRAINING', 4))).toBe(5);
    expect(await wanted('CODE_DEPLOY', set('PRIMARY'))).toBe(4);
    expect(await wanted('EXTERNAL')).toBe(0);
    expect(await wanted('ECS')).toBe(4);
  });

  // "DescribeService API responses will still return `deployments` instead of `taskSets`."
  test('that ECS deployed before another controller did are in no task set, and want all tasks', async () => {
    const deployments = [{ id: 'ecs-svc/1', status: 'PRIMARY', rolloutState: 'COMPLETED' as const }];
    const deploymentController = { type: 'EXTERNAL' as const };
    const parts = { desiredCount: 4, deploymentController, deployments };
    expect(await seen(parts)).toMatchObject({ desiredCount: 4, deploying: false });
  });

  test.each<[DeploymentConfiguration, number]>([
    [{ strategy: 'ROLLING' }, 0],
    [{ bakeTimeInMinutes: 20 }, 20],
    [{ strategy: 'ROLLING', bakeTimeInMinutes: 20 }, 20],
    [{ strategy: 'BLUE_GREEN', bakeTimeInMinutes: 20 }, 20],
    [{ strategy: 'LINEAR', bakeTimeInMinutes: 20 }, 74],
    [{ strategy: 'LINEAR', linearConfiguration: { stepPercent: 40, stepBakeTimeInMinutes: 5 } }, 10],
    [{ strategy: 'CANARY', bakeTimeInMinutes: 20 }, 30],
  ])('that are deployed by %o bake for %i minutes in all', async (deploymentConfiguration, minutes) => {
    const primary = { id: 'ecs-svc/1', createdAt: new Date(), status: 'PRIMARY' };
    const deployments = [{ ...primary, rolloutState: 'IN_PROGRESS' as const }];
    const service = await seen({ deploymentConfiguration, deployments });
    expect(service?.deployment?.bakeSeconds).toBe(60 * minutes);
  });

  test('that are rolled back begin with that, and have succeeded once', async () => {
    const earlier = { id: 'ecs-svc/1', createdAt: new Date(1), updatedAt: new Date(9), status: 'PRIMARY' };
    const failed = { id: 'ecs-svc/2', createdAt: new Date(5), status: 'ACTIVE' };
    const rolloutStateReason = 'ECS deployment circuit breaker: rolling back to deploymentId ecs-svc/1.';
    const inProgress = { ...earlier, rolloutState: 'IN_PROGRESS' as const };
    for (const deployments of [
      [inProgress, failed],
      [earlier, failed],
      [{ ...inProgress, rolloutStateReason }],
    ])
      expect(await seen({ deployments })).toMatchObject({
        deployment: { id: 'ecs-svc/1', begunAt: new Date(9), succeeded: true },
      });
    const older = { ...failed, createdAt: new Date(0) };
    expect(await seen({ deployments: [inProgress, older] })).toMatchObject({
      deployment: { begunAt: new Date(1), succeeded: false },
    });
  });

  test('that shift traffic say where hooks pause them', async () => {
    const primary = { id: 'ecs-svc/1', createdAt: new Date(), status: 'PRIMARY' };
    const shiftOf = async (deploymentConfiguration: DeploymentConfiguration, runningCount = 1) => {
      const deployments = [primary, { status: 'ACTIVE', runningCount }];
      return (await seen({ deploymentConfiguration, deployments }))?.deployment?.shift;
    };
    expect(await shiftOf({ strategy: 'ROLLING' })).toBeUndefined();
    expect(await shiftOf({})).toBeUndefined();
    expect(await shiftOf({ strategy: 'CANARY' })).toEqual({ pausesAt: [] });
    // None of the earlier tasks is left to be spared.
    expect(await shiftOf({ strategy: 'CANARY' }, 0)).toBeUndefined();
    const lifecycleHooks: DeploymentLifecycleHook[] = [
      { targetType: 'PAUSE', lifecycleStages: ['POST_SCALE_UP'] },
      { hookTargetArn: 'arn:aws:lambda', lifecycleStages: ['PRE_SCALE_UP'] },
    ];
    expect(await shiftOf({ strategy: 'BLUE_GREEN', lifecycleHooks })).toEqual({
      pausesAt: ['POST_SCALE_UP'],
    });
  });

  test.each([
    ['CODE_DEPLOY', 1, { pausesAt: [], mostSeconds: 152 * 3600 }],
    ['CODE_DEPLOY', 0, undefined],
    ['EXTERNAL', 1, undefined],
  ] as const)(
    'of %s with %i earlier tasks: how long they shift traffic at most',
    async (type, left, shift) => {
      const taskSets = [
        { id: 'ecs-svc/1', status: 'PRIMARY', createdAt: new Date(1), runningCount: left },
        { id: 'ecs-svc/2', status: 'ACTIVE', createdAt: new Date(2), runningCount: 1 },
      ];
      const service = await seen({ deploymentController: { type }, taskSets });
      expect(service?.deployment?.id).toBe('ecs-svc/2');
      expect(service?.deployment?.shift).toEqual(shift);
    },
  );

  const written = { deploymentConfiguration: { minimumHealthyPercent: 50, maximumPercent: 100 } };

  test('deployed by ECS keep to their own percentages when an instance drains', async () => {
    const expected = { minimumHealthyPercent: 50, maximumPercent: 100 };
    expect(await seen(written)).toMatchObject(expected);
    expect(await seen({ ...written, deploymentController: { type: 'ECS' } })).toMatchObject(expected);
  });

  test.each(CONTROLLERS)('deployed by %s keep to the defaults, whatever is configured', async (type) => {
    const expected = { minimumHealthyPercent: 100, maximumPercent: 200 };
    expect(await seen({ ...written, deploymentController: { type } })).toMatchObject(expected);
  });

  test('that are daemons keep no task on a draining instance, whatever is configured', async () => {
    const expected = { minimumHealthyPercent: 0, maximumPercent: 100 };
    expect(await seen({ ...written, schedulingStrategy: 'DAEMON' })).toMatchObject(expected);
  });
});

test('capacity providers of weight and base 0 place nothing', async () => {
  const of = (...capacityProviderStrategy: CapacityProviderStrategyItem[]) =>
    seen({ launchType: undefined, capacityProviderStrategy });
  const idle = { capacityProvider: 'idle', weight: 0, base: 0 };
  expect((await of({ capacityProvider: 'blue', weight: 1 }, idle))?.placement?.capacityProviders).toEqual([
    'blue',
  ]);
  expect((await of({ ...idle, base: 2 }))?.placement?.capacityProviders).toEqual(['idle']);
});

test('tasks that were placed before the strategy moved to Fargate still run on EC2', async () => {
  const moved = [{ capacityProvider: 'FARGATE', weight: 1 }, { capacityProvider: 'blue' }];
  const service = await seen({ launchType: undefined, capacityProviderStrategy: moved });
  expect(service).toMatchObject({ name: 'api' });
  // The next ones need no place.
  expect(service?.placement).toBeUndefined();
  expect(await seen({ launchType: undefined, capacityProviderStrategy: moved.slice(0, 1) })).toBeUndefined();
});

describe('a service that moved to a strategy and shows the launch type that it was created with', () => {
  const blue = { capacityProviderStrategy: [{ capacityProvider: 'blue' }] };

  test.each([
    ['both', { launchType: 'FARGATE' as const, ...blue }],
    ['its strategy of its deployment alone', { launchType: 'FARGATE' as const, deployments: [blue] }],
    ['the same, created on EC2', { launchType: 'EC2' as const, deployments: [blue] }],
  ])('runs by its strategy: %s', async (_, { deployments, ...parts }: Service) => {
    const shown = deployments?.map((each) => ({ status: 'PRIMARY', ...each }));
    expect((await seen({ ...parts, deployments: shown }))?.placement?.capacityProviders).toEqual(['blue']);
  });

  test('runs elsewhere by that of Fargate, be it that it was created on EC2', async () => {
    const capacityProviderStrategy = [{ capacityProvider: 'FARGATE' }];
    expect(await seen({ launchType: 'EC2', capacityProviderStrategy })).toBeUndefined();
  });

  // A launch type that it has gone back to shows no new deployment.
  test('runs on any instance by launch type EC2, be it that its deployment says Fargate', async () => {
    const capacityProviderStrategy = [{ capacityProvider: 'FARGATE' }];
    const deployments = [{ status: 'PRIMARY', capacityProviderStrategy }];
    const service = await seen({ launchType: 'EC2', deployments });
    expect(service?.placement?.capacityProviders).toEqual([]);
  });
});

describe('where the tasks of a service run', () => {
  test('its constraints and its strategy say, along with its launch type', async () => {
    const service = await seen({
      launchType: undefined,
      taskDefinition: 'arn:api:7',
      capacityProviderStrategy: [{ capacityProvider: 'blue' }],
      placementConstraints: [
        { type: 'memberOf', expression: 'attribute:a == b' },
        { type: 'distinctInstance' },
      ],
    });
    expect(service?.placement).toEqual({
      taskDefinition: 'arn:api:7',
      expressions: ['attribute:a == b'],
      distinctInstance: true,
      capacityProviders: ['blue'],
      capabilities: [],
    });
  });

  test.each([
    [{ deployments: [{ serviceConnectConfiguration: { enabled: true } }] }, ['service-connect-v1']],
    [{ deployments: [{ serviceConnectConfiguration: { enabled: false } }] }, []],
    [{ enableExecuteCommand: true }, ['execute-command']],
    [{ enableExecuteCommand: false }, []],
    [{ deployments: [{ volumeConfigurations: [{ name: 'data' }] }] }, ['storage.ebs-task-volume-attach']],
    [{ deployments: [{ volumeConfigurations: [] }] }, []],
  ])('with %j they need of an agent: %j', async (service, names) => {
    expect((await seen(service))?.placement?.capabilities).toEqual(
      names.map((name) => `ecs.capability.${name}`),
    );
  });

  test('its PRIMARY task set says, if it has one', async () => {
    const taskSets = [
      { status: 'ACTIVE', taskDefinition: 'arn:api:8' },
      { status: 'PRIMARY', taskDefinition: 'arn:api:7', launchType: 'EC2' as const },
    ];
    const service = await seen({ deploymentController: { type: 'EXTERNAL' }, taskSets });
    expect(service?.placement?.taskDefinition).toBe('arn:api:7');
  });

  test.each(['FARGATE', 'EXTERNAL', 'MANAGED_INSTANCES'] as const)('%s is elsewhere', async (launchType) => {
    expect((await seen({ launchType }))?.placement).toBeUndefined();
  });
});

test("a service's load balancers are told, with the target group of its other colour, and its grace period", async () => {
  const both = {
    targetGroupArn: 'arn:blue',
    advancedConfiguration: { alternateTargetGroupArn: 'arn:green' },
  };
  const found = await seen({
    loadBalancers: [both, { loadBalancerName: 'classic' }],
    taskSets: [{ loadBalancers: [{ targetGroupArn: 'arn:blue' }] }],
    healthCheckGracePeriodSeconds: 60,
  });
  expect(found).toMatchObject({
    sources: [
      { kind: 'target-group', arn: 'arn:blue' },
      { kind: 'target-group', arn: 'arn:green' },
      { kind: 'load-balancer', name: 'classic' },
    ],
    graceSeconds: 60,
  });
  expect(await seen({ loadBalancers: [] })).not.toHaveProperty('sources');
});

describe('what ECS can register nowhere', () => {
  const failed = '(service api) failed to register targets in (target-group one) with (error TooManyTargets)';
  const missing =
    'service api task set 1 (task 2) is not healthy in target-group (one) due to `TARGET IS NOT FOUND`.';
  const known = '(service api) registered 2 targets in (target-group one)';

  test.each([
    [failed, [failed, known]],
    [failed, ['(service api) registered 1 targets in (target-group two)', failed]],
    [failed, ['(service api) deregistered 1 targets in (target-group one)', failed]],
    [missing, ['(service api) has started 1 tasks: (task 3).', missing]],
    [undefined, [known, failed]],
    [undefined, [known.replace('one', 'arn:aws:elasticloadbalancing:eu-west-1:1:targetgroup/one/2'), failed]],
    [
      undefined,
      ['(service api) (port 80) is unhealthy in (target-group one) due to (reason Timeout)', failed],
    ],
    [undefined, undefined],
  ])('is told, unless it was registered since: %s', async (unregistered, messages) => {
    const service = await seen({ events: messages?.map((message) => ({ message })) });
    expect(service?.unregistered).toEqual(unregistered && [unregistered]);
  });

  // "If the cause is not resolved within six hours, you receive another".
  test.each([
    [failed, 6],
    [undefined, 8],
  ])('is told, unless the event would have come again: %s after %i h', async (unregistered, hours) => {
    const now = Date.parse('2026-11-21T00:00:00Z');
    const message = '(service api) has reached a steady state.';
    const events = [
      { message, createdAt: new Date(now) },
      { message: failed, createdAt: new Date(now - hours * 3_600_000) },
    ];
    expect((await seen({ events }))?.unregistered).toEqual(unregistered && [unregistered]);
  });
});

test('its VPC Lattice target groups are told, of each deployment once', async () => {
  const lattice = (targetGroupArn: string) => ({ targetGroupArn, portName: 'http', roleArn: 'arn:role' });
  const deployments = [
    { status: 'PRIMARY', vpcLatticeConfigurations: [lattice('arn:b'), lattice('arn:a')] },
    { status: 'ACTIVE', vpcLatticeConfigurations: [lattice('arn:a')] },
  ];
  expect(await seen({ deployments })).toMatchObject({ unreadSources: ['arn:b', 'arn:a'] });
  expect(await seen({ deployments: [{ status: 'PRIMARY' }] })).not.toHaveProperty('unreadSources');
});
