import type { Activity } from '@aws-sdk/client-auto-scaling';
import type { Cause } from '../events.ts';
import type { State } from '../state.ts';
import { completeActivity, recordActivity } from './activities.ts';
import { drainConnections, isServing } from './connection-draining.ts';
import { setLifecycleState } from './members.ts';
import type { Group, Member } from './model.ts';
import { comeBack } from './service-entry.ts';
import { touchGroup } from './touch.ts';

export function enterStandby(state: State, group: Group, member: Member, cause: Cause): Activity {
  const wasServing = isServing(group, member);
  setLifecycleState(state, group, member, 'EnteringStandby', cause);
  const activity = moving(state, group, member, 'to Standby');
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
export function exitStandby(state: State, group: Group, member: Member, cause: Cause): Activity {
  setLifecycleState(state, group, member, 'Pending', cause);
  const activity = moving(state, group, member, 'out of Standby');
  // https://docs.aws.amazon.com/autoscaling/ec2/userguide/example_auto-scaling_ExitStandby_section.html
  Object.assign(activity, { StatusCode: 'PreInService', Progress: 30 });
  comeBack(state, { group, member });
  touchGroup(state, group);
  return activity;
}

function moving(state: State, group: Group, { instance: { id } }: Member, where: string) {
  return recordActivity(state, group, {
    Description: `Moving EC2 instance ${where}: ${id}`,
    Cause: `Instance ${id} was moved ${where} in response to a user request.`,
    StatusCode: 'InProgress',
  });
}
