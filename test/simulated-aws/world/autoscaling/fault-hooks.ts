import { terminateInstance } from '../ec2/instances.ts';
import type { State } from '../state.ts';
import { launchFirst } from './az-rebalance.ts';
import { findGroup } from './groups.ts';
import { markUnhealthy, passHealthCheck } from './health.ts';
import { memberOrThrow } from './owner-hooks.ts';

/** https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-instance-termination-notices.html */
const SPOT_NOTICE_SECONDS = 120;

export interface LaunchFault {
  readonly message: string;
  /** Only launches of this image. Default: of any. */
  readonly imageId?: string;
  /** How many; 0 ends the fault. Default: all from now on. */
  readonly count?: number;
}

export function groupFaultHooks(state: State) {
  return {
    /** A health check of the member fails from now on. */
    setUnhealthy(instanceId: string) {
      const { group, member } = memberOrThrow(state, instanceId);
      markUnhealthy(state, group, member);
    },

    /**
     * What EC2's application status checks of an instance come to. One that is impaired is unhealthy,
     * whatever the group's HealthCheckType:
     * https://docs.aws.amazon.com/autoscaling/ec2/userguide/use-application-status-checks-auto-scaling-group.html
     */
    setApplicationStatus(instanceId: string, status: 'ok' | 'impaired') {
      const { group, member } = memberOrThrow(state, instanceId);
      if (status === 'impaired') markUnhealthy(state, group, member);
      else passHealthCheck(member);
    },

    /** Launches of the group fail, and the activities say why. Replaces an earlier request. */
    failLaunches(groupName: string, { message, imageId, count = Number.POSITIVE_INFINITY }: LaunchFault) {
      findGroup(state, groupName).launchFault = { message, imageId, left: count };
    },

    /** Capacity Rebalancing replaces it. @returns whether it has begun to */
    recommendRebalance(instanceId: string): boolean {
      const { group, member } = memberOrThrow(state, instanceId);
      return launchFirst(state, group, member);
    },

    /**
     * It is ended two minutes from now. Its own metadata tell of it at once; the event bus, of which AWS
     * promises its best only, after some seconds, or never.
     */
    interruptSpot(instanceId: string, warnsAfterSeconds: number | 'never' = 0) {
      const instance = state.instances.get(instanceId);
      if (!instance) throw new Error(`No instance ${instanceId}`);
      const warn = (to: 'instance' | 'event-bus') => state.emit({ kind: 'spot-warning', instance, to });
      warn('instance');
      if (warnsAfterSeconds === 0) warn('event-bus');
      else if (warnsAfterSeconds !== 'never')
        state.clock.schedule(warnsAfterSeconds, () => warn('event-bus'));
      state.clock.schedule(SPOT_NOTICE_SECONDS, () => terminateInstance(state, instance, 'fault'));
    },
  };
}
