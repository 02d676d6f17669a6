import type { Activity } from '@aws-sdk/client-auto-scaling';
import type { Instance } from '../ec2/model.ts';
import type { State } from '../state.ts';
import type { Group } from './model.ts';

type ActivityReport = Pick<Activity, 'Description' | 'Cause' | 'Details' | 'StatusCode' | 'StatusMessage'>;

/** Writes down what the group did; the newest comes first. */
export function recordActivity(state: State, group: Group, report: ActivityReport): Activity {
  const at = new Date(state.clock.now());
  const isOver = report.StatusCode !== 'InProgress';
  const activity: Activity = {
    ...report,
    ActivityId: state.ids.uuid(),
    AutoScalingGroupName: group.name,
    StartTime: at,
    ...(isOver && { EndTime: at }),
    Progress: isOver ? 100 : 50,
  };
  group.activities.unshift(activity);
  return activity;
}

/** How causes begin, such as `At 2026-11-21T12:00:00.000Z`. */
export const atNow = ({ clock }: State) => `At ${new Date(clock.now()).toISOString()}`;

/** What the group is about to do with an instance; its description ends in the instance's id. */
export function activityUnderWay(group: Group, { id }: Instance): Activity | undefined {
  return group.activities.find((one) => one.EndTime === undefined && one.Description?.endsWith(`: ${id}`));
}

export function completeActivity(state: State, activity: Activity) {
  activity.StatusCode = 'Successful';
  activity.Progress = 100;
  activity.EndTime = new Date(state.clock.now());
}

export function cancelActivity(state: State, activity: Activity, message: string) {
  activity.StatusCode = 'Cancelled';
  activity.StatusMessage = message;
  activity.EndTime = new Date(state.clock.now());
}

/** Completes all that the group was about to do with an instance. */
export function closeActivities(state: State, group: Group, instance: Instance) {
  for (
    let activity = activityUnderWay(group, instance);
    activity;
    activity = activityUnderWay(group, instance)
  )
    completeActivity(state, activity);
}
