import {
  CompleteLifecycleActionCommand,
  type LifecycleHook as Described,
  DescribeLifecycleHooksCommand,
  RecordLifecycleActionHeartbeatCommand,
} from '@aws-sdk/client-auto-scaling';
import { type Operation, on } from '../../account/operation.ts';
import { assertAtMost } from '../paging.ts';
import type { State } from '../state.ts';
import { findGroup, validationError } from './groups.ts';
import { completeAction, globalTimeoutOf, recordHeartbeat } from './lifecycle-hooks.ts';
import type { Group, LifecycleHook, Member } from './model.ts';

const MAX_NAMES = 50;

/** Nobody gets a token: notifications and events aren't simulated. */
const NAMED = { LifecycleHookName: 'all', AutoScalingGroupName: 'all', InstanceId: 'all' } as const;

export function lifecycleHookOperations(state: State): Operation[] {
  return [
    on(DescribeLifecycleHooksCommand, 'all', ({ AutoScalingGroupName: name, LifecycleHookNames: names }) => {
      const group = findGroup(state, name);
      // ledger: describe-hooks-names
      assertAtMost(MAX_NAMES, names ?? [], 'ValidationError', 'Lifecycle hook names');
      const hooks = group.lifecycleHooks.filter((hook) => !names?.length || names.includes(hook.name));
      return { LifecycleHooks: hooks.map((hook) => describe(group, hook)) };
    }),

    on(CompleteLifecycleActionCommand, { ...NAMED, LifecycleActionResult: 'all' }, (input) => {
      const { LifecycleActionResult: result } = input;
      if (result !== 'CONTINUE' && result !== 'ABANDON')
        // ledger: complete-action-result
        throw validationError('LifecycleActionResult must be CONTINUE or ABANDON.');
      const { member, hook } = heldMember(state, input);
      if (!completeAction(member, hook, result)) throw noAction(member.instance.id);
      return {};
    }),

    on(RecordLifecycleActionHeartbeatCommand, NAMED, (input) => {
      const { member, hook } = heldMember(state, input);
      if (!recordHeartbeat(state, member, hook)) throw noAction(member.instance.id);
      return {};
    }),
  ];
}

interface ActionNamed {
  readonly AutoScalingGroupName?: string | undefined;
  readonly LifecycleHookName?: string | undefined;
  readonly InstanceId?: string | undefined;
}

function heldMember(state: State, named: ActionNamed): { readonly member: Member; readonly hook: string } {
  const group = findGroup(state, named.AutoScalingGroupName);
  const { LifecycleHookName: hook = '', InstanceId: id = '' } = named;
  const member = group.members.get(id) ?? group.warmPool?.members.get(id);
  if (!member) throw noAction(id);
  return { member, hook };
}

// ledger: complete-action-none, heartbeat-none
const noAction = (id: string) => validationError(`No active Lifecycle Action found with instance ID ${id}`);

function describe(group: Group, hook: LifecycleHook): Described {
  return {
    LifecycleHookName: hook.name,
    AutoScalingGroupName: group.name,
    LifecycleTransition:
      hook.transition === 'launching'
        ? 'autoscaling:EC2_INSTANCE_LAUNCHING'
        : 'autoscaling:EC2_INSTANCE_TERMINATING',
    HeartbeatTimeout: hook.seconds,
    GlobalTimeout: globalTimeoutOf(hook),
    DefaultResult: hook.defaultResult,
    ...(hook.metadata !== undefined && { NotificationMetadata: hook.metadata }),
  };
}
