import {
  CompleteLifecycleActionCommand,
  DeleteLifecycleHookCommand,
  DescribeLifecycleHooksCommand,
  PutLifecycleHookCommand,
  type PutLifecycleHookType,
  TerminateInstanceInAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { describe, expect, it } from 'vitest';
import { setUpWire } from '../wire-set-up.ts';

const HOOK = { AutoScalingGroupName: 'g', LifecycleHookName: 'logs' };
const TERMINATING = 'autoscaling:EC2_INSTANCE_TERMINATING';

function setUp() {
  const wire = setUpWire({ group: { maxSize: 3 } });
  const { autoScaling, group, clock, ids } = wire;
  const put = (hook: Partial<PutLifecycleHookType>) =>
    autoScaling.send(new PutLifecycleHookCommand({ ...HOOK, ...hook }));
  const remove = () => autoScaling.send(new DeleteLifecycleHookCommand(HOOK));
  const hooks = async () => {
    const { LifecycleHooks } = await autoScaling.send(new DescribeLifecycleHooksCommand(HOOK));
    return LifecycleHooks ?? [];
  };
  const [first = ''] = ids;
  const terminate = async () => {
    await autoScaling.send(
      new TerminateInstanceInAutoScalingGroupCommand({
        InstanceId: first,
        ShouldDecrementDesiredCapacity: false,
      }),
    );
    clock.advance(5);
  };
  const stateOf = (id: string) => group.members.get(id)?.lifecycleState;
  return { ...wire, put, remove, hooks, first, terminate, stateOf };
}

describe('a lifecycle hook', () => {
  it('is put with defaults, and changed by what a later put names', async () => {
    const { put, hooks } = setUp();
    await put({ LifecycleTransition: TERMINATING });
    const defaults = { LifecycleTransition: TERMINATING, HeartbeatTimeout: 3600, DefaultResult: 'ABANDON' };
    expect(await hooks()).toMatchObject([{ ...HOOK, ...defaults }]);
    await put({ HeartbeatTimeout: 60, DefaultResult: 'CONTINUE', NotificationMetadata: 'as it is' });
    expect(await hooks()).toMatchObject([
      {
        LifecycleTransition: TERMINATING,
        HeartbeatTimeout: 60,
        DefaultResult: 'CONTINUE',
        NotificationMetadata: 'as it is',
      },
    ]);
  });

  it('needs a transition when it is new, and a time within bounds', async () => {
    const { put, hooks } = setUp();
    await expect(put({})).rejects.toThrow('LifecycleTransition');
    await expect(put({ LifecycleTransition: TERMINATING, HeartbeatTimeout: 29 })).rejects.toThrow(
      'between 30',
    );
    await expect(
      put({ LifecycleTransition: TERMINATING, NotificationTargetARN: 'arn:aws:sns:a:b:c' }),
    ).rejects.toThrow('autoscaling.PutLifecycleHook: NotificationTargetARN is not simulated');
    expect(await hooks()).toEqual([]);
  });

  it('holds from then on, until an action completes it', async () => {
    const { autoScaling, clock, put, first, terminate, stateOf } = setUp();
    await put({ LifecycleTransition: TERMINATING });
    await terminate();
    expect(stateOf(first)).toBe('Terminating:Wait');
    await autoScaling.send(
      new CompleteLifecycleActionCommand({ ...HOOK, InstanceId: first, LifecycleActionResult: 'CONTINUE' }),
    );
    clock.advance(120);
    expect(stateOf(first)).toBeUndefined();
  });

  it("lets a terminating instance go when it is deleted, and can't be deleted twice", async () => {
    const { clock, put, remove, hooks, first, terminate, stateOf } = setUp();
    await put({ LifecycleTransition: TERMINATING });
    await terminate();
    await remove();
    clock.advance(120);
    expect(stateOf(first)).toBeUndefined();
    expect(await hooks()).toEqual([]);
    await expect(remove()).rejects.toThrow('No Lifecycle Hook found with name: logs');
  });

  it('abandons a launching instance when it is deleted', async () => {
    const { world, clock, group, ids, put, remove } = setUp();
    await put({ LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING' });
    world.owner.setSizes('g', { desiredCapacity: 3 });
    clock.advance(300);
    const launched = () => [...group.members.keys()].filter((id) => !ids.includes(id));
    const [held = ''] = launched();
    expect(group.members.get(held)?.lifecycleState).toBe('Pending:Wait');
    await remove();
    clock.advance(900);
    expect(launched()).not.toContain(held);
    expect(launched()).toHaveLength(1);
  });
});
