import {
  DeleteLifecycleHookCommand,
  PutLifecycleHookCommand,
  type PutLifecycleHookType,
} from '@aws-sdk/client-auto-scaling';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import type { State } from '../state.ts';
import { findGroup, groupWritten, validationError } from './groups.ts';
import { completeAction } from './lifecycle-hooks.ts';
import type { Group, LifecycleHook } from './model.ts';

/** https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-quotas.html */
const MAX_HOOKS = 50;
const DEFAULT_SECONDS = 3600;
const SECONDS = { min: 30, max: 7200 };

const TRANSITIONS: Readonly<Record<string, LifecycleHook['transition']>> = {
  'autoscaling:EC2_INSTANCE_LAUNCHING': 'launching',
  'autoscaling:EC2_INSTANCE_TERMINATING': 'terminating',
};

/** Nobody is notified. */
const SIMULATED_PUT = {
  LifecycleHookName: 'all',
  AutoScalingGroupName: 'all',
  LifecycleTransition: 'all',
  HeartbeatTimeout: 'all',
  DefaultResult: 'all',
  NotificationMetadata: 'all',
} as const;

export function hookWritingOperations(state: State): Operation[] {
  return [
    on(PutLifecycleHookCommand, SIMULATED_PUT, (input) => {
      const group = findGroup(state, input.AutoScalingGroupName);
      const { lifecycleHooks: hooks } = group;
      const at = hooks.findIndex(({ name }) => name === input.LifecycleHookName);
      const hook = requestedHook(input, hooks[at]);
      if (at >= 0) hooks[at] = hook;
      else if (hooks.length < MAX_HOOKS) hooks.push(hook);
      // ledger: put-hook-most
      else throw new AwsError('LimitExceeded', `${group.name} has ${MAX_HOOKS} lifecycle hooks already`);
      groupWritten(state, group, 'call');
      return {};
    }),

    on(DeleteLifecycleHookCommand, 'all', ({ AutoScalingGroupName, LifecycleHookName: name = '' }) => {
      const group = findGroup(state, AutoScalingGroupName);
      const at = group.lifecycleHooks.findIndex((hook) => hook.name === name);
      const [hook] = at < 0 ? [] : group.lifecycleHooks.splice(at, 1);
      // ledger: delete-hook-unknown
      if (!hook) throw validationError(`No Lifecycle Hook found with name: ${name}`);
      letGo(group, hook);
      groupWritten(state, group, 'call');
      return {};
    }),
  ];
}

/** What an update leaves out stays as it was. */
function requestedHook(input: PutLifecycleHookType, before: LifecycleHook | undefined): LifecycleHook {
  const { LifecycleTransition, HeartbeatTimeout, DefaultResult } = input;
  const transition = LifecycleTransition ? TRANSITIONS[LifecycleTransition] : before?.transition;
  // ledger: put-hook-transition
  if (!transition) throw validationError(`Invalid LifecycleTransition: ${LifecycleTransition}`);
  const seconds = HeartbeatTimeout ?? before?.seconds ?? DEFAULT_SECONDS;
  if (seconds < SECONDS.min || seconds > SECONDS.max)
    // ledger: put-hook-heartbeat
    throw validationError(`HeartbeatTimeout must be between ${SECONDS.min} and ${SECONDS.max} seconds.`);
  const defaultResult = DefaultResult ?? before?.defaultResult ?? 'ABANDON';
  if (defaultResult !== 'CONTINUE' && defaultResult !== 'ABANDON')
    // ledger: put-hook-result
    throw validationError('DefaultResult must be CONTINUE or ABANDON.');
  const metadata = input.NotificationMetadata ?? before?.metadata;
  return { name: input.LifecycleHookName ?? '', transition, seconds, defaultResult, metadata };
}

/**
 * "If there are any outstanding lifecycle actions, they are completed first (ABANDON for launching instances,
 * CONTINUE for terminating instances)."
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_DeleteLifecycleHook.html
 */
function letGo(group: Group, { name, transition }: LifecycleHook) {
  const result = transition === 'launching' ? 'ABANDON' : 'CONTINUE';
  for (const member of [...group.members.values(), ...(group.warmPool?.members.values() ?? [])])
    completeAction(member, name, result);
}
