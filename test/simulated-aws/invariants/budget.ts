import { GROUP_TAGS } from '../../../lambda/contract.ts';
import type { Group } from '../world/autoscaling/model.ts';
import type { Instance } from '../world/ec2/model.ts';
import type { Listener, WorldEvent } from '../world/events.ts';
import type { Watch } from './expectations.ts';
import { forgedOften, isForged } from './forged.ts';
import type { Ledger } from './ledger.ts';
import { isTakenBack } from './outcome.ts';
import { followOwners } from './owner-settings.ts';

const DEFAULT_DRAIN_CONCURRENCY = 1;

/** 4. Detached instances that live never exceed the surge, draining ones never the drain concurrency. */
export function watchBudget(watch: Watch, ledger: Ledger): Listener {
  const { state, expectations } = watch;
  const owners = followOwners(state);
  const detached = new Map<Group, Set<Instance>>();
  const draining = new Map<Group, Set<Instance>>();
  const maxSurge = expectations.maxSurge ?? Number.POSITIVE_INFINITY;
  const maxDraining = expectations.drainConcurrency ?? DEFAULT_DRAIN_CONCURRENCY;

  const add = (sets: Map<Group, Set<Instance>>, instance: Instance, most: number, what: string) => {
    const { id, launchedBy: group } = instance;
    if (!group) return;
    const known = [...(sets.get(group) ?? [])].filter((each) => !isForged(watch, each));
    const set = new Set([...known, instance]);
    sets.set(group, set);
    ledger.expect(
      4,
      set.size <= most,
      () => `${id} is number ${set.size} of ${group.name} ${what}, of ${most}`,
    );
  };
  const remove = (sets: Map<Group, Set<Instance>>, instance: Instance) => {
    if (instance.launchedBy) sets.get(instance.launchedBy)?.delete(instance);
  };

  const checkSizes = (group: Group) => {
    const { desiredCapacity, maxSize } = group;
    const wanted = owners.wantedOf(group);
    const added = desiredCapacity - wanted.desiredCapacity;
    const most = maxSurge + mistakenSurge(watch, group);
    ledger.expect(4, added <= most, () => `${group.name} is larger by ${added}, of ${most}`);
    const isKept = expectations.raisesMaxSize || maxSize === wanted.maxSize;
    ledger.expect(4, isKept, () => `${group.name} may have ${maxSize}, not ${wanted.maxSize}`);
  };

  const noteCall = (event: WorldEvent) => {
    if (!('cause' in event) || event.cause !== 'call') return;
    if (event.kind === 'group-written') checkSizes(event.group);
    // A member that is dead already when it is detached is no surge.
    // Old ones that can't come back serve on beside what a roll takes back.
    const most =
      event.kind === 'member-detaching' && isTakenBack(watch, event.instance) ? 2 * maxSurge : maxSurge;
    if (event.kind === 'member-detaching' && isAlive(event.instance))
      add(detached, event.instance, most, 'detached');
  };

  return (event) => {
    owners.note(event);
    noteCall(event);
    if (event.kind === 'instance-terminating') {
      remove(detached, event.instance);
      remove(draining, event.instance);
    }
    if (hasComeBack(event)) remove(detached, event.member.instance);
    if (event.kind === 'container-instance-deregistered') remove(draining, event.containerInstance.instance);
    if (event.kind !== 'container-instance-changed') return;
    const { instance, status } = event.containerInstance;
    if (status !== 'DRAINING') remove(draining, instance);
    // What a roll takes back may drain all at once: ECS would give its tasks to others of its kind.
    else if (event.cause === 'call' && !isTakenBack(watch, instance))
      add(draining, instance, maxDraining, 'draining');
  };
}

/**
 * What a roll has added it can't give back once somebody has spoilt the note of it; and where he has put an earlier one back, it
 * takes as much for its own: each time its surge at most.
 */
export function mistakenSurge(watch: Watch, group: Group): number {
  const times = forgedOften(watch, group, GROUP_TAGS.held);
  return times === 0 ? 0 : times * (watch.expectations.maxSurge ?? Number.POSITIVE_INFINITY);
}

/** A detached instance was attached again. */
function hasComeBack(event: WorldEvent): event is Extract<WorldEvent, { kind: 'member-changed' }> {
  if (event.kind !== 'member-changed') return false;
  const { group, member } = event;
  return group.members.has(member.instance.id) && !/^Detach/.test(member.lifecycleState);
}

function isAlive({ state }: Instance): boolean {
  return state === 'pending' || state === 'running';
}
