import type { ImpairedZoneHealthCheckBehavior, InstanceRefreshStatus } from '@aws-sdk/client-auto-scaling';
import { type Zone, zoneName } from '../ec2/subnets.ts';
import type { State } from '../state.ts';
import { byUpdate, clamp, noteResize } from './capacity.ts';
import { findGroup, groupWritten } from './groups.ts';
import { endRefresh, type RefreshOptions, startRefresh } from './instance-refreshes.ts';
import { warmMembershipOf } from './members.ts';
import type { Group, LifecycleHook } from './model.ts';
import { addScalingPolicy, type PolicySettings } from './scaling-policies.ts';
import { retainWarm } from './warm-pool.ts';

/** Default: it lets go by itself when its time is over. */
type HookOptions = Pick<LifecycleHook, 'transition' | 'seconds'> & Partial<LifecycleHook>;

type Sizes = Partial<Pick<Group, 'minSize' | 'maxSize' | 'desiredCapacity'>>;

/** How an owner sets a group up, and the processes that then work on the owner's behalf. */
export function processOwnerHooks(state: State) {
  return {
    setSizes(groupName: string, sizes: Sizes) {
      const group = findGroup(state, groupName);
      const { desiredCapacity: from } = group;
      Object.assign(group, sizes);
      noteResize(state, group, from, `a user request ${byUpdate(group)}`);
      groupWritten(state, group, 'owner');
    },

    /** What runs elsewhere stays, as while AZRebalance is suspended. */
    setZones(groupName: string, ...zones: Group['zones']) {
      const group = findGroup(state, groupName);
      group.zones = zones;
      groupWritten(state, group, 'owner');
    },

    /** An instance maintenance policy: what fails its health check ends once another serves. */
    launchFirst(groupName: string) {
      findGroup(state, groupName).launchesFirst = true;
    },

    allowShifts(groupName: string, unhealthy: ImpairedZoneHealthCheckBehavior) {
      findGroup(state, groupName).impairmentPolicy = {
        ZonalShiftEnabled: true,
        ImpairedZoneHealthCheckBehavior: unhealthy,
      };
    },

    /** Of a group that allows it. None: it is over. */
    shiftZone(groupName: string, zone?: Zone) {
      const group = findGroup(state, groupName);
      group.shiftedZone = zone && zoneName(state, zone);
      groupWritten(state, group, 'owner');
    },

    suspend(groupName: string, ...processes: readonly string[]) {
      const group = findGroup(state, groupName);
      for (const process of processes) group.suspendedProcesses.add(process);
      groupWritten(state, group, 'owner');
    },

    resume(groupName: string, ...processes: readonly string[]) {
      const group = findGroup(state, groupName);
      for (const process of processes) group.suspendedProcesses.delete(process);
      groupWritten(state, group, 'owner');
    },

    addLifecycleHook(groupName: string, hook: HookOptions) {
      const { lifecycleHooks: hooks } = findGroup(state, groupName);
      hooks.push({ name: `hook-${hooks.length + 1}`, defaultResult: 'CONTINUE', ...hook });
    },

    /**
     * An instance lifecycle policy:
     * https://docs.aws.amazon.com/autoscaling/ec2/userguide/instance-lifecycle-policy.html
     */
    retainAbandoned(groupName: string) {
      findGroup(state, groupName).retainsAbandoned = true;
    },

    /** Of an instance in a warm pool. */
    retainWarm(instanceId: string) {
      const found = warmMembershipOf(state, { id: instanceId });
      if (!found) throw new Error(`${instanceId} is in no warm pool`);
      retainWarm(state, found.group, found.member);
    },

    /**
     * A scaling policy moves the desired capacity, within the bounds, by its alarm.
     *
     * @returns whether it did
     */
    scale(groupName: string, by: number): boolean {
      const group = findGroup(state, groupName);
      const desired = clamp(group.desiredCapacity + by, group.minSize, group.maxSize);
      if (group.suspendedProcesses.has('AlarmNotification') || desired === group.desiredCapacity)
        return false;
      const { desiredCapacity: from } = group;
      group.desiredCapacity = desired;
      noteResize(state, group, from, 'a monitor alarm load in state ALARM triggered policy load');
      groupWritten(state, group, 'owner');
      return true;
    },

    /** A scaling policy of the owner's that goes by the group's load. */
    addScalingPolicy: (groupName: string, policy: PolicySettings) =>
      addScalingPolicy(state, findGroup(state, groupName), policy),

    /** @returns whether it was carried out: one that is skipped is never made up for */
    scheduledAction(groupName: string, sizes: Sizes): boolean {
      const group = findGroup(state, groupName);
      if (group.suspendedProcesses.has('ScheduledActions')) return false;
      const { desiredCapacity: from } = group;
      Object.assign(group, sizes);
      group.desiredCapacity = clamp(group.desiredCapacity, group.minSize, group.maxSize);
      noteResize(state, group, from, `a scheduled action ${byUpdate(group)}`);
      groupWritten(state, group, 'owner');
      return true;
    },

    /** Throws if one is under way, or, by one reading, while InstanceRefresh is suspended. */
    startInstanceRefresh(groupName: string, options: RefreshOptions = {}) {
      return startRefresh(state, findGroup(state, groupName), options);
    },

    endInstanceRefresh(groupName: string, status: InstanceRefreshStatus = 'Successful') {
      endRefresh(state, findGroup(state, groupName), status);
    },
  };
}
