import type { Group } from '../world/autoscaling/model.ts';
import { weightOf } from '../world/autoscaling/weights.ts';
import type { Instance } from '../world/ec2/model.ts';
import { registrationsOf } from '../world/ecs/agents.ts';
import { sourcesOf } from '../world/elastic-load-balancing/sources.ts';
import type { Cause, Listener, WorldEvent } from '../world/events.ts';
import { belongs, mayRaise, type Watch } from './expectations.ts';
import type { Ledger } from './ledger.ts';
import { watchWanted } from './wanted.ts';

/** Between a look and the call that follows from it nobody can see what happens. */
const UNSEEN_MS = 60_000;

/** A call may come some minutes after what it follows from. */
const LONG_DRAIN_MS = 600_000;

/** What of a group ECS can give tasks to. */
interface Capacity {
  readonly serving: Set<Instance>;
  /** How much less than wanted may serve, because calls didn't take it, until it is back. */
  setAside: number;
  /** What others than calls took lately, and had not been spare. */
  readonly losses: { readonly atMs: number; readonly lost: number }[];
}

/**
 * 4. Calls never leave a group with less that runs, ACTIVE and connected, than its owner wants of members; be
 *    they members or detached. Without surge it may be less by what drains at once, and in a rollback by what
 *    one weighs more than the old one in its place. What faults, the owner or the group's own scaling took is
 *    set aside until it is back.
 */
