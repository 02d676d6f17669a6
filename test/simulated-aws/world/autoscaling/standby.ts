import type { Activity } from '@aws-sdk/client-auto-scaling';
import type { Cause } from '../events.ts';
import type { State } from '../state.ts';
import { atNow, completeActivity, recordActivity } from './activities.ts';
import { drainConnections, isServing } from './connection-draining.ts';
import { setLifecycleState } from './members.ts';
import type { Group, Member } from './model.ts';
import { comeBack } from './service-entry.ts';
import { touchGroup } from './touch.ts';

/** @param resize what the activity says of the size */
export function enterStandby(
  state: State,
  group: Group,
  member: Member,
  cause: Cause,
  resize: string,
): Activity {
  const wasServing = isServing(group, member);
  setLifecycleState(state, group, member, 'EnteringStandby', cause);
  const activity = moving(state, group, member, 'to standby', resize);
  touchGroup(state, group);
  drainConnections(state, wasServing, activity, () => {
    state.after('standbySeconds', () => {
      completeActivity(state, activity);
      if (member.lifecycleState === 'EnteringStandby')
        setLifecycleState(state, group, member, 'Standby', cause);
    });
  });
  return activity;
}

/** It comes back past all launch hooks. */
export function exitStandby(
  state: State,
  group: Group,
  member: Member,
  cause: Cause,
  resize: string,
): Activity {
  setLifecycleState(state, group, member, 'Pending', cause);
  const activity = moving(state, group, member, 'out of standby', resize);
  // https://docs.aws.amazon.com/autoscaling/ec2/userguide/example_auto-scaling_ExitStandby_section.html
  Object.assign(activity, { StatusCode: 'PreInService', Progress: 30 });
  comeBack(state, { group, member });
  touchGroup(state, group);
  return activity;
}

/** In AWS's words: https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_EnterStandby.html */
export function moving(
  state: State,
  group: Group,
  { instance: { id } }: Member,
  where: 'to standby' | 'out of standby',
  resize: string,
): Activity {
  return recordActivity(state, group, {
    Description: `Moving EC2 instance ${where.replace('standby', 'Standby')}: ${id}`,
    Cause: `${atNow(state)} instance ${id} was moved ${where} in response to a user request${resize}.`,
    StatusCode: 'InProgress',
  });
}
