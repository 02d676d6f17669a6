import {
  DescribeServiceDeploymentsCommand,
  ListServiceDeploymentsCommand,
  type ServiceDeployment as ServiceDeploymentDescription,
  type ServiceRevisionSummary,
} from '@aws-sdk/client-ecs';
import { type Operation, on } from '../../account/operation.ts';
import { assertAtMost, createPager } from '../paging.ts';
import type { State } from '../state.ts';
import { failureThreshold } from './deployment-failures.ts';
import { count, date, isRunning, pendingBy } from './descriptions.ts';
import { findCluster, findService, foundOrMissing, PAGE_CODES } from './lookup.ts';
import type { Deployment, Service, ServiceDeployment } from './model.ts';
import { lifecycleStage } from './traffic-shift.ts';

const MOST_DESCRIBED = 20;

const LISTED = {
  service: 'all',
  cluster: 'all',
  status: 'all',
  createdAt: 'all',
  maxResults: 'all',
  nextToken: 'all',
} as const;

/** https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service-deployment.html */
export function serviceDeploymentOperations(state: State): Operation[] {
  const page = createPager<ServiceDeploymentDescription>('ListServiceDeployments', {
    default: 20,
    max: 100,
    ...PAGE_CODES,
  });
  return [
    on(ListServiceDeploymentsCommand, LISTED, (input) => {
      const service = findService(findCluster(state, input.cluster), input.service ?? '');
      const { after, before } = input.createdAt ?? {};
      const asked = service.serviceDeployments.filter(
        ({ status, createdAtMs }) =>
          (input.status ?? [status]).includes(status) &&
          createdAtMs >= (after?.getTime() ?? createdAtMs) &&
          createdAtMs <= (before?.getTime() ?? createdAtMs),
      );
      const { items, token } = page(
        asked.map((one) => describe(state, service, one)),
        { limit: input.maxResults, token: input.nextToken },
      );
      return { serviceDeployments: items.map(brief), nextToken: token };
    }),

    on(DescribeServiceDeploymentsCommand, { serviceDeploymentArns: 'all' }, (input) => {
      const arns = input.serviceDeploymentArns ?? [];
      // ledger: describe-deployments-most
      assertAtMost(MOST_DESCRIBED, arns, 'InvalidParameterException', 'Service deployments');
      const all = new Map(
        servicesOf(state).flatMap((service) =>
          service.serviceDeployments.map((one) => [arnOf(service, one.id), { service, one }] as const),
        ),
      );
      const { found, failures } = foundOrMissing(
        arns,
        (arn) => all.get(arn),
        (arn) => arn,
      );
      return {
        serviceDeployments: found.map(({ service, one }) => describe(state, service, one)),
        failures,
      };
    }),
  ];
}

const servicesOf = ({ clusters }: State) =>
  [...clusters.values()].flatMap(({ services }) => [...services.values()]);

const arnOf = ({ arn }: Service, id: string) => `${arn.replace(':service/', ':service-deployment/')}/${id}`;

function brief(described: ServiceDeploymentDescription) {
  const { targetServiceRevision, ...rest } = described;
  const { serviceDeploymentArn, serviceArn, clusterArn, startedAt, createdAt, finishedAt } = rest;
  const times = { startedAt, createdAt, finishedAt };
  const { status, statusReason } = rest;
  const targetServiceRevisionArn = targetServiceRevision?.arn;
  return {
    serviceDeploymentArn,
    serviceArn,
    clusterArn,
    ...times,
    targetServiceRevisionArn,
    status,
    statusReason,
  };
}

function describe(state: State, service: Service, one: ServiceDeployment): ServiceDeploymentDescription {
  const { target, rollback, createdAtMs } = one;
  const isUnderWay = one.finishedAtMs === undefined;
  const { deploymentCircuitBreaker: breaker, alarms } = service.deploymentConfiguration;
  const watch = isUnderWay ? 'MONITORING' : 'MONITORING_COMPLETE';
  return {
    serviceDeploymentArn: arnOf(service, one.id),
    serviceArn: service.arn,
    clusterArn: service.cluster.arn,
    createdAt: date(createdAtMs),
    startedAt: date(createdAtMs),
    finishedAt: date(one.finishedAtMs),
    stoppedAt: date(one.stoppedAtMs),
    updatedAt: date(one.finishedAtMs ?? target.updatedAtMs),
    status: one.status,
    statusReason: one.statusReason,
    lifecycleStage: isUnderWay ? lifecycleStage(state, service, target) : undefined,
    lifecycleHookDetails: target.pause && [
      {
        hookId: target.pause.hookId,
        targetType: 'PAUSE',
        status: 'AWAITING_ACTION',
        expiresAt: date(target.pause.expiresAtMs),
        timeoutAction: target.pause.timeoutAction,
      },
    ],
    targetServiceRevision: summary(state, service, target),
    sourceServiceRevisions: target.earlier ? [summary(state, service, target.earlier)] : [],
    ...(rollback && {
      rollback: {
        reason: rollback.reason,
        startedAt: date(rollback.startedAtMs),
        serviceRevisionArn: revisionArn(service, service.deployment),
      },
    }),
    deploymentCircuitBreaker: {
      status: breaker?.enable ? (rollback ? 'TRIGGERED' : watch) : 'DISABLED',
      failureCount: target.failedTasks,
      threshold: failureThreshold(service),
    },
    alarms: {
      status: alarms?.enable ? (target.watchesAlarms ? watch : 'DISABLED') : 'DISABLED',
      alarmNames: alarms?.alarmNames,
    },
  };
}

/** A step's traffic is the new tasks'; the old ones have the rest. */
function summary(state: State, service: Service, one: Deployment): ServiceRevisionSummary {
  const own = [...service.tasks].filter(({ deployment }) => deployment === one);
  const { deployment: latest } = service;
  const share = latest.earlier === one ? 100 - latest.trafficPercent : one.trafficPercent;
  return {
    arn: revisionArn(service, one),
    requestedTaskCount: service.desiredCount,
    runningTaskCount: count(own, isRunning),
    pendingTaskCount: count(own, pendingBy(state.readings)),
    requestedProductionTrafficWeight: service.deploymentStrategy === 'ROLLING' ? undefined : share,
  };
}

/** A revision has the deployment's number. */
const revisionArn = ({ arn }: Service, { id }: Deployment) =>
  `${arn.replace(':service/', ':service-revision/')}/${id.replace('ecs-svc/', '')}`;
