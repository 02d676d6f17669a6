import { boot, bootLater, terminateInstance } from '../ec2/instances.ts';
import { isAlive } from '../ec2/model.ts';
import type { State } from '../state.ts';
import { closeActivities, recordActivity } from './activities.ts';
import { faultOf, launchFor, reportLaunch } from './launch.ts';
import { passHooks } from './lifecycle-hooks.ts';
import { leaveGroup, setLifecycleState } from './members.ts';
import type { Group, Member, WarmPool } from './model.ts';
import { terminationOrder } from './scale-in.ts';
import { zoneToWarmIn } from './zones.ts';

export interface WarmPoolOptions extends Pick<WarmPool, 'state'> {
  /** As both its MinSize and its MaxGroupPreparedCapacity: only then is its size absolute. */
  readonly size?: number;
  /** Without a size. Default: none, so that it follows the maximum of its group. */
  readonly maxPrepared?: number;
  /** Its instance reuse policy. Default: members that a scale-in takes out are terminated. */
  readonly reusesOnScaleIn?: boolean;
}

export const newWarmPool = ({
  size,
  maxPrepared = size,
  reusesOnScaleIn = false,
  state,
}: WarmPoolOptions): WarmPool => ({
  minSize: size ?? 0,
  maxPrepared,
  reusesOnScaleIn,
  state,
  members: new Map(),
  isRefillScheduled: false,
});

/** https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_PutWarmPool.html */
export function sizeOf({ warmPool: pool, maxSize, desiredCapacity }: Group): number {
  if (!pool) return 0;
  return Math.max(pool.minSize, (pool.maxPrepared ?? maxSize) - desiredCapacity);
}

/** Has the pool look at its size, some time from now; a look that is due already will do. */
export function touchWarmPool(state: State, group: Group) {
  const { warmPool: pool } = group;
  if (!pool || pool.isRefillScheduled) return;
  pool.isRefillScheduled = true;
  state.after('noticeCapacitySeconds', () => {
    pool.isRefillScheduled = false;
    if (state.groups.get(group.name) === group) keepSize(state, group, pool);
  });
}

function keepSize(state: State, group: Group, pool: WarmPool) {
  const { suspendedProcesses: suspended } = group;
  if (!suspended.has('HealthCheck') && !suspended.has('ReplaceUnhealthy')) dropDead(state, group, pool);
  if (!suspended.has('Terminate')) endSurplus(state, group, pool);
  if (suspended.has('Launch')) return;
  while (warmMembers(pool).length < sizeOf(group)) if (!launchWarm(state, group, pool)) return;
}

export const isWarmEnding = ({ lifecycleState }: Member) => lifecycleState.startsWith('Warmed:Terminating');

/** One that is retained counts to nothing. */
const warmMembers = ({ members }: WarmPool) =>
  [...members.values()].filter((each) => !isWarmEnding(each) && each.lifecycleState !== RETAINED);

const RETAINED = 'Warmed:Pending:Retained';

/**
 * As one is left that a group's instance reuse policy returned to its pool, and whose terminate hook was
 * abandoned.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/manage-retained-instances.html
 */
export function retainWarm(state: State, group: Group, member: Member) {
  member.instance.state = 'running';
  setLifecycleState(state, group, member, RETAINED, 'owner');
  touchWarmPool(state, group);
}

/** What it has beyond its size, by the default termination policy. */
function endSurplus(state: State, group: Group, pool: WarmPool) {
  const { warmPoolAbove } = state.readings;
  if (warmPoolAbove === 'kept') return;
  const members = warmMembers(pool);
  const surplus = terminationOrder(state, group, members).slice(
    0,
    Math.max(0, members.length - sizeOf(group)),
  );
  for (const member of surplus) {
    setLifecycleState(state, group, member, 'Warmed:Terminating', 'group');
    const terminate = () => terminateInstance(state, member.instance, 'group');
    if (warmPoolAbove === 'ended') terminate();
    else
      passHooks(state, { group, member }, 'Warmed:Terminating', 'group', {
        proceed: terminate,
        abandoned: terminate,
      });
  }
}

