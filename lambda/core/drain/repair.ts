import type { Action, Decision } from '../actions/decision.ts';
import type { Assessment } from '../model/assessment.ts';
import type { ContainerInstance } from '../model/cluster.ts';
import type { Observation } from '../model/observation.ts';
import { instanceIdsOf } from '../model/registrations.ts';
import { recovering } from './recovery.ts';

/** Of container instances those that drain and run on one of these, in an order that everybody comes to. */
export function drainingAmong(
  containerInstances: readonly ContainerInstance[],
  instanceIds: readonly string[],
): ContainerInstance[] {
  return containerInstances
    .filter(({ instanceId, status }) => status === 'DRAINING' && instanceIds.includes(instanceId))
    .sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

const key = ({ instanceId, arn }: ContainerInstance) => `${instanceId} ${arn}`;

/**
 * Takes our tags from what is not to go (any more), so that it is never taken for a candidate. One that drains is set back
 * ACTIVE first: without the tags nobody would know that it was we who drained it.
 */
export function repair({
  group,
  observation,
  classified: { current, skipped, warm, leaving },
}: Assessment): Decision | undefined {
  const { name, warmPool, instances, roll } = group;
  const { containerInstances } = observation;
  const pooled = new Set(warmPool.map(({ instanceId }) => instanceId));
  for (const { instance } of warm) pooled.delete(instance.instanceId);
  const staying = instances.filter(({ instanceId, alive }) => alive && pooled.has(instanceId));
  // Marked beside those that are to be replaced, they are what makes the group larger, and leave for that.
  const isSurplus = roll?.course.kind === 'forward' && roll.changes.addedSizes.desiredCapacity > 0;
  const busy = new Set(
    containerInstances.flatMap((each) => (each.status === 'DRAINING' ? [each.instanceId] : [])),
  );
  // Where the group itself ends them, they drain as members.
  const ending = new Set(leaving.map(({ instanceId }) => instanceId));
  const members = [
    ...(isSurplus ? current.filter(({ instance }) => busy.has(instance.instanceId)) : current),
    ...skipped,
  ]
    .map(({ instance }) => instance)
    .filter(({ instanceId }) => !ending.has(instanceId));
  const mistaken = [...members, ...staying].filter(({ mark }) => mark !== undefined);
  const instanceIds = mistaken.map(({ instanceId }) => instanceId).sort();
  // These keep their tags until then, which tell that it was we who drained them.
  const unhealthy = recovering(group, observation).filter((each) => instanceIds.includes(each));
  const unmarkable = instanceIds.filter((each) => !unhealthy.includes(each));
  return (
    reactivate(unhealthy, observation) ??
    (unmarkable.length === 0 ? undefined : unmark(name, unmarkable, containerInstances))
  );
}

/** Undoes drains: what drains has tasks of the services again. */
export function reactivate(
  instanceIds: readonly string[],
  { containerInstances }: Observation,
): Decision | undefined {
  const draining = drainingAmong(containerInstances, instanceIds);
  return draining.length === 0
    ? undefined
    : {
        kind: 'act',
        reason: { code: 'drain-undone', instanceIds: instanceIdsOf(draining), because: 'stays' },
        actions: [{ kind: 'activate', containerInstances: draining }],
      };
}

/** Takes our tags from instances; what drains of them is set back ACTIVE. */
export function unmark(
  group: string,
  instanceIds: readonly string[],
  containerInstances: readonly ContainerInstance[],
): Decision {
  const draining = drainingAmong(containerInstances, instanceIds);
  const activating: Action[] =
    draining.length > 0 ? [{ kind: 'activate', containerInstances: draining }] : [];
  return {
    kind: 'act',
    reason: { code: 'unmarked' },
    actions: [...activating, { kind: 'unmark-instances', group, instanceIds }],
  };
}
