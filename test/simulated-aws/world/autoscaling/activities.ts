import type { Activity } from '@aws-sdk/client-auto-scaling';
import type { State } from '../state.ts';
import type { Group } from './model.ts';

type ActivityReport = Pick<Activity, 'Description' | 'Cause' | 'StatusCode' | 'StatusMessage'>;

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

export function completeActivity(state: State, activity: Activity) {
  activity.StatusCode = 'Successful';
  activity.Progress = 100;
  activity.EndTime = new Date(state.clock.now());
}
