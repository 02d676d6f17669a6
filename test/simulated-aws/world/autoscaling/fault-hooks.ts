import { terminateInstance } from '../ec2/instances.ts';
import type { State } from '../state.ts';
import { findGroup } from './groups.ts';
import { markUnhealthy } from './health.ts';
import { memberOrThrow } from './owner-hooks.ts';

/** https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-instance-termination-notices.html */
const SPOT_NOTICE_SECONDS = 120;

export function groupFaultHooks(state: State) {
  return {
    /** A health check of the member fails from now on. */
    setUnhealthy(instanceId: string) {
      const { group, member } = memberOrThrow(state, instanceId);
      markUnhealthy(state, group, member);
    },

    /** The next `count` launches of the group fail, and the activities tell why: `message`. */
    failLaunches(groupName: string, message: string, count: number) {
      findGroup(state, groupName).launchFault = { message, left: count };
    },

    /** It is ended two minutes from now. */
    interruptSpot(instanceId: string) {
      const instance = state.instances.get(instanceId);
      if (!instance) throw new Error(`No instance ${instanceId}`);
      state.clock.schedule(SPOT_NOTICE_SECONDS, () => terminateInstance(state, instance, 'fault'));
    },
  };
}
