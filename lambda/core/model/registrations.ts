import type { ContainerInstance } from './cluster.ts';
import type { Observation } from './observation.ts';

/**
 * The container instances of an EC2 instance. There is one, as a rule. But registering isn't idempotent: an agent that makes
 * its call twice, or has lost what it kept of itself, gets another ARN, and the former stays, ACTIVE and not connected.
 *
 * https://github.com/aws/amazon-ecs-agent/issues/782, https://github.com/aws/containers-roadmap/issues/1901
 */
export function registrationsOf(
  { containerInstances }: Pick<Observation, 'containerInstances'>,
  instanceId: string,
): ContainerInstance[] {
  const found = containerInstances.filter((each) => each.instanceId === instanceId);
  // Two invocations must come to the same order, whatever order AWS answers in.
  return found.length < 2 ? found : found.sort((a, b) => (a.arn < b.arn ? -1 : 1));
}

/** Only these have tasks, and only these can be set DRAINING, or back. */
export function isHost({ status }: ContainerInstance): boolean {
  return status === 'ACTIVE' || status === 'DRAINING';
}

/** Its trunk interface could not be had: it never takes a task. */
export function hasFailed({ status }: ContainerInstance): boolean {
  return status === 'REGISTRATION_FAILED';
}

/** On its way out; no task comes there any more. */
function isLeaving({ status }: ContainerInstance): boolean {
  return status === 'DEREGISTERING' || status === 'INACTIVE';
}

/** REGISTERING, as a rule: it may be ACTIVE at the next moment, and take tasks. */
export function mayCome(registration: ContainerInstance): boolean {
  return !isHost(registration) && !hasFailed(registration) && !isLeaving(registration);
}

/**
 * The agent of its instance goes by another registration now, so that nobody will ever tell of this one's tasks again. As long
 * as no agent is connected at all, nothing can be told: agents reconnect several times an hour.
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

/** The one by which an instance takes tasks, or is nearest to it. */
export function bestOf(registrations: readonly ContainerInstance[]): ContainerInstance | undefined {
  const connected = registrations.filter(({ agentConnected }) => agentConnected);
  // One that is connected and drains takes no tasks, whatever the others say.
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

/** Each id but once, whatever its instance is registered as. */
export function instanceIdsOf(registrations: readonly Pick<ContainerInstance, 'instanceId'>[]): string[] {
  return [...new Set(registrations.map(({ instanceId }) => instanceId))];
}
