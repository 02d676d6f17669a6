import { type Foreseen, newIds, newInstances, newMembers, withGroup } from '../actions/foreseen.ts';
import { NOT_WATCHED } from '../group/steadiness.ts';
import type { ContainerInstance } from '../model/cluster.ts';
import type { Group, Instance, Unproven } from '../model/group.ts';
import { weightOfMembers } from '../model/members.ts';

/** The observation once everything we wait for has happened: members ready, tasks moved, services steady. */
export function expectReady(observation: Foreseen): Foreseen {
  const { members, instances } = wholeGroup(observation);
  const ids = new Set(members.map(({ instanceId }) => instanceId));
  const marked = new Set(instances.flatMap(({ instanceId, mark }) => (mark ? [instanceId] : [])));
  const known = new Set(observation.containerInstances.map(({ instanceId }) => instanceId));
  const settled = observation.containerInstances
    .filter(({ status }) => status !== 'DEREGISTERING')
    .map((each) => {
      const isMember = ids.has(each.instanceId);
      const comes = isMember && !marked.has(each.instanceId);
      const isUnready = each.status === 'REGISTERING' || (isMember && each.status === 'REGISTRATION_FAILED');
      const status = comes || isUnready ? 'ACTIVE' : each.status;
      const drained = status === 'DRAINING' && { runningTasksCount: 0 };
      const agentConnected = isMember || each.agentConnected;
      return { ...each, status, pendingTasksCount: 0, ...drained, agentConnected };
    });
  const registered = [...ids].filter((id) => !known.has(id)).map(containerInstanceOn);
  return {
    ...withGroup(observation, {
      members,
      instances: instances.map(longMarked),
      unproven: observation.groups[0].unproven?.map(longMissed),
      detachedLately: observation.groups[0].detachedLately?.map(longMissed),
      details: { ...observation.groups[0].details, targetHealth: [] },
      watch: { ...NOT_WATCHED, servedSince: new Date(0) },
      roll: letGo(longRested(longTried(observation.groups[0])), observation.now),
    }),
    containerInstances: [...settled, ...registered],
    details: { ...observation.details, services: [], tasks: [], crashes: [] },
  };
}

/** The first batch has been on trial for its full time. */
function longTried({ roll }: Group): Group['roll'] {
  if (roll?.canary.kind !== 'baking') return roll;
  return { ...roll, canary: { ...roll.canary, since: new Date(0) } };
}

/** Its last replacement has been in use for that long too. */
function longRested(roll: Group['roll']): Group['roll'] {
  const { raisedMinSize } = roll?.changes ?? {};
  if (roll === undefined || raisedMinSize?.restsSince === undefined) return roll;
  return {
    ...roll,
    changes: { ...roll.changes, raisedMinSize: { ...raisedMinSize, restsSince: new Date(0) } },
  };
}

/** Who was asked lets it go on. */
function letGo(roll: Group['roll'], now: Date): Group['roll'] {
  if (roll?.hook === undefined) return roll;
  return { ...roll, hook: { ...roll.hook, answer: 'go', askedAt: now } };
}

/**
 * An instance that never registered is ended when its time is up. The clock stands still in a plan, or
 * members would age.
 */
function longMarked(instance: Instance): Instance {
  return instance.mark === undefined ? instance : { ...instance, launchedAt: new Date(0) };
}

/** Auto Scaling has reported everything it will. */
function longMissed(unproven: Unproven): Unproven {
  return { ...unproven, missedSince: new Date(0) };
}

/** The group once Auto Scaling has ended what it was ending and launched what was missing. */
function wholeGroup({ groups: [group], now }: Foreseen): Pick<Group, 'members' | 'instances'> {
  const ended = new Set(group.instances.flatMap(({ alive, instanceId }) => (alive ? [] : [instanceId])));
  const staying = group.members
    .filter(({ lifecycleState }) => !/^(Terminat|Detach)/.test(lifecycleState))
    .filter(({ instanceId }) => !ended.has(instanceId))
    .map((member) => ({
      ...member,
      lifecycleState: standbyOrInService(member.lifecycleState),
      healthy: true,
    }));
  const serving = weightOfMembers(staying);
  const lacking = Math.max(0, group.desiredCapacity - serving);
  const launched = newMembers(group, newIds(group, lacking));
  const seen = new Set(group.instances.map(({ instanceId }) => instanceId));
  const unseen = staying.map(({ instanceId }) => instanceId).filter((instanceId) => !seen.has(instanceId));
  const fresh = launched.map(({ instanceId }) => instanceId);
  return {
    members: [...staying, ...launched.map((member) => ({ ...member, lifecycleState: 'InService' }))],
    instances: [...group.instances, ...newInstances(group, [...unseen, ...fresh], now)],
  };
}

function standbyOrInService(lifecycleState: string): string {
  return lifecycleState === 'Standby' ? 'Standby' : 'InService';
}

function containerInstanceOn(instanceId: string): ContainerInstance {
  const tasks = { pendingTasksCount: 0, runningTasksCount: 0 };
  return { arn: instanceId, instanceId, status: 'ACTIVE', agentConnected: true, ...tasks };
}