function dropDead(state: State, group: Group, pool: WarmPool) {
  for (const member of pool.members.values()) {
    if (isAlive(member.instance)) continue;
    setLifecycleState(state, group, member, 'Warmed:Terminating', 'group');
    if (member.instance.state === 'terminated') leaveGroup(state, group, member, 'group');
  }
}

/** From what the group launches from now. */
function launchWarm(state: State, group: Group, pool: WarmPool): boolean {
  const member = launchFor(state, group, zoneToWarmIn(state, group, pool));
  reportLaunch(state, group, member, 'Launching a new EC2 instance into warm pool');
  if (typeof member === 'string') {
    state.after('launchRetrySeconds', () => touchWarmPool(state, group));
    return false;
  }
  enterWarmPool(state, group, pool, member);
  state.after('warmUpSeconds', () => {
    if (!isAlive(member.instance) || isWarmEnding(member)) return;
    const proceed = () => settle(state, group, pool, member);
    const abandoned = () => terminateInstance(state, member.instance, 'group');
    passHooks(state, { group, member }, 'Warmed:Pending', 'group', { proceed, abandoned });
  });
  return true;
}

/**
 * A scale-in takes it out, and the group's instance reuse policy keeps it. ECS supports no such pool, so what
 * becomes of its tasks isn't followed.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/using-warm-pool.html
 */
export function returnToPool(state: State, group: Group, pool: WarmPool, member: Member) {
  group.members.delete(member.instance.id);
  enterWarmPool(state, group, pool, member);
  passHooks(state, { group, member }, 'Warmed:Pending', 'group', {
    isReturning: true,
    proceed: () => settle(state, group, pool, member),
    abandoned: () => terminateInstance(state, member.instance, 'group'),
  });
}

export function enterWarmPool(state: State, group: Group, pool: WarmPool, member: Member) {
  pool.members.set(member.instance.id, member);
  setLifecycleState(state, group, member, 'Warmed:Pending', 'group');
}

/**
 * Its instance boots without a word: an agent that heeds the warm pool registers once its instance is in
 * service.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/using-warm-pool.html
 */
export function settle(state: State, group: Group, pool: WarmPool, member: Member) {
  const { instance } = member;
  if (!isAlive(instance)) return;
  instance.state = pool.state === 'Stopped' ? 'stopped' : 'running';
  setLifecycleState(state, group, member, `Warmed:${pool.state}`, 'group');
  closeActivities(state, group, instance);
}

/** A warm instance becomes a member, whatever it was launched from; undefined if none starts. */
export function takeWarm(state: State, group: Group): Member | undefined {
  const { warmPool: pool } = group;
  const member =
    pool && [...pool.members.values()].find(({ lifecycleState: at }) => at === `Warmed:${pool.state}`);
  if (!member || !isAlive(member.instance)) return undefined;
  const { id, imageId, state: at } = member.instance;
  const problem = at === 'stopped' ? faultOf(group, { imageId }) : undefined;
  if (problem !== undefined) return failToStart(state, group, member, problem);
  pool.members.delete(id);
  group.members.set(member.instance.id, member);
  setLifecycleState(state, group, member, 'Pending', 'group');
  reportLaunch(state, group, member, 'Launching a new EC2 instance from warm pool');
  start(state, member);
  touchWarmPool(state, group);
  return member;
}

/** "The instance will be considered a failed launch and terminated": row warm-pool-start-fails. */
function failToStart(state: State, group: Group, member: Member, problem: string): undefined {
  recordActivity(state, group, {
    Description: `Launching a new EC2 instance from warm pool: ${member.instance.id}`,
    Cause: 'An instance was started in response to a difference between desired and actual capacity.',
    StatusCode: 'Failed',
    StatusMessage: problem,
  });
  setLifecycleState(state, group, member, 'Warmed:Terminating', 'group');
  terminateInstance(state, member.instance, 'group');
}

function start(state: State, { instance }: Member) {
  if (instance.state === 'running') return boot(state, instance);
  instance.state = 'pending';
  instance.launchedAtMs = state.clock.now();
  bootLater(state, instance);
}
