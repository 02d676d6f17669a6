import type { Cause } from '../events.ts';
import type { State } from '../state.ts';
import { setLifecycleState } from './members.ts';
import type { Group, LifecycleHook, Member } from './model.ts';

const TRANSITIONS = {
  Pending: 'launching',
  'Warmed:Pending': 'launching',
  Terminating: 'terminating',
} as const satisfies Record<string, LifecycleHook['transition']>;

/**
 * Does `step` once the hooks of a transition have let go of the member; they all hold it at once. Whoever takes it out of
 * its wait meanwhile takes it away from them.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/lifecycle-hooks-overview.html
 */
export function passHooks(
  state: State,
  { group, member }: { readonly group: Group; readonly member: Member },
  heldIn: keyof typeof TRANSITIONS,
  cause: Cause,
  step: () => void,
) {
  const hooks = group.lifecycleHooks.filter(({ transition }) => transition === TRANSITIONS[heldIn]);
  if (hooks.length === 0) return step();
  setLifecycleState(state, group, member, `${heldIn}:Wait`, cause);
  state.clock.schedule(Math.max(...hooks.map(({ seconds }) => seconds)), () => {
    if (member.lifecycleState !== `${heldIn}:Wait`) return;
    setLifecycleState(state, group, member, `${heldIn}:Proceed`, cause);
    state.after('inServiceSeconds', () => {
      if (member.lifecycleState === `${heldIn}:Proceed`) step();
    });
  });
}