export function watchRegistered(watch: Watch, ledger: Ledger): Listener {
  const { state, expectations, customs } = watch;
  const { maxSurge, inPlace = maxSurge === 0 } = expectations;
  const wanted = watchWanted(watch);
  const capacities = new Map<Group, Capacity>();
  /** On what they have launched, tasks fail: a rollback may take all of that at once, whatever its image. */
  const failing = new Set<Group>();
  /** Their agents, or somebody beside the roll. */
  const drainedByOthers = new WeakSet<Instance>();
  const drainedByCallsAtMs = new WeakMap<Instance, number>();

  const weigh = (group: Group, instances: Iterable<Instance>) =>
    weightOf(
      group,
      [...instances].map((instance) => ({ instance })),
    );
  /** What somebody had it believe that it has added it may take away. */
  const wantedOf = (group: Group): number => {
    const forged = customs.mistakenSurges(group);
    return forged === 0 ? wanted.of(group) : wanted.of(group) - forged * (maxSurge ?? wanted.of(group));
  };
  const lackOf = (group: Group, { serving }: Pick<Capacity, 'serving'>) =>
    Math.max(0, wantedOf(group) - weigh(group, serving));
  const outAtOnce = ({ launchSpec }: Group): number => {
    if (!inPlace) return 0;
    const overrides = launchSpec.kind === 'mixed-instances' ? launchSpec.overrides : [];
    const heaviest = Math.max(1, ...overrides.map(({ weightedCapacity = 1 }) => Number(weightedCapacity)));
    return (expectations.drainConcurrency ?? 1) * heaviest;
  };

  const capacityOf = (group: Group): Capacity => {
    const known = capacities.get(group);
    if (known !== undefined) return known;
    const instances = [...state.instances.values()].filter((instance) => groupOf(watch, instance) === group);
    const capacity = {
      serving: new Set(instances.filter((each) => serves(group, each))),
      setAside: 0,
      losses: [],
    };
    capacities.set(group, capacity);
    // What lacks when it is first seen was not taken by anybody who is watched.
    return Object.assign(capacity, { setAside: lackOf(group, capacity) });
  };
  for (const group of state.groups.values()) if (belongs(watch, group)) capacityOf(group);

  const setAside = (group: Group, capacity: Capacity, lost: number) => {
    const before = capacity.setAside;
    capacity.setAside = Math.min(before + lost, lackOf(group, capacity));
    const spare = lost - Math.max(0, capacity.setAside - before);
    if (spare > 0) capacity.losses.push({ atMs: state.clock.now(), lost: spare });
  };

  const check = (group: Group, capacity: Capacity, isByCalls: boolean) => {
    const unseen = capacity.losses.filter(({ atMs }) => state.clock.now() - atMs <= UNSEEN_MS);
    const lost = unseen.reduce((sum, loss) => sum + loss.lost, 0);
    const serving = weigh(group, capacity.serving);
    const least = wantedOf(group) - capacity.setAside - outAtOnce(group);
    if (isByCalls && serving >= least - lost) capacity.setAside += Math.max(0, least - serving);
    ledger.keep(
      4,
      `capacity of ${group.name}`,
      least - lost - serving,
      () => `${group.name} has ${serving} registered, ACTIVE and connected, less than ${least - lost}`,
      isByCalls,
    );
  };

  /** In place of what is taken back one serves that was detached, and nobody can tell what that weighed. */
  const heavierThanOld = (group: Group, { serving }: Capacity, instance: Instance): number => {
    const isBeside = [...serving].some(({ id }) => !group.members.has(id));
    if (!customs.isTakenBack(instance) || !isBeside) return 0;
    return Math.min(weigh(group, [instance]) - 1, lackOf(group, { serving }));
  };

  const look = (group: Group, instance: Instance, cause: Cause) => {
    const capacity = capacityOf(group);
    const { serving } = capacity;
    const did = serving.has(instance);
    if (did === serves(group, instance)) return;
    const goesAnyhow =
      failing.has(group) || hasIdle(group, instance) || hasLongDrain(group, instance) || isFull(group);
    const isOfUse = !customs.isTakenBack(instance) || !goesAnyhow;
    const isByCalls = did && isOfUse && wanted.isByCalls(cause, instance);
    if (did) serving.delete(instance);
    else serving.add(instance);
    const lost = isByCalls ? heavierThanOld(group, capacity, instance) : weigh(group, [instance]);
    setAside(group, capacity, did ? lost : 0);
    check(group, capacity, isByCalls);
  };

  /**
   * The agent of another of its image is away, or has been told to drain: a rollback waits for none, as it
   * may never take a task.
   */
  const hasIdle = ({ members }: Group, { imageId }: Instance): boolean =>
    [...members.values()].some(
      ({ instance }) =>
        instance.imageId === imageId &&
        (drainedByOthers.has(instance) || registrationsOf(instance).every((one) => !one.agentConnected)),
    );

  /** ECS gives the tasks of one that a rollback drains to others of its image, so that these all drain. */
  const hasLongDrain = ({ members }: Group, { imageId }: Instance): boolean =>
    [...members.values()].some(({ instance }) => {
      const atMs = drainedByCallsAtMs.get(instance) ?? Number.POSITIVE_INFINITY;
      return instance.imageId === imageId && state.clock.now() - atMs > LONG_DRAIN_MS;
    });

  /** Its owner has filled it, so nothing comes beside what leaves it for a rollback while that serves. */
  const isFull = (group: Group): boolean =>
    (expectations.endsMembers === true || sourcesOf(state, group).length > 0) &&
    !mayRaise(watch, group) &&
    group.desiredCapacity >= group.maxSize;

  const noteTrouble = (event: WorldEvent) => {
    if (event.kind === 'task-stopped' && event.task.failure !== undefined) {
      const { launchedBy } = event.task.containerInstance.instance;
      if (launchedBy !== undefined) failing.add(launchedBy);
    }
    if (event.kind !== 'container-instance-changed') return;
    const {
      containerInstance: { status, instance },
      cause,
    } = event;
    if (status === 'ACTIVE') {
      drainedByOthers.delete(instance);
      drainedByCallsAtMs.delete(instance);
    } else if (status === 'DRAINING' && cause === 'call') drainedByCallsAtMs.set(instance, state.clock.now());
    else if (status === 'DRAINING') drainedByOthers.add(instance);
  };

  return (event) => {
    noteTrouble(event);
    for (const [group, added] of wanted.note(event)) {
      if (!belongs(watch, group)) continue;
      setAside(group, capacityOf(group), Math.max(0, added));
      check(group, capacityOf(group), false);
    }
    const touched = touchedBy(event);
    const group = touched && groupOf(watch, touched.instance);
    if (touched && belongs(watch, group)) look(group, touched.instance, touched.cause);
  };
}

/** The group whose member it is; else the one that launched it. */
function groupOf({ state }: Watch, instance: Instance): Group | undefined {
  const groups = [...state.groups.values()];
  return groups.find(({ members }) => members.has(instance.id)) ?? instance.launchedBy;
}

/** What is in Standby, in a warm pool or about to end doesn't count, though tasks may run there. */
function serves({ members, warmPool }: Group, instance: Instance): boolean {
  if (instance.state !== 'running' || warmPool?.members.has(instance.id)) return false;
  if (/Standby|Terminating/.test(members.get(instance.id)?.lifecycleState ?? '')) return false;
  return registrationsOf(instance).some((one) => one.status === 'ACTIVE' && one.agentConnected);
}

function touchedBy(event: WorldEvent): { readonly instance: Instance; readonly cause: Cause } | undefined {
  switch (event.kind) {
    case 'container-instance-changed':
    case 'container-instance-deregistered':
    case 'host-lost':
      return { instance: event.containerInstance.instance, cause: event.cause };
    case 'agent-changed':
      return { instance: event.containerInstance.instance, cause: 'fault' };
    case 'instance-terminating':
      return { instance: event.instance, cause: event.cause };
    case 'member-changed':
      return { instance: event.member.instance, cause: event.cause };
    default:
      return undefined;
  }
}
