import type { Group } from '../world/autoscaling/model.ts';
import type { Instance } from '../world/ec2/model.ts';
import { isReplicaTask, type Service } from '../world/ecs/model.ts';
import type { Cause, Listener, WorldEvent } from '../world/events.ts';
import { mayRaise, tagsOf, type Watch } from './expectations.ts';
import type { Ledger } from './ledger.ts';
import { followOwners } from './owner-settings.ts';

const DEFAULT_DRAIN_CONCURRENCY = 1;

/** Which instances of each group are in a state of which only so many may be. */
interface Sets {
  readonly of: Map<Group, Set<Instance>>;
  readonly what: string;
  readonly most: number;
}

/** 4. Detached instances that live never exceed the surge, moving ones never the drain concurrency. */
export function watchBudget(watch: Watch, ledger: Ledger): Listener {
  const { state, expectations, customs } = watch;
  const owners = followOwners(state);
  const maxSurge = expectations.maxSurge ?? Number.POSITIVE_INFINITY;
  const detached = { of: new Map(), what: 'detached', most: maxSurge } satisfies Sets;
  const moving = {
    of: new Map<Group, Set<Instance>>(),
    what: 'moving',
    most: expectations.drainConcurrency ?? DEFAULT_DRAIN_CONCURRENCY,
  } satisfies Sets;
  /** Serving tasks that the services of a moving instance had when it began to drain. */
  const before = new Map<Instance, ReadonlyMap<Service, number>>();

  const check = ({ of, what }: Sets, group: Group, most: number) => {
    const count = of.get(group)?.size ?? 0;
    const told = () => `${count} instances of ${group.name} are ${what}, more than ${most}`;
    ledger.keep(4, `${group.name} ${what}`, count - most, told);
  };
  /** Its owner excluded it while it drained: nobody ends it, and what has moved off it spares nobody else. */
  const isLeftEmpty = (instance: Instance) =>
    customs.isExcluded(tagsOf(instance)) &&
    ![...(instance.containerInstance?.tasks ?? [])].some(isReplicaTask);
  const add = (sets: Sets, instance: Instance, most: number) => {
    const { launchedBy: group } = instance;
    if (!group) return;
    const known = [...(sets.of.get(group) ?? [])].filter(
      (each) => !customs.isUnknown(each) && !(sets === moving && isLeftEmpty(each)),
    );
    sets.of.set(group, new Set([...known, instance]));
    check(sets, group, most);
  };
  /** What was allowed more for a while begins no breach by this. */
  const remove = (sets: Sets, instance: Instance) => {
    const { launchedBy: group } = instance;
    const set = group === undefined ? undefined : sets.of.get(group);
    if (group && set?.delete(instance) && set.size <= sets.most) check(sets, group, sets.most);
  };

  const checkSizes = (group: Group, cause: Cause) => {
    const { desiredCapacity, maxSize } = group;
    const wanted = owners.wantedOf(group);
    const added = desiredCapacity - Math.max(...wanted.map((each) => each.desiredCapacity));
    const most = maxSurge + mistakenSurge(watch, group);
    const differences = wanted.map((each) => Math.abs(maxSize - each.maxSize));
    const raised = mayRaise(watch, group) ? 0 : Math.min(...differences);
    const keep = (which: string, short: number, what: () => string) =>
      ledger.keep(4, `${which} of ${group.name}`, short, what, cause === 'call');
    keep(
      'size',
      added - most,
      () => `${group.name} has ${added} more than its owner wants, more than ${most}`,
    );
    keep(
      'maximum',
      raised,
      () => `the maximum size of ${group.name} is ${maxSize}, not ${wanted[0].maxSize}`,
    );
  };

  /** From then on it only says goodbye: all on it are told to stop, and others have served in their place. */
  const hasMoved = ({ containerInstance }: Instance, had: ReadonlyMap<Service, number> = new Map()) =>
    [...(containerInstance?.tasks ?? [])].every(
      (task) => !isReplicaTask(task) || task.desiredStatus === 'STOPPED',
    ) && [...had].every(([service, count]) => servingIn(service) >= Math.min(count, service.desiredCount));
  const noteMoved = () => {
    for (const instances of moving.of.values())
      for (const instance of instances)
        if (hasMoved(instance, before.get(instance))) remove(moving, instance);
  };
  const drain = (instance: Instance) => {
    noteMoved();
    const services = [...(instance.containerInstance?.tasks ?? [])].flatMap((task) =>
      task.service && isReplicaTask(task) ? [task.service] : [],
    );
    before.set(instance, new Map(services.map((service) => [service, servingIn(service)])));
    add(moving, instance, moving.most);
  };

  const noteCall = (event: WorldEvent) => {
    if (event.kind === 'group-written') checkSizes(event.group, event.cause);
    if (!('cause' in event) || event.cause !== 'call') return;
    // A member that is dead already when it is detached is no surge.
    // Old ones that can't come back serve on beside what a roll takes back.
    const most =
      event.kind === 'member-detaching' && customs.isTakenBack(event.instance) ? 2 * maxSurge : maxSurge;
    if (event.kind === 'member-detaching' && isAlive(event.instance)) add(detached, event.instance, most);
  };

  return (event) => {
    owners.note(event);
    noteCall(event);
    if (MOVES.has(event.kind)) noteMoved();
    if (event.kind === 'instance-terminating') {
      remove(detached, event.instance);
      remove(moving, event.instance);
    }
    if (hasComeBack(event)) remove(detached, event.member.instance);
    if (event.kind === 'container-instance-deregistered') remove(moving, event.containerInstance.instance);
    if (event.kind !== 'container-instance-changed') return;
    const { instance, status } = event.containerInstance;
    if (status !== 'DRAINING') remove(moving, instance);
    // What a roll takes back may drain all at once: ECS would give its tasks to others of its kind.
    else if (event.cause === 'call' && !customs.isTakenBack(instance)) drain(instance);
  };
}

const MOVES: ReadonlySet<WorldEvent['kind']> = new Set<WorldEvent['kind']>([
  'health-changed',
  'service-changed',
  'task-stopped',
  'task-stopping',
]);

/** ECS waits for some time before it counts a task without checks as healthy; no API tells of that. */
function servingIn({ isLoadBalanced, definition, healthyCount, tasks }: Service): number {
  if (isLoadBalanced || definition.checksHealth) return healthyCount;
  return [...tasks].filter((task) => task.lastStatus === 'RUNNING' && task.desiredStatus === 'RUNNING')
    .length;
}

/**
 * What a roll has added it can't give back once somebody has spoilt the note of it; and where he has put an
 * earlier one back, it takes as much for its own: each time its surge at most.
 */
export function mistakenSurge({ customs, expectations }: Watch, group: Group): number {
  const times = customs.mistakenSurges(group);
  return times === 0 ? 0 : times * (expectations.maxSurge ?? Number.POSITIVE_INFINITY);
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
