import type { Action, Decision } from '../actions/decision.ts';
import type { Assessment } from '../model/assessment.ts';
import type { ContainerInstance } from '../model/cluster.ts';
import type { Instance } from '../model/group.ts';
import { idSetOf } from '../model/members.ts';
import type { Observation } from '../model/observation.ts';
import { drainingAmong, instanceIdsOf } from '../model/registrations.ts';
import { recovering } from './health-recovery.ts';

/**
 * Removes our tags from instances that stay, so that they never count as candidates. If one drains it is set
 * back ACTIVE first: without the tags, nobody would know that we drained it.
 */
export function repair({
  group,
  observation,
  classified: { current, skipped, warm, leaving },
}: Assessment): Decision | undefined {
  const { name, warmPool, instances, roll } = group;
  const { containerInstances } = observation;
  const pooled = idSetOf(warmPool);
  for (const { instance } of warm) pooled.delete(instance.instanceId);
  const staying = instances.filter(({ instanceId, alive }) => alive && pooled.has(instanceId));
  const busy = idSetOf(containerInstances.filter(({ status }) => status === 'DRAINING'));
  // Marked, but not to be replaced: they are the surplus by which the group is larger, and leave as such. If
  // another invocation lets one leave, nobody would find it without its marks.
  const isSurplus = ({ instanceId, mark }: Instance) =>
    mark !== undefined &&
    roll !== undefined &&
    roll.changes.addedSizes.desiredCapacity > 0 &&
    (roll.course.kind === 'forward' || mark.detachStartedAt > roll.course.since) &&
    !busy.has(instanceId);
  // If the group ends them, they drain while they are members.
  const ending = idSetOf(leaving);
  const members = [...current.filter(({ instance }) => !isSurplus(instance)), ...skipped]
    .map(({ instance }) => instance)
    .filter(({ instanceId }) => !ending.has(instanceId));
  const mistaken = [...members, ...staying].filter(({ mark }) => mark !== undefined);
  const instanceIds = mistaken.map(({ instanceId }) => instanceId).sort();
  // They keep their tags until they recover: the tags show that we drained them.
  const unhealthy = recovering(group, observation).filter((each) => instanceIds.includes(each));
  const unmarkable = instanceIds.filter((each) => !unhealthy.includes(each));
  return (
    reactivate(unhealthy, observation) ??
    (unmarkable.length === 0 ? undefined : unmark(name, unmarkable, containerInstances))
  );
}

/** Undoes drains, so that the instances take tasks of services again. */
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

/** Removes our tags from instances, and sets those that drain back ACTIVE. */
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
