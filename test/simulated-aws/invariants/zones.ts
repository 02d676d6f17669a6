import type { Group } from '../world/autoscaling/model.ts';
import { groupZones } from '../world/autoscaling/zones.ts';
import type { Instance } from '../world/ec2/model.ts';
import type { TargetChange, TrafficSource } from '../world/elastic-load-balancing/model.ts';
import { healthyTargets, isZonal, sourcesOf } from '../world/elastic-load-balancing/sources.ts';
import type { Listener } from '../world/events.ts';
import { groupsInScope, isInScope, mayRaise, type Watch } from './expectations.ts';
import type { Ledger } from './ledger.ts';
import { followOwners } from './owner-settings.ts';

/** Between a look and the call that follows from it nobody can see what happens. */
const UNSEEN_MS = 60_000;

interface InZone {
  healthy: number;
  /** When something other than a call last took a target, and who drained already: that is past helping. */
  lostAtMs: number;
  drained: ReadonlySet<Instance>;
}

/**
 * 1. Where a load balancer's nodes serve from their own zone alone, calls never take the last healthy target
 *    of a group from a zone that had some at first: whoever is sent there gets no answer. A roll that may not
 *    make the group larger by an instance in each zone can't keep to it, nor a group that its owner wants
 *    fewer members of by now, nor one that grows from its warm pool, whose instances are in zones already.
 */
export function watchZones(watch: Watch, ledger: Ledger): Listener {
  const { state, expectations } = watch;
  const zones = new Map<Group, Map<TrafficSource, Map<string, InZone>>>();
  const owners = followOwners(state);
  for (const group of groupsInScope(watch)) {
    if (!canKeepZones(watch, group)) continue;
    const sources = sourcesOf(state, group).filter(isZonal);
    zones.set(group, new Map(sources.map((source) => [source, inZones(watch, group, source)])));
  }

  state.loadBalancing.subscribe(({ source, target, cause }: TargetChange) => {
    const { group, instance } = target;
    const { availabilityZone: zone } = instance;
    const seen = zones.get(group)?.get(source)?.get(zone);
    if (seen === undefined || !isInScope(watch, group)) return;
    const healthy = healthyTargets(state, source, group, zone);
    const isLost = healthy < seen.healthy;
    seen.healthy = healthy;
    if (!isLost) return;
    const now = state.clock.now();
    if (cause !== 'call') {
      seen.lostAtMs = now;
      seen.drained = new Set([...state.instances.values()].filter(isDraining));
      return;
    }
    const isTooSmall = owners.wantedOf(group)[0].desiredCapacity < groupZones(state, group).length;
    const isByFault = now - seen.lostAtMs <= UNSEEN_MS || seen.drained.has(instance);
    ledger.expect(
      1,
      healthy > 0 || isTooSmall || isByFault || expectations.emptiesZones === true,
      () => `${source.name} has no healthy target of ${group.name} in ${zone} any more`,
    );
  });
  return (event) => owners.note(event);
}

const isDraining = ({ containerInstance }: Instance) => containerInstance?.status === 'DRAINING';

function inZones({ state }: Watch, group: Group, source: TrafficSource): Map<string, InZone> {
  const counts = groupZones(state, group).map((zone): [string, InZone] => [
    zone,
    {
      healthy: healthyTargets(state, source, group, zone),
      lostAtMs: Number.NEGATIVE_INFINITY,
      drained: new Set(),
    },
  ]);
  return new Map(counts.filter(([, { healthy }]) => healthy > 0));
}

/** The group has members in all its zones, and may have one more in each. */
function canKeepZones(watch: Watch, group: Group): boolean {
  const { state, expectations } = watch;
  const { maxSurge = Number.POSITIVE_INFINITY } = expectations;
  const room = mayRaise(watch, group) ? Number.POSITIVE_INFINITY : group.maxSize - group.desiredCapacity;
  const { length } = groupZones(state, group);
  return !group.warmPool && group.members.size >= length && Math.min(maxSurge, room) >= length;
}
