import {
  type Activity,
  DescribeScalingActivitiesCommand,
  type DescribeScalingActivitiesType,
  type Filter,
} from '@aws-sdk/client-auto-scaling';
import { type Operation, on } from '../../account/operation.ts';
import { assertAtMost, createPager } from '../paging.ts';
import type { State } from '../state.ts';
import { findGroup, validationError } from './groups.ts';
import type { Group } from './model.ts';

const MAX_IDS = 50;
const KEPT_MS = 42 * 86_400_000;

/**
 * Those that began within six weeks, the latest first, but before all others those that are in progress.
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_DescribeScalingActivities.html
 */
export function describeActivities(state: State): Operation {
  const page = createPager<Activity>('DescribeScalingActivities', {
    default: 100,
    max: 100,
    tokenCode: 'InvalidNextToken',
    limitCode: 'ValidationError',
  });
  return on(
    DescribeScalingActivitiesCommand,
    {
      ActivityIds: 'all',
      AutoScalingGroupName: 'all',
      IncludeDeletedGroups: 'all',
      IncludeManagedResources: 'all',
      Filters: 'all',
      NextToken: 'all',
      MaxRecords: 'all',
    },
    (input) => {
      // ledger: activities-ids
      assertAtMost(MAX_IDS, input.ActivityIds ?? [], 'ValidationError', 'Activity ids');
      const wanted = new Set(input.ActivityIds);
      const tests = (input.Filters ?? []).map((filter) => activityTest(input, filter));
      const told = groupsAsked(state, input.AutoScalingGroupName, input.IncludeDeletedGroups ?? false)
        .flatMap((group) => group.activities.map((activity) => described(state, group, activity)))
        .filter((activity) => isTold(state, activity))
        .filter(({ ActivityId: id = '' }) => !wanted.size || wanted.has(id))
        .filter((activity) => tests.every((test) => test(activity)))
        .sort(inProgressFirst);
      const { items, token } = page(told, { limit: input.MaxRecords, token: input.NextToken });
      return { Activities: [...items], NextToken: token };
    },
  );
}

/** https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_DescribeScalingActivities.html */
function activityTest(
  { AutoScalingGroupName: group }: DescribeScalingActivitiesType,
  { Name: name, Values = [] }: Filter,
): (activity: Activity) => boolean {
  const [value = ''] = Values;
  switch (name) {
    case 'StartTimeLowerBound':
      return ({ StartTime = new Date(0) }) => StartTime >= new Date(value);
    case 'StartTimeUpperBound':
      return ({ StartTime = new Date(0) }) => StartTime <= new Date(value);
    case 'Status':
      // ledger: activities-status-of-group
      if (group === undefined) throw validationError('Status is only valid with AutoScalingGroupName.');
      return ({ StatusCode = '' }) => Values.includes(StatusCode);
    default:
      // ledger: activities-filters
      throw validationError(`Filter type ${name} is not correct.`);
  }
}

function groupsAsked(state: State, name: string | undefined, deletedToo: boolean): Group[] {
  const deleted = deletedToo ? state.deletedGroups : [];
  if (name === undefined) return [...state.groups.values(), ...deleted];
  const named = deleted.filter((group) => group.name === name);
  return named.length > 0 && !state.groups.has(name) ? named : [findGroup(state, name), ...named];
}

function described({ groups }: State, group: Group, activity: Activity): Activity {
  const isThere = groups.get(group.name) === group;
  return {
    ...activity,
    AutoScalingGroupARN: group.arn,
    AutoScalingGroupState: isThere ? 'InService' : 'Deleted',
  };
}

function isTold({ clock, delays }: State, { StartTime }: Activity): boolean {
  const ageMs = clock.now() - (StartTime?.getTime() ?? 0);
  return ageMs >= delays.activitySeconds * 1000 && ageMs < KEPT_MS;
}

/** The sort keeps the order of what is equal: each group's are the latest first. */
function inProgressFirst(a: Activity, b: Activity): number {
  return Number(a.EndTime !== undefined) - Number(b.EndTime !== undefined);
}
