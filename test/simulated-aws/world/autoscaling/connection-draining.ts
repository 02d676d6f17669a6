import type { Activity } from '@aws-sdk/client-auto-scaling';
import type { State } from '../state.ts';
import type { Group, Member } from './model.ts';

/** Whether load balancers have sent it requests. */
export function isServing(
  { targetGroupArns, loadBalancerNames }: Group,
  { lifecycleState }: Member,
): boolean {
  return lifecycleState === 'InService' && targetGroupArns.size + loadBalancerNames.size > 0;
}

/**
 * Does `step` once a member that was serving is deregistered, for which Auto Scaling waits before it lets go
 * of the member.
 * https://docs.aws.amazon.com/elasticloadbalancing/latest/classic/config-conn-drain.html
 */
export function drainConnections(state: State, wasServing: boolean, activity: Activity, step: () => void) {
  if (!wasServing) return step();
  activity.StatusCode = 'WaitingForELBConnectionDraining';
  state.after('deregistrationSeconds', () => {
    activity.StatusCode = 'InProgress';
    step();
  });
}
