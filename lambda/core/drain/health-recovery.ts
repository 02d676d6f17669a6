import type { Decision } from '../actions/decision.ts';
import type { Group, Instance } from '../model/group.ts';
import { idSetOf } from '../model/members.ts';
import type { Observation } from '../model/observation.ts';
import { takesTasks } from '../model/registrations.ts';
import { isOver } from '../model/time.ts';

/** How long a member may take to pass its health checks again. After that its group may replace it. */
const RECOVERY_SECONDS = 600;

/** Nobody shows us the checks of a group without traffic sources: by then they have passed several times. */
const UNSEEN_SECONDS = 300;

/**
 * Members that their group found Unhealthy while they drained, and whose drain was undone. Auto Scaling never
 * sets them Healthy again by itself, so the group would end them under their tasks as soon as it may.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-health-checks.html
 */
function foundUnhealthy(group: Group, { now }: Pick<Observation, 'now'>): Instance[] {
  const { members, instances } = group;
  const failing = members.filter(({ lifecycleState, healthy }) => lifecycleState === 'InService' && !healthy);
  const ids = idSetOf(failing);
  return instances.filter((instance) => {
    const since = undoneAt(instance, group);
    // If another check fails, such as EC2's own, the group finds it Unhealthy again whatever we set.
    const isLately = since !== undefined && !isOver(since, RECOVERY_SECONDS, now);
    return ids.has(instance.instanceId) && instance.alive && isLately;
  });
}

/** When its drain was given up, or when a rollback decided that it stays. */
function undoneAt({ mark }: Instance, { roll }: Group): Date | undefined {
  if (mark?.drainStartedAt === undefined || roll === undefined) return undefined;
  const { course } = roll;
  return mark.drainGivenUpAt ?? (course.kind === 'rollback' ? course.since : undefined);
}

/** Sets members that serve again Healthy in their group. */
export function recoverHealth(group: Group, observation: Observation): Decision | undefined {
  const healthy = foundUnhealthy(group, observation).filter((each) => passes(each, group, observation));
  const serving = healthy.filter(({ instanceId }) => takesTasks(observation, instanceId));
  const instanceIds = serving.map(({ instanceId }) => instanceId).sort();
  if (instanceIds.length === 0) return undefined;
  return {
    kind: 'act',
    reason: { code: 'health-restored', instanceIds },
    actions: [{ kind: 'set-healthy', group: group.name, instanceIds }],
  };
}

/** Ids of members that haven't passed their health checks yet. */
export function recovering(group: Group, observation: Pick<Observation, 'now'>): string[] {
  return foundUnhealthy(group, observation).map(({ instanceId }) => instanceId);
}

export function waitForRecovery(group: Group, observation: Observation): Decision | undefined {
  const ids = recovering(group, observation);
  if (ids.length === 0) return undefined;
  return { kind: 'wait', reason: { code: 'health-checks-awaited', instanceIds: ids } };
}

function passes(instance: Instance, group: Group, { now }: Observation): boolean {
  const { trafficSources, details: { targetHealth = [] } = {} } = group;
  const since = undoneAt(instance, group);
  return trafficSources.length === 0
    ? since !== undefined && isOver(since, UNSEEN_SECONDS, now)
    : targetHealth.every(({ byInstance }) => byInstance.get(instance.instanceId)?.healthy);
}
