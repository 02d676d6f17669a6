import type { State } from '../state.ts';
import type { Cluster, Deployment, Service } from './model.ts';

export type ServiceSettings = Pick<Service, 'name' | 'desiredCount'> &
  Partial<
    Pick<
      Service,
      | 'strategy'
      | 'launchType'
      | 'placement'
      | 'isLoadBalanced'
      | 'cpu'
      | 'minimumHealthyPercent'
      | 'maximumPercent'
      | 'isCrashing'
    >
  >;

export function addService(state: State, cluster: Cluster, settings: ServiceSettings): Service {
  const { account, region } = state;
  const isDaemon = settings.strategy === 'DAEMON';
  if (isDaemon && settings.launchType === 'FARGATE') throw new Error('Fargate has no daemon services');
  const service: Service = {
    strategy: 'REPLICA',
    launchType: 'EC2',
    placement: 'spread',
    isLoadBalanced: false,
    cpu: 128,
    minimumHealthyPercent: isDaemon ? 0 : 100,
    maximumPercent: isDaemon ? 100 : 200,
    isCrashing: false,
    ...settings,
    arn: `arn:aws:ecs:${region}:${account}:service/${cluster.name}/${settings.name}`,
    cluster,
    createdAtMs: state.clock.now(),
    crashes: 0,
    isBackingOff: false,
    tasks: new Set(),
    healthyCount: 0,
    deployment: newDeployment(state, 1),
    isStarved: false,
    isReconcileScheduled: false,
    events: [],
  };
  cluster.services.set(service.name, service);
  return service;
}

export function newDeployment(state: State, number: number): Deployment {
  return {
    id: state.ids.next('ecs-svc/', 19),
    number,
    createdAtMs: state.clock.now(),
    rolloutState: 'IN_PROGRESS',
  };
}

/** A deployment is COMPLETED once, and stays so whatever becomes of its tasks. */
export function noteRollout(state: State, service: Service) {
  const { deployment, desiredCount, healthyCount, tasks } = service;
  if (deployment.rolloutState === 'COMPLETED') return;
  if (healthyCount < desiredCount) return;
  for (const task of tasks) if (task.deployment !== deployment) return;
  deployment.rolloutState = 'COMPLETED';
  recordServiceEvent(state, service, 'has reached a steady state.');
}

const MAX_EVENTS = 100;

export function recordServiceEvent(state: State, service: Service, text: string) {
  const message = `(service ${service.name}) ${text}`;
  if (service.events[0]?.message === message) return;
  service.events.unshift({ atMs: state.clock.now(), message });
  service.events.length = Math.min(service.events.length, MAX_EVENTS);
}
