import {
  DescribeInstanceRefreshesCommand,
  type InstanceRefresh,
  type InstanceRefreshStatus,
} from '@aws-sdk/client-auto-scaling';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import { createPager } from '../paging.ts';
import type { State } from '../state.ts';
import { findGroup } from './groups.ts';
import type { Group } from './model.ts';

const UNDER_WAY: ReadonlySet<string | undefined> = new Set<InstanceRefreshStatus>([
  'Pending',
  'InProgress',
  'Baking',
  'Cancelling',
  'RollbackInProgress',
]);

/** A refresh in name only: it replaces nothing. */
export function startRefresh(state: State, group: Group, status: InstanceRefreshStatus): InstanceRefresh {
  if (group.suspendedProcesses.has('InstanceRefresh'))
    throw new AwsError('ValidationError', `InstanceRefresh is suspended for ${group.name}`);
  if (refreshUnderWay(group))
    throw new AwsError('InstanceRefreshInProgress', 'An Instance Refresh is already in progress');
  const refresh: InstanceRefresh = {
    InstanceRefreshId: state.ids.uuid(),
    AutoScalingGroupName: group.name,
    Status: status,
    PercentageComplete: 0,
    InstancesToUpdate: group.members.size,
    ...(status !== 'Pending' && { StartTime: new Date(state.clock.now()) }),
  };
  group.instanceRefreshes.unshift(refresh);
  return refresh;
}

export function endRefresh(state: State, group: Group, status: InstanceRefreshStatus) {
  const refresh = refreshUnderWay(group);
  if (!refresh) throw new Error(`No instance refresh of ${group.name} is under way`);
  const EndTime = new Date(state.clock.now());
  Object.assign(refresh, { Status: status, PercentageComplete: 100, InstancesToUpdate: 0, EndTime });
}

const refreshUnderWay = (group: Group) => group.instanceRefreshes.find(({ Status }) => UNDER_WAY.has(Status));

export function describeInstanceRefreshes(state: State): Operation {
  const page = createPager<InstanceRefresh>('DescribeInstanceRefreshes', {
    default: 50,
    max: 100,
    tokenCode: 'InvalidNextToken',
    limitCode: 'ValidationError',
  });
  return on(DescribeInstanceRefreshesCommand, 'all', (input) => {
    const { instanceRefreshes } = findGroup(state, input.AutoScalingGroupName);
    const wanted = new Set(input.InstanceRefreshIds);
    const found = instanceRefreshes.filter(
      ({ InstanceRefreshId: id = '' }) => !wanted.size || wanted.has(id),
    );
    const { items, token } = page(found, { limit: input.MaxRecords, token: input.NextToken });
    return { InstanceRefreshes: [...items], NextToken: token };
  });
}
