import { type LifecycleHook as AwsHook, DescribeLifecycleHooksCommand } from '@aws-sdk/client-auto-scaling';
import type { LifecycleHook, LifecycleHooks } from '../core/model/group.ts';
import type { Aws } from './clients.ts';
import { asAdvice } from './errors.ts';

/** Of a hook that says nothing of it. */
const HEARTBEAT_SECONDS = 3600;
const MOST_SECONDS = 48 * 3600;

/**
 * The lifecycle hooks of a group, all in one answer. Advice and limits rest upon them alone, so that what keeps them from us is told, not thrown.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_DescribeLifecycleHooks.html
 */
export async function describeLifecycleHooks({ autoScaling }: Aws, group: string): Promise<LifecycleHooks> {
  const command = new DescribeLifecycleHooksCommand({ AutoScalingGroupName: group });
  const read = await asAdvice(autoScaling.send(command));
  return read.kind === 'unread'
    ? read
    : { kind: 'read', hooks: (read.answer.LifecycleHooks ?? []).map(hookOf) };
}

function hookOf(hook: AwsHook): LifecycleHook {
  const { HeartbeatTimeout = HEARTBEAT_SECONDS } = hook;
  return {
    name: hook.LifecycleHookName ?? '',
    transition: hook.LifecycleTransition?.endsWith('TERMINATING') ? 'terminating' : 'launching',
    heartbeatSeconds: HeartbeatTimeout,
    // So it is where its owner says nothing.
    abandons: hook.DefaultResult !== 'CONTINUE',
    globalTimeoutSeconds: hook.GlobalTimeout ?? Math.min(100 * HeartbeatTimeout, MOST_SECONDS),
  };
}
