import { boot, bootLater, terminateInstance } from '../ec2/instances.ts';
import { isAlive } from '../ec2/model.ts';
import type { State } from '../state.ts';
import { closeActivities } from './activities.ts';
import { launchFor, reportLaunch } from './launch.ts';
import { passHooks } from './lifecycle-hooks.ts';
import { leaveGroup, setLifecycleState } from './members.ts';
import type { Group, Member, WarmPool } from './model.ts';
import { zoneToWarmIn } from './zones.ts';

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
  if (suspended.has('Launch')) return;
  while (warmMembers(pool).length < pool.size) if (!launchWarm(state, group, pool)) return;
}

const warmMembers = ({ members }: WarmPool) =>
  [...members.values()].filter(({ lifecycleState }) => lifecycleState !== 'Warmed:Terminating');

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
    if (!isAlive(member.instance)) return;
    const proceed = () => settle(state, group, pool, member);
    const abandoned = () => terminateInstance(state, member.instance, 'group');
    passHooks(state, { group, member }, 'Warmed:Pending', 'group', { proceed, abandoned });
  });
  return true;
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

/** A warm instance becomes a member, whatever it was launched from; undefined if there is none. */
export function takeWarm(state: State, group: Group): Member | undefined {
  const { warmPool: pool } = group;
  const member =
    pool && [...pool.members.values()].find(({ lifecycleState: at }) => at === `Warmed:${pool.state}`);
  if (!member || !isAlive(member.instance)) return undefined;
  pool.members.delete(member.instance.id);
  group.members.set(member.instance.id, member);
  setLifecycleState(state, group, member, 'Pending', 'group');
  reportLaunch(state, group, member, 'Launching a new EC2 instance from warm pool');
  start(state, member);
  touchWarmPool(state, group);
  return member;
}

function start(state: State, { instance }: Member) {
  if (instance.state === 'running') return boot(state, instance);
  instance.state = 'pending';
  instance.launchedAtMs = state.clock.now();
  bootLater(state, instance);
}
