import type { ContainerInstance } from './cluster.ts';
import { derived, groupedBy } from './derived.ts';
import type { Observation } from './observation.ts';

/**
 * The container instances of an EC2 instance, normally one. But registering isn't idempotent: an agent that
 * calls twice, or has lost its state, gets another ARN, and the earlier one stays, ACTIVE and not connected.
 *
 * https://github.com/aws/amazon-ecs-agent/issues/782, https://github.com/aws/containers-roadmap/issues/1901
 */
export function registrationsOf(
  { containerInstances }: Pick<Observation, 'containerInstances'>,
  instanceId: string,
): readonly ContainerInstance[] {
  return byInstance(containerInstances).get(instanceId) ?? NONE;
}

const NONE: readonly ContainerInstance[] = [];

/** Two invocations get the same order, whatever order AWS answers in. */
const byInstance = derived((containerInstances: readonly ContainerInstance[]) => {
  const index = groupedBy(containerInstances, ({ instanceId }) => instanceId);
  for (const found of index.values()) found.sort((a, b) => (a.arn < b.arn ? -1 : 1));
  return index;
});

/** The Availability Zone of its instance, if ECS tells. */
export function zoneOf({ traits }: ContainerInstance): string | undefined {
  return traits?.attributes.get('ecs.availability-zone');
}

/** Only these have tasks, and only these can be set to DRAINING or back. */
export function isHost({ status }: ContainerInstance): boolean {
  return status === 'ACTIVE' || status === 'DRAINING';
}

/** Tasks that should run on it, as ECS counts them: a pending one once or twice. */
export function countedOn({ runningTasksCount, pendingTasksCount }: ContainerInstance): number {
  return runningTasksCount + pendingTasksCount;
}

/** Its trunk interface could not be created: it never takes a task. */
export function hasFailed({ status }: ContainerInstance): boolean {
  return status === 'REGISTRATION_FAILED';
}

/** Leaving; it gets no more tasks. */
function isLeaving({ status }: ContainerInstance): boolean {
  return status === 'DEREGISTERING' || status === 'INACTIVE';
}

/** Usually REGISTERING: it may become ACTIVE and take tasks at any moment. */
export function mayCome(registration: ContainerInstance): boolean {
  return !isHost(registration) && !hasFailed(registration) && !isLeaving(registration);
}

/**
 * The instance's agent now uses another registration, so nothing will ever report this one's tasks again.
 * While no agent is connected this is unknown: agents reconnect several times an hour.
 */
export function isForsaken(
  { arn, agentConnected, instanceId }: ContainerInstance,
  observation: Pick<Observation, 'containerInstances'>,
): boolean {
  return (
    !agentConnected &&
    registrationsOf(observation, instanceId).some(
      (other) => other.arn !== arn && other.agentConnected && isHost(other),
    )
  );
}

/** The registration by which an instance takes tasks, or comes closest to it. */
export function bestOf(registrations: readonly ContainerInstance[]): ContainerInstance | undefined {
  const connected = registrations.filter(({ agentConnected }) => agentConnected);
  // One that is connected and draining takes no tasks, whatever the others say.
  const drains = connected.find(({ status }) => status === 'DRAINING');
  const active = (some: readonly ContainerInstance[]) => some.find(({ status }) => status === 'ACTIVE');
  return drains ?? active(connected) ?? active(registrations) ?? connected[0] ?? registrations[0];
}

/** Whether an instance takes tasks now. */
export function takesTasks(
  observation: Pick<Observation, 'containerInstances'>,
  instanceId: string,
): boolean {
  const best = bestOf(registrationsOf(observation, instanceId));
  return best?.status === 'ACTIVE' && best.agentConnected;
}

/** Each id once, however often its instance is registered. */
export function instanceIdsOf(registrations: readonly Pick<ContainerInstance, 'instanceId'>[]): string[] {
  return [...new Set(registrations.map(({ instanceId }) => instanceId))];
}

/** The container instances that drain and belong to these instances, in a stable order. */
export function drainingAmong(
  containerInstances: readonly ContainerInstance[],
  instanceIds: readonly string[],
): ContainerInstance[] {
  const ids = new Set(instanceIds);
  return containerInstances
    .filter(({ instanceId, status }) => status === 'DRAINING' && ids.has(instanceId))
    .sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

const key = ({ instanceId, arn }: ContainerInstance) => `${instanceId} ${arn}`;
