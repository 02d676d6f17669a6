import { type LifecycleHook as AwsHook, DescribeLifecycleHooksCommand } from '@aws-sdk/client-auto-scaling';
import { DRAIN_HOOK, drainHookMetadata } from '../contract.ts';
import type { LifecycleHook, LifecycleHooks } from '../core/model/lifecycle-hook.ts';
import type { Aws } from './clients.ts';
import { tryRead } from './errors.ts';

/** Who drains by hooks of these names; that of the CDK's CloudFormation makes. */
const DRAINERS = [
  // https://docs.aws.amazon.com/AmazonECS/latest/developerguide/managed-instance-draining.html
  [/^ecs-managed-draining-termination-hook$/, 'ecs'],
  // `addCapacity` has one unless its `taskDrainTime` is zero.
  [/LifecycleHookDrainHook/, 'cdk'],
  [new RegExp(`^${DRAIN_HOOK}$`), 'us'],
] as const;

/** AWS's default. */
const HEARTBEAT_SECONDS = 3600;
const MOST_SECONDS = 48 * 3600;

/**
 * A group's lifecycle hooks; AWS returns them all in one answer. They only serve for advice and time
 * limits, so if they can't be read, the result says why instead of an error being thrown.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_DescribeLifecycleHooks.html
 */
export async function describeLifecycleHooks({ autoScaling }: Aws, group: string): Promise<LifecycleHooks> {
  const command = new DescribeLifecycleHooksCommand({ AutoScalingGroupName: group });
  const read = await tryRead(autoScaling.send(command));
  return read.kind === 'unread'
    ? read
    : { kind: 'read', hooks: (read.answer.LifecycleHooks ?? []).map(hookOf) };
}

function hookOf(hook: AwsHook): LifecycleHook {
  const { HeartbeatTimeout = HEARTBEAT_SECONDS, LifecycleHookName: name = '' } = hook;
  const drainer = DRAINERS.find(([pattern]) => pattern.test(name))?.[1];
  return {
    name,
    ...(drainer && { drainer }),
    ...(drainer === 'us' && timeoutIn(hook.NotificationMetadata)),
    transition: hook.LifecycleTransition?.endsWith('TERMINATING') ? 'terminating' : 'launching',
    heartbeatSeconds: HeartbeatTimeout,
    // ABANDON is AWS's default.
    abandons: hook.DefaultResult !== 'CONTINUE',
    globalTimeoutSeconds: hook.GlobalTimeout ?? Math.min(100 * HeartbeatTimeout, MOST_SECONDS),
  };
}

/** Nobody else's number counts, as it is only shown. */
function timeoutIn(metadata = ''): Pick<LifecycleHook, 'timeoutMinutes'> {
  const [, minutes] = new RegExp(`^${drainHookMetadata('(\\d{1,4})')}$`).exec(metadata) ?? [];
  return minutes === undefined ? {} : { timeoutMinutes: Number(minutes) };
}
