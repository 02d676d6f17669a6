import {
  type DeploymentConfiguration,
  DescribeServicesCommand,
  ECSClient,
  ListServicesCommand,
  type Service,
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
            deployments: [{ status: 'PRIMARY', rolloutState: 'COMPLETED' }],
          },
        ],
      })
      .resolves({ services: [{ serviceName: 'logs', status: 'ACTIVE', schedulingStrategy: 'DAEMON' }] });
    const placement = { expressions: [], distinctInstance: false, capacityProviders: [] };
    expect(await describeServices(aws, 'web', await listServices(aws, 'web'))).toEqual([
      {
        name: 'api',
        daemon: false,
        desiredCount: 2,
        runningCount: 1,
        pendingCount: 1,
        deploying: false,
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
    [[{ status: 'PRIMARY', rolloutState: 'COMPLETED' as const }, { status: 'ACTIVE' }], true],
    [[], false],
  ])('with the deployments %j are deploying: %s', async (deployments, deploying) => {
    expect(await seen({ deployments })).toMatchObject({ deploying });
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
    });
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
