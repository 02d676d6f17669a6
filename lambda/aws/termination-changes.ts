import {
  CompleteLifecycleActionCommand,
  RecordLifecycleActionHeartbeatCommand,
} from '@aws-sdk/client-auto-scaling';
import { DRAIN_HOOK } from '../contract.ts';
import type { Aws } from './clients.ts';
import { hasCode } from './errors.ts';
import type { HeldMember } from './terminations.ts';

/**
 * Our hook lets go of an instance. It never says ABANDON, by which the others would be skipped.
 *
 * @returns whether it held it
 */
export function release(aws: Aws, held: HeldMember): Promise<boolean> {
  const input = { ...actionOf(held), LifecycleActionResult: 'CONTINUE' };
  return whereHeld(aws.autoScaling.send(new CompleteLifecycleActionCommand(input)));
}

/** Restarts the time of our hook. @returns whether it holds the instance */
export function keepUp(aws: Aws, held: HeldMember): Promise<boolean> {
  return whereHeld(aws.autoScaling.send(new RecordLifecycleActionHeartbeatCommand(actionOf(held))));
}

const actionOf = ({ instanceId, group }: HeldMember) => ({
  AutoScalingGroupName: group,
  LifecycleHookName: DRAIN_HOOK,
  InstanceId: instanceId,
});

/** AWS names no code for it: `No active Lifecycle Action found with instance ID i-…`. */
async function whereHeld(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (hasCode(error, 'ValidationError') && /no active lifecycle action/i.test(error.message)) return false;
    throw error;
  }
}
