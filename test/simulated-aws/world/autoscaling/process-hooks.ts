import type { InstanceRefreshStatus } from '@aws-sdk/client-auto-scaling';
import type { State } from '../state.ts';
import { clamp } from './capacity.ts';
import { findGroup, groupWritten } from './groups.ts';
import { endRefresh, type RefreshOptions, startRefresh } from './instance-refreshes.ts';
import type { Group, LifecycleHook } from './model.ts';

/** Default: it lets go by itself when its time is over. */
type HookOptions = Pick<LifecycleHook, 'transition' | 'seconds'> & Partial<LifecycleHook>;

type Sizes = Partial<Pick<Group, 'minSize' | 'maxSize' | 'desiredCapacity'>>;

/** How an owner sets a group up, and the processes that then work on the owner's behalf. */
export function processOwnerHooks(state: State) {
  return {
    setSizes(groupName: string, sizes: Sizes) {
      const group = findGroup(state, groupName);
      Object.assign(group, sizes);
      groupWritten(state, group, 'owner');
    },

    /** What runs elsewhere stays, as while AZRebalance is suspended. */
    setZones(groupName: string, ...zones: Group['zones']) {
      const group = findGroup(state, groupName);
      group.zones = zones;
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

    /** From now on the group evens out its zones, as every real one does. */
    enableAzRebalance(groupName: string) {
      const group = findGroup(state, groupName);
      group.isRebalanced = true;
      groupWritten(state, group, 'owner');
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
      group.desiredCapacity = desired;
      groupWritten(state, group, 'owner');
      return true;
    },

    /** @returns whether it was carried out: one that is skipped is never made up for */
    scheduledAction(groupName: string, sizes: Sizes): boolean {
      const group = findGroup(state, groupName);
      if (group.suspendedProcesses.has('ScheduledActions')) return false;
      Object.assign(group, sizes);
      group.desiredCapacity = clamp(group.desiredCapacity, group.minSize, group.maxSize);
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
