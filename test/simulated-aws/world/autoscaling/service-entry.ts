import { isAlive } from '../ec2/model.ts';
import type { State } from '../state.ts';
import { closeActivities } from './activities.ts';
import { passHooks } from './lifecycle-hooks.ts';
import { type Membership, setLifecycleState } from './members.ts';

/** A Pending member, whose instance runs, enters service once its hooks let it. */
export function comeUp(state: State, { group, member }: Membership) {
  state.after('inServiceSeconds', () => {
    if (member.lifecycleState !== 'Pending' || !isAlive(member.instance)) return;
    passHooks(state, { group, member }, 'Pending', 'group', () => {
      if (!isAlive(member.instance)) return;
      setLifecycleState(state, group, member, 'InService', 'group');
      closeActivities(state, group, member.instance);
    });
  });
}
