import type { Instance } from '../ec2/model.ts';
import type { State } from '../state.ts';
import { followZones, settleNewcomer } from './az-rebalance.ts';
import { removeEnded } from './ending.ts';
import { checkHealth, replaceUnhealthy } from './health.ts';
import { tryLaunch } from './launch.ts';
import { isCounted, isEnding, leaveGroup, membershipOf, warmMembershipOf } from './members.ts';
import type { Group } from './model.ts';
import { scaleIn } from './scale-in.ts';
import { comeUp } from './service-entry.ts';
import { touchGroup } from './touch.ts';
import { isWarmEnding, takeWarm, touchWarmPool } from './warm-pool.ts';
import { weightOf } from './weights.ts';

function reconcile(state: State, group: Group) {
  checkHealth(state, group);
  replaceUnhealthy(state, group);
  settleNewcomer(state, group);
  const counted = [...group.members.values()].filter(
    (member) => isCounted(member) && member !== group.newcomer,
  );
  const lack = Math.min(group.desiredCapacity, group.maxSize) - weightOf(group, counted);
  if (lack > 0 && !group.suspendedProcesses.has('Launch')) launch(state, group, lack);
  if (lack < 0 && !group.suspendedProcesses.has('Terminate')) scaleIn(state, group, counted, -lack);
  group.resizedBy = '';
  touchWarmPool(state, group);
}

function launch(state: State, group: Group, lack: number) {
  for (let left = lack; left > 0; ) {
    const member = takeWarm(state, group) ?? tryLaunch(state, group);
    if (!member) {
      state.after('launchRetrySeconds', () => touchGroup(state, group));
      return;
    }
    left -= weightOf(group, [member]);
  }
}

/** Keeps every group in step with what becomes of its instances. */
export function followInstances(state: State) {
  state.subscribe((event) => {
    if (event.kind === 'group-due') reconcile(state, event.group);
    if (event.kind === 'instance-running') {
      const found = membershipOf(state, event.instance);
      if (found?.member.lifecycleState === 'Pending') comeUp(state, found);
    }
    if (event.kind === 'instance-terminating' && event.cause !== 'group') noticeDead(state, event.instance);
    if (event.kind === 'instance-terminated') forget(state, event.instance);
  });
  followZones(state);
}

function noticeDead(state: State, instance: Instance) {
  const found = membershipOf(state, instance) ?? warmMembershipOf(state, instance);
  if (found && !isEnding(found.member))
    state.after('noticeDeadMemberSeconds', () => touchGroup(state, found.group));
}

function forget(state: State, instance: Instance) {
  const found = membershipOf(state, instance);
  const isHeld = state.readings.goneAtHook === 'held' && found?.member.lifecycleState === 'Terminating:Wait';
  if (found && isEnding(found.member) && !isHeld) removeEnded(state, found.group, found.member);
  const warm = warmMembershipOf(state, instance);
  if (warm && isWarmEnding(warm.member)) leaveGroup(state, warm.group, warm.member, 'group');
}
