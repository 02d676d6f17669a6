import { isAlive } from '../ec2/model.ts';
import type { State } from '../state.ts';
import { activityUnderWay, cancelActivity, closeActivities } from './activities.ts';
import { endMember } from './ending.ts';
import { passHooks } from './lifecycle-hooks.ts';
import { type Membership, setLifecycleState } from './members.ts';
import { touchGroup } from './touch.ts';

/** A Pending member, whose instance runs, enters service once its hooks let it. */
export function comeUp(state: State, { group, member }: Membership) {
  state.after('inServiceSeconds', () => {
    if (member.lifecycleState !== 'Pending' || !isAlive(member.instance)) return;
    passHooks(state, { group, member }, 'Pending', 'group', {
      proceed() {
        if (!isAlive(member.instance)) return;
        setLifecycleState(state, group, member, 'InService', 'group');
        closeActivities(state, group, member.instance);
      },
      abandoned: () => abandon(state, { group, member }),
    });
  });
}

const ABANDONED =
  "Instance failed to complete user's Lifecycle Action: Lifecycle Action with token was abandoned: Heartbeat Timeout";

/**
 * Hooks are for launches and terminations alone, not for what is attached or leaves Standby.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/lifecycle-hooks.html
 */
export function comeBack(state: State, { group, member }: Membership) {
  state.after('inServiceSeconds', () => {
    if (member.lifecycleState !== 'Pending' || !isAlive(member.instance)) return;
    setLifecycleState(state, group, member, 'InService', 'group');
    closeActivities(state, group, member.instance);
  });
}

/** It is ended, and another launched for it. */
function abandon(state: State, { group, member }: Membership) {
  const launch = activityUnderWay(group, member.instance);
  if (launch) cancelActivity(state, launch, ABANDONED);
  endMember(state, group, member, { why: 'a launch that was abandoned', cause: 'group' });
  touchGroup(state, group);
}
