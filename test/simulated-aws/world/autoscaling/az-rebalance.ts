import type { State } from '../state.ts';
import { endMember } from './ending.ts';
import { tryLaunch } from './launch.ts';
import { isCounted } from './members.ts';
import type { Group, Member } from './model.ts';
import { terminationOrder } from './scale-in.ts';
import { touchGroup } from './touch.ts';
import { zoneCounts } from './zones.ts';

/**
 * The process AZRebalance: where one zone has at least two members more than another, the group launches one
 * there before it ends one here, and goes beyond its desired capacity meanwhile. What runs on the one it ends
 * is not its business.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-availability-zone-balanced.html
 */
export function followZones(state: State) {
  state.subscribe((event) => {
    if (event.kind === 'group-written') rebalanceLater(state, event.group);
    if (event.kind !== 'member-changed') return;
    const { group, member } = event;
    rebalanceLater(state, group);
    if (member === group.newcomer) touchGroup(state, group);
  });
}

function isUneven(state: State, group: Group): boolean {
  const counts = zoneCounts(state, group);
  return (counts.at(-1)?.count ?? 0) - (counts[0]?.count ?? 0) > 1;
}

/** Of a zonal shift nothing is said; what it has made uneven is evened out once it is over. */
function isSuspended({ suspendedProcesses: suspended, shiftedZone }: Group): boolean {
  return shiftedZone !== undefined || suspended.has('AZRebalance') || suspended.has('Launch');
}

function rebalanceLater(state: State, group: Group) {
  if (group.isRebalanceScheduled || isSuspended(group) || !isUneven(state, group)) return;
  group.isRebalanceScheduled = true;
  state.after('rebalanceSeconds', () => {
    group.isRebalanceScheduled = false;
    if (isUneven(state, group)) rebalance(state, group);
  });
}

function rebalance(state: State, group: Group) {
  if (group.newcomer || isSuspended(group)) return;
  if (state.groups.get(group.name) !== group || !expendable(state, group)) return;
  group.newcomer = tryLaunch(state, group, zoneCounts(state, group)[0]?.name);
  if (!group.newcomer) rebalanceLater(state, group);
}

/**
 * Launches another before the member is ended: for one that fails its health check under an instance
 * maintenance policy, or a Spot Instance at risk under Capacity Rebalancing. Here one at a time.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/instance-maintenance-policy-overview-and-considerations.html
 *
 * @returns whether one was launched
 */
export function launchFirst(state: State, group: Group, outgoing: Member): boolean {
  if (group.newcomer || group.suspendedProcesses.has('Launch')) return false;
  group.outgoing = outgoing;
  group.newcomer = tryLaunch(state, group);
  if (group.newcomer) return true;
  group.outgoing = undefined;
  state.after('launchRetrySeconds', () => touchGroup(state, group));
  return false;
}

/** Once the newcomer serves, another goes for it; one that has left meanwhile is replaced already. */
export function settleNewcomer(state: State, group: Group) {
  const { newcomer, outgoing } = group;
  if (!newcomer) return;
  const isThere = (member: Member) => isCounted(member) && group.members.has(member.instance.id);
  const isGone = !isThere(newcomer) || (outgoing !== undefined && !isThere(outgoing));
  if (!isGone && (newcomer.lifecycleState !== 'InService' || group.suspendedProcesses.has('Terminate')))
    return;
  Object.assign(group, { newcomer: undefined, outgoing: undefined });
  const chosen = isGone ? undefined : (outgoing ?? expendable(state, group));
  const why = outgoing ? 'its replacement' : 'a rebalancing of Availability Zones';
  if (chosen) endMember(state, group, chosen, { why, cause: 'group' });
}

/** Of the fullest zone, by the termination policy. */
function expendable(state: State, group: Group): Member | undefined {
  const fullest = zoneCounts(state, group).at(-1)?.name;
  const candidates = [...group.members.values()].filter(
    (member) => isCounted(member) && member.instance.availabilityZone === fullest,
  );
  return terminationOrder(state, group, candidates)[0];
}
