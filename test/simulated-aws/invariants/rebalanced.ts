import type { Group, Member } from '../world/autoscaling/model.ts';
import { policyWeight } from '../world/autoscaling/weights.ts';
import { groupZones, zoneCounts } from '../world/autoscaling/zones.ts';
import { hasAddress, subnetIn } from '../world/ec2/subnets.ts';
import type { Listener, WorldEvent } from '../world/events.ts';
import type { State } from '../world/state.ts';
import { groupsInScope, isLeftAlone, mayRaise, type Watch } from './expectations.ts';
import type { Ledger } from './ledger.ts';

/**
 * 5. AZRebalance is resumed only over even zones: it would end members undrained. Who can't even them out
 *    isn't judged: without surge or room, of members with weights, that are to be left alone or in no zone of
 *    their group, with a zone that lacked addresses, or with a warm pool, from which a launch takes whom it
 *    finds, whatever zone that is in; nor is it where anything but calls and launches has befallen the group
 *    meanwhile, or somebody has spoilt the note of what was suspended.
 */
export function watchRebalanced(watch: Watch, ledger: Ledger): Listener {
  const { state } = watch;
  const suspended = new Set<Group>();
  const disturbed = new Map<Group, boolean>();
  for (const group of groupsInScope(watch)) disturbed.set(group, isUneven(state, group));

  return (event) => {
    const befallen = befallenBy(event);
    if (befallen) disturbed.set(befallen, true);
    if (event.kind !== 'group-written') return;
    const { group, cause } = event;
    if (lacksAddress(state, group)) disturbed.set(group, true);
    const isSuspended = group.suspendedProcesses.has('AZRebalance');
    if (isSuspended === suspended.has(group)) return;
    if (isSuspended) {
      suspended.add(group);
      return;
    }
    suspended.delete(group);
    const isForgotten = watch.customs.forgets(group).includes('suspended');
    const isDisturbed = disturbed.get(group) !== false || isForgotten;
    if (cause !== 'call' || isDisturbed || isHeld(watch, group) || !canEven(watch, group)) return;
    const counts = () =>
      zoneCounts(state, group)
        .map(({ name, count }) => `${count} in ${name}`)
        .join(', ');
    ledger.expect(
      5,
      !isUneven(state, group),
      () => `AZRebalance of ${group.name} was resumed over ${counts()}`,
    );
  };
}

/** The group that something else than a call, or a launch, has changed. */
function befallenBy(event: WorldEvent): Group | undefined {
  switch (event.kind) {
    case 'group-written':
      return event.cause === 'call' ? undefined : event.group;
    case 'member-changed':
      return isBefallen(event) ? event.group : undefined;
    case 'instance-terminating':
      return event.cause === 'call' ? undefined : event.instance.launchedBy;
    default:
      return undefined;
  }
}

/** A hook may hold what the group ends by itself for long. */
function isBefallen({ member, cause }: Extract<WorldEvent, { kind: 'member-changed' }>): boolean {
  if (cause === 'owner' || cause === 'fault') return true;
  return cause !== 'call' && member.lifecycleState === 'Terminating';
}

function lacksAddress(state: State, group: Group): boolean {
  return groupZones(state, group).some((zone) => !hasAddress(subnetIn(state, zone)));
}

function isUneven(state: State, group: Group): boolean {
  const counts = zoneCounts(state, group);
  return (counts.at(-1)?.count ?? 0) - (counts[0]?.count ?? 0) > 1;
}

function canEven(watch: Watch, group: Group): boolean {
  const { maxSurge, inPlace } = watch.expectations;
  const hasFailed = group.activities.some(({ StatusCode }) => StatusCode === 'Failed');
  const hasRoom = mayRaise(watch, group) || group.maxSize > group.desiredCapacity;
  return !hasFailed && hasRoom && maxSurge !== 0 && !inPlace;
}

/** By members that may not move, or whose zone nobody can choose. */
function isHeld(watch: Watch, group: Group): boolean {
  const zones = groupZones(watch.state, group);
  const stays = (member: Member) =>
    isLeftAlone(watch, member) ||
    policyWeight(group, member) !== undefined ||
    !zones.includes(member.instance.availabilityZone);
  return group.warmPool !== undefined || [...group.members.values()].some(stays);
}
