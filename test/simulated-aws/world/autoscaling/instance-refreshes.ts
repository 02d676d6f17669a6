import {
  DescribeInstanceRefreshesCommand,
  type DesiredConfiguration,
  type InstanceRefresh,
  type InstanceRefreshStatus,
} from '@aws-sdk/client-auto-scaling';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import { createPager } from '../paging.ts';
import type { State } from '../state.ts';
import { endMember } from './ending.ts';
import { findGroup, validationError } from './groups.ts';
import type { Group, Member } from './model.ts';
import { replaceRootVolume } from './root-volumes.ts';
import { touchGroup } from './touch.ts';

const UNDER_WAY: ReadonlySet<string | undefined> = new Set<InstanceRefreshStatus>([
  'Pending',
  'InProgress',
  'Baking',
  'Cancelling',
  'RollbackInProgress',
]);

export interface RefreshOptions {
  /** Default: InProgress. */
  readonly status?: InstanceRefreshStatus;
  /** Without one its group's launch spec may be changed meanwhile. */
  readonly desires?: DesiredConfiguration;
  /** Ends the members that were there, one after the other. Default: it is one in name only. */
  readonly replaces?: boolean;
  /** They are not ended, but get root volumes by this image. */
  readonly rootImageId?: string;
}

/** How long it takes from one member to the next. */
const STEP_SECONDS = 120;

/**
 * Suspended, the process "pauses the operation without canceling it"; whether one can be started then isn't
 * written:
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/understand-how-suspending-processes-affects-other-processes.html
 */
export function startRefresh(
  state: State,
  group: Group,
  { status = 'InProgress', desires, replaces = false, rootImageId }: RefreshOptions,
): InstanceRefresh {
  if (isPaused(group) && state.readings.refreshWhileSuspended === 'refused')
    // ledger: start-refresh-suspended
    throw new AwsError('ValidationError', `InstanceRefresh is suspended for ${group.name}`);
  if (refreshUnderWay(group))
    // ledger: start-refresh-under-way
    throw new AwsError('InstanceRefreshInProgress', 'An Instance Refresh is already in progress');
  const refresh: InstanceRefresh = {
    InstanceRefreshId: state.ids.uuid(),
    AutoScalingGroupName: group.name,
    Status: status,
    Strategy: rootImageId === undefined ? 'Rolling' : 'ReplaceRootVolume',
    PercentageComplete: 0,
    InstancesToUpdate: group.members.size,
    ...(desires && { DesiredConfiguration: desires }),
    ...(status !== 'Pending' && { StartTime: new Date(state.clock.now()) }),
  };
  group.instanceRefreshes.unshift(refresh);
  const replace = (member: Member) =>
    rootImageId === undefined
      ? endMember(state, group, member, { why: 'an instance refresh', cause: 'group' })
      : replaceRootVolume(state, { group, member }, rootImageId);
  if (replaces) replaceNext(state, group, refresh, [...group.members.values()], replace);
  return refresh;
}

function replaceNext(
  state: State,
  group: Group,
  refresh: InstanceRefresh,
  left: readonly Member[],
  replace: (member: Member) => void,
) {
  state.clock.schedule(STEP_SECONDS, () => {
    if (refreshUnderWay(group) !== refresh) return;
    const [next, ...others] = left.filter(({ lifecycleState }) => lifecycleState === 'InService');
    if (isPaused(group)) return replaceNext(state, group, refresh, left, replace);
    if (next === undefined) return endRefresh(state, group, 'Successful');
    replace(next);
    touchGroup(state, group);
    replaceNext(state, group, refresh, others, replace);
  });
}

const isPaused = ({ suspendedProcesses }: Group) => suspendedProcesses.has('InstanceRefresh');

/** https://docs.aws.amazon.com/autoscaling/ec2/userguide/instance-refresh-overview.html */
export function assertNoDesiredConfiguration(group: Group) {
  if (refreshUnderWay(group)?.DesiredConfiguration === undefined) return;
  // ledger: update-refresh-desired
  throw validationError(
    'An active instance refresh with a desired configuration exists. All configuration options derived from the desired configuration are not available for update while the instance refresh is active.',
  );
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
