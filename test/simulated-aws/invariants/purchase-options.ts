import type { Group } from '../world/autoscaling/model.ts';
import { onDemandLacking } from '../world/autoscaling/purchase-options.ts';
import { policyWeight } from '../world/autoscaling/weights.ts';
import type { Instance } from '../world/ec2/model.ts';
import type { WorldEvent } from '../world/events.ts';
import { isDrifted, type Watch } from './expectations.ts';
import type { Ledger } from './ledger.ts';
import { watchWanted } from './wanted.ts';

/** It launches another first, by the distribution of one more. */
const OF_ITSELF = / (a rebalancing of Availability Zones|its replacement)\.$/;
/** Never what is protected from that, whatever its purchase option. */
const SCALED_IN = /taken out of service in response to a difference between desired and actual capacity\.$/;

/**
 * 5. A roll leaves as much On-Demand capacity as the distribution asks for, or as there was before: a
 *    larger group launches Spot Instances, which stay as it gets smaller. It may lack what it can't launch at
 *    all; what it has itself ended to even its zones out, or as its owner or a policy wants fewer; and what a
 *    call has ended for its zones where no Spot Instance was: that goes by zone before it goes by purchase
 *    option, and "trends toward the specified ratio … over time". Not of groups whose types have weights, as
 *    nobody can tell what they launch; nor without surge, as nobody can even out zones then, for which the
 *    group itself launches one beyond its size, by the distribution of that.
 */
export function watchPurchaseOptions(watch: Watch) {
  const { state, expectations, customs } = watch;
  const wanted = watchWanted(watch);
  const isWeighted = (group: Group) =>
    [...group.members.values()].some((member) => policyWeight(group, member) !== undefined);
  /** By group, as what ended is forgotten in time. */
  const evenedOutBy = new Map<Group, Set<string>>();
  const evenedOut = (group: Group) => {
    const all = evenedOutBy.get(group) ?? new Set();
    evenedOutBy.set(group, all);
    for (const { Cause, Description } of group.activities) {
      const id = Description?.split(' ').at(-1) ?? '';
      const instance = state.instances.get(id);
      if (instance === undefined || instance.isSpot) continue;
      const isByItself = SCALED_IN.test(Cause ?? '') && !wanted.isByCalls('group', instance);
      if (isByItself || OF_ITSELF.test(Cause ?? '')) all.add(id);
    }
    return all.size;
  };
  /** By group, since its roll has begun. */
  const leftForZones = new Map<Group, Set<Instance>>();
  const lackingOf = (group: Group) => {
    const missing = Math.max(0, group.desiredCapacity - group.members.size);
    const given = missing + evenedOut(group) + (leftForZones.get(group)?.size ?? 0);
    return Math.max(0, onDemandLacking(group) - given);
  };
  const atFirst = new Map([...state.groups.values()].map((group) => [group, lackingOf(group)]));
  const rolling = new Set<Group>();
  const changed = new Set<Group>();
  const noteChange = (event: WorldEvent) => {
    const isDetached = event.kind === 'member-detaching';
    if (!(isDetached || event.kind === 'instance-terminating') || event.cause !== 'call') return;
    const group = isDetached ? event.group : event.instance.launchedBy;
    if (group === undefined) return;
    if (isDetached) changed.add(group);
    if (leavesForZones(watch, group, event.instance))
      leftForZones.set(group, new Set([...(leftForZones.get(group) ?? []), event.instance]));
  };
  /** By how much more than before it a roll has left a group lacking. */
  const left = new Map<Group, number>();
  const leave = (group: Group) => left.set(group, lackingOf(group) - (atFirst.get(group) ?? 0));

  return {
    note(event: WorldEvent) {
      wanted.note(event);
      noteChange(event);
      if (event.kind === 'member-changed') evenedOut(event.group);
      if (event.kind !== 'group-written') return;
      const { group } = event;
      if (customs.tagsLeftOn(group).length === 0) {
        // One that is only paused, say, scales by itself meanwhile.
        if (rolling.delete(group) && (changed.delete(group) || !left.has(group))) leave(group);
      } else if (!rolling.has(group)) {
        rolling.add(group);
        leftForZones.delete(group);
        atFirst.set(group, lackingOf(group));
      }
    },
    checkFinished(group: Group, ledger: Ledger) {
      if (isWeighted(group) || expectations.maxSurge === 0) return;
      // Where somebody has forged its tags away, it looks over before it is.
      if (rolling.has(group) || !left.has(group) || state.forgeries.groups.has(group)) leave(group);
      const lacking = left.get(group) ?? 0;
      ledger.expect(
        5,
        lacking <= 0,
        () => `${group.name} has ${lacking} On-Demand Instances fewer than its distribution asks for`,
      );
    },
  };
}

/** It is On-Demand and isn't to be replaced, and of its zone no Spot Instance could leave instead. */
function leavesForZones(watch: Watch, group: Group, instance: Instance): boolean {
  if (instance.isSpot || watch.customs.isGoingBack(group) !== isDrifted(watch, instance)) return false;
  const zone = instance.availabilityZone;
  return [...group.members.values()].every(
    ({ instance: other }) => !other.isSpot || other.availabilityZone !== zone,
  );
}
