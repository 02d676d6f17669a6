import {
  TerminateInstanceInAutoScalingGroupCommand,
  type TerminateInstanceInAutoScalingGroupType,
} from '@aws-sdk/client-auto-scaling';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import { terminateInstance } from '../ec2/instances.ts';
import { assertAtMost } from '../paging.ts';
import type { State } from '../state.ts';
import { activityUnderWay } from './activities.ts';
import { decrement } from './capacity.ts';
import { endMember } from './ending.ts';
import { findGroup, validationError } from './groups.ts';
import { isEnding } from './members.ts';
import type { Group, Member } from './model.ts';
import { touchGroup } from './touch.ts';

const MAX_IDS = 100;

/** It goes by hooks, and heeds neither protection from scale-in nor a suspended Terminate. */
export function terminationInGroup(state: State): Operation {
  return on(TerminateInstanceInAutoScalingGroupCommand, 'all', (input) => {
    const { group, members } = requested(state, input);
    for (const member of members) assertIdle(group, member);
    const leaving = members.filter((member) => !isEnding(member));
    const resize = input.ShouldDecrementDesiredCapacity ? decrement(state, group, leaving, 'call') : '';
    const activities = members.flatMap((member) => end(state, group, member, resize) ?? []);
    touchGroup(state, group);
    return input.InstanceIds ? { Activities: activities } : { Activity: activities[0] };
  });
}

/** One that is ending already just goes on, unless it is retained until this very call. */
function end(state: State, group: Group, member: Member, resize: string) {
  if (member.lifecycleState === 'Terminating:Retained') terminateInstance(state, member.instance, 'call');
  if (isEnding(member)) return activityUnderWay(group, member.instance);
  return endMember(state, group, member, { why: `a user request${resize}`, cause: 'call' });
}

function requested(state: State, input: TerminateInstanceInAutoScalingGroupType) {
  const { InstanceId: id, InstanceIds: ids, AutoScalingGroupName: name } = input;
  if ((id === undefined) === (ids === undefined))
    // ledger: terminate-id-or-ids
    throw validationError('Either InstanceId or InstanceIds is required, not both.');
  // ledger: terminate-ids-of-group
  if (ids && name === undefined) throw validationError('InstanceIds requires AutoScalingGroupName.');
  if (input.ShouldDecrementDesiredCapacity === undefined)
    // ledger: terminate-decrement-required
    throw validationError('ShouldDecrementDesiredCapacity is required.');
  // ledger: terminate-most
  assertAtMost(MAX_IDS, ids ?? [], 'ValidationError', 'Instance ids');
  const wanted = [...new Set(ids ?? [id ?? ''])];
  const group = name === undefined ? groupOf(state, wanted[0] ?? '') : findGroup(state, name);
  return { group, members: wanted.map((one) => group.members.get(one) ?? refuse(one)) };
}

function groupOf(state: State, id: string): Group {
  return [...state.groups.values()].find(({ members }) => members.has(id)) ?? refuse(id);
}

/** The wording: https://github.com/yaybu/touchdown/issues/51. A warm-pool instance doesn't count either. */
function refuse(id: string): never {
  // ledger: terminate-stranger, terminate-all-members, terminate-warm
  throw validationError(`Instance Id not found - No managed instance found for instance ID: ${id}`);
}

/** https://github.com/keikoproj/upgrade-manager/issues/77 */
function assertIdle(group: Group, member: Member) {
  const activity = activityUnderWay(group, member.instance);
  if (!activity || isEnding(member)) return;
  // ledger: terminate-busy
  throw new AwsError('ScalingActivityInProgress', `Activity ${activity.ActivityId} is in progress.`);
}
