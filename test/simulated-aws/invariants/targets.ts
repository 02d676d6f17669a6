import type { Group } from '../world/autoscaling/model.ts';
import type { TargetChange, TrafficSource } from '../world/elastic-load-balancing/model.ts';
import { healthyTargets, sourcesOf } from '../world/elastic-load-balancing/sources.ts';
import type { Cause, Listener } from '../world/events.ts';
import { mistakenSurge } from './budget.ts';
import { groupsInScope, isInScope, mayRaise, type Watch } from './expectations.ts';
import type { Ledger } from './ledger.ts';
import { watchWanted } from './wanted.ts';

/** How a traffic source served a group at the last look. */
interface Serving {
  healthy: number;
  /** How many fewer than wanted may serve, because calls didn't take them, until they are back. */
  setAside: number;
  /** What others than calls took lately, when. */
  readonly losses: { readonly atMs: number; readonly lost: number }[];
}

/** Between a look and the call that follows from it nobody can see what happens. */
const UNSEEN_MS = 60_000;

/**
 * 1. Calls never leave a group's target group or load balancer with fewer healthy targets than the group's
 *    owner wants of members; in a rollback that has no room below the maximum size, with one fewer at most.
 *    What faults, the owner or the group's own scaling took is set aside until it is back.
 */
export function watchTargets(watch: Watch, ledger: Ledger): Listener {
  const { state, expectations, customs } = watch;
  const wanted = watchWanted(watch);
  const servings = new Map<Group, Map<TrafficSource, Serving>>();

  const lackOf = (group: Group, healthy: number) => Math.max(0, wanted.of(group) - healthy);

  const servingOf = (group: Group, source: TrafficSource): Serving => {
    const bySource = servings.get(group) ?? new Map<TrafficSource, Serving>();
    servings.set(group, bySource);
    const healthy = healthyTargets(state, source, group);
    // What lacks when it is first seen was not taken by anybody who is watched.
    const setAside = lackOf(group, healthy);
    const serving = bySource.get(source) ?? { healthy, setAside, losses: [] };
    bySource.set(source, serving);
    return serving;
  };
  for (const group of groupsInScope(watch))
    for (const source of sourcesOf(state, group)) servingOf(group, source);

  const look = (group: Group, source: TrafficSource, cause: Cause) => {
    const serving = servingOf(group, source);
    const healthy = healthyTargets(state, source, group);
    const lost = Math.max(0, serving.healthy - healthy);
    serving.healthy = healthy;
    const isOurs = cause === 'call' || (cause === 'group' && wanted.isScalingInForCalls(group));
    if (!isOurs && lost > 0) serving.losses.push({ atMs: state.clock.now(), lost });
    if (!isOurs || lost === 0) serving.setAside = Math.min(serving.setAside + lost, lackOf(group, healthy));
    check(group, source, serving, isOurs && lost > 0);
  };

  /** Nobody waits for room with a member that failed: it goes before another comes. */
  const firstOf = (group: Group) => {
    const isFull = !mayRaise(watch, group) && group.desiredCapacity >= group.maxSize;
    return isFull && customs.isGoingBack(group) ? 1 : 0;
  };

  const check = (group: Group, source: TrafficSource, serving: Serving, isOurs: boolean) => {
    const { healthy, setAside, losses } = serving;
    const unseen = losses.filter(({ atMs }) => state.clock.now() - atMs <= UNSEEN_MS);
    const lost = unseen.reduce((sum, loss) => sum + loss.lost, 0);
    const least = wanted.of(group) - setAside - lost - mistakenSurge(watch, group) - firstOf(group);
    ledger.keep(
      1,
      `${source.name} of ${group.name}`,
      least - healthy,
      () => `${source.name} has ${healthy} healthy targets of ${group.name}, fewer than ${least}`,
      isOurs,
    );
  };

  if (!expectations.allowsFewerTargets)
    state.loadBalancing.subscribe(({ source, target: { group }, cause }: TargetChange) => {
      if (isInScope(watch, group)) look(group, source, cause);
    });

  return (event) => {
    for (const [group, added] of wanted.note(event))
      for (const serving of servings.get(group)?.values() ?? []) {
        // What its owner wants more has to come up first.
        const setAside = serving.setAside + Math.max(0, added);
        serving.setAside = Math.min(setAside, lackOf(group, serving.healthy));
      }
  };
}
