import { createHash } from 'node:crypto';
import type { TargetGroupView, TargetView } from '../elastic-load-balancing/target-group-views.ts';
import type { State } from '../state.ts';
import type { Cluster, Service, Task } from './model.ts';

export const CONTAINER_PORT = 80;
const MAX_NAME_LENGTH = 32;

/** https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_PortMapping.html */
const EPHEMERAL_PORTS = { from: 32_768, count: 28_232 };

/** Unlike a group's, it lives by itself: tasks come and go there with their service. */
export function targetGroupArn({ arn, name }: Service): string {
  const [, , , region, account] = arn.split(':');
  const id = createHash('sha256').update(arn).digest('hex').slice(0, 16);
  const path = `targetgroup/${name.slice(0, MAX_NAME_LENGTH)}/${id}`;
  return `arn:aws:elasticloadbalancing:${region}:${account}:${path}`;
}

export function serviceTargetGroups({ clusters }: State): TargetGroupView[] {
  const servicesOf = ({ services }: Cluster) => [...services.values()];
  return [...clusters.values()]
    .flatMap(servicesOf)
    .filter(({ isLoadBalanced }) => isLoadBalanced)
    .map(targetGroupOf);
}

function targetGroupOf(service: Service): TargetGroupView {
  const { name, launchType, balancer } = service;
  return {
    arn: targetGroupArn(service),
    name: name.slice(0, MAX_NAME_LENGTH),
    port: CONTAINER_PORT,
    targetType: launchType === 'FARGATE' ? 'ip' : 'instance',
    balancer,
    balancesAcross: balancer === 'application',
    crossZone: balancer === 'gateway' ? undefined : 'use_load_balancer_configuration',
    isInUse: true,
    targets: serviceTargets(service),
  };
}

export function serviceTargets(service: Service): TargetView[] {
  return [...service.tasks].flatMap((task) => targetOf(service, task) ?? []);
}

/** The port of its host under which it is known; one of its own where its definition names none. */
export function hostPortOf({ arn, service }: Task): number {
  const number = Number.parseInt(arn.slice(-6), 16);
  return service?.definition.hostPort ?? EPHEMERAL_PORTS.from + (number % EPHEMERAL_PORTS.count);
}

/** A task is registered once it runs, and drains while it is DEACTIVATING. */
function targetOf({ launchType, disabledZones }: Service, task: Task): TargetView | undefined {
  const state = targetState(task);
  const number = Number.parseInt(task.arn.slice(-6), 16);
  if (!state) return undefined;
  if (launchType === 'FARGATE')
    return { id: `10.1.${(number >> 8) % 256}.${number % 256}`, port: CONTAINER_PORT, state };
  const { id, availabilityZone: zone } = task.containerInstance.instance;
  return { id, port: hostPortOf(task), state, zone, zoneDisabled: disabledZones.has(zone) };
}

function targetState(task: Task): TargetView['state'] | undefined {
  const { lastStatus, isHealthy, isLost, failsChecks, isUnregistered } = task;
  if (isUnregistered) return undefined;
  if (lastStatus === 'DEACTIVATING') return 'draining';
  if (lastStatus !== 'RUNNING') return undefined;
  if (isLost || failsChecks) return 'unhealthy';
  return isHealthy ? 'healthy' : 'initial';
}
