import {
  CompleteLifecycleActionCommand,
  DescribeInstanceRefreshesCommand,
} from '@aws-sdk/client-auto-scaling';
import { describe, expect, it } from 'vitest';
import { idOf, setUp } from './set-up.ts';

function refreshed(hooks: readonly ('launching' | 'terminating')[] = []) {
  const setting = setUp();
  const { world, first, statesOf } = setting;
  for (const transition of hooks)
    world.owner.addLifecycleHook('g', { name: transition, transition, seconds: 30 });
  const seen = statesOf(first);
  const rootImageId = world.release('amazon-linux-2023').id;
  world.owner.startInstanceRefresh('g', { replaces: true, rootImageId });
  return { ...setting, seen, rootImageId };
}

describe('root volumes', () => {
  it('are replaced one after the other, held by hooks before and after', () => {
    const { clock, call, seen, members, ids, instance, events, rootImageId } = refreshed([
      'terminating',
      'launching',
    ]);
    const images = () => ids.map((id) => instance(id)?.imageId === rootImageId);
    clock.advance(240);
    expect(images()).toEqual([true, false, false]);
    clock.advance(1200);
    expect(images()).toEqual([true, true, true]);
    expect(members().map(idOf)).toEqual(ids);
    expect(seen).toEqual([
      'ReplacingRootVolume',
      'ReplacingRootVolume:Wait',
      'ReplacingRootVolume:Proceed',
      'RootVolumeReplaced',
      'Pending',
      'Pending:Wait',
      'Pending:Proceed',
      'InService',
    ]);
    const told = events.filter((event) => event.kind === 'lifecycle-action');
    expect(told[0]).toMatchObject({
      hook: { transition: 'terminating' },
      destination: 'AutoScalingGroup',
    });
    const { InstanceRefreshes } = call(DescribeInstanceRefreshesCommand, { AutoScalingGroupName: 'g' });
    expect(InstanceRefreshes).toMatchObject([{ Status: 'Successful', Strategy: 'ReplaceRootVolume' }]);
  });

  it('are replaced though a hook abandons it', () => {
    const { clock, call, first, instance, rootImageId } = refreshed(['terminating']);
    clock.advance(125);
    call(CompleteLifecycleActionCommand, {
      AutoScalingGroupName: 'g',
      LifecycleHookName: 'terminating',
      InstanceId: first,
      LifecycleActionResult: 'ABANDON',
    });
    clock.advance(10);
    expect(instance(first)?.imageId).toBe(rootImageId);
  });

  it('of one that ends meanwhile are not replaced, nor does it come up', () => {
    for (const seconds of [125, 165]) {
      const { clock, world, first, instance, members } = refreshed(['terminating']);
      clock.advance(seconds);
      world.faults.killInstance(first);
      clock.advance(60);
      expect(instance(first)?.state).toBe('terminated');
      expect(members().find((each) => idOf(each) === first)?.lifecycleState).not.toBe('InService');
    }
  });

  it('takes along what ran there, and brings another container instance', () => {
    const { clock, world, first, instance, events } = refreshed();
    world.addService('demo', { name: 'web', desiredCount: 3 });
    clock.advance(100);
    const before = instance(first)?.containerInstance;
    clock.advance(300);
    const lost = events.flatMap((event) => (event.kind === 'host-lost' ? [event] : []));
    expect(lost[0]?.containerInstance).toBe(before);
    expect(lost[0]?.tasks).toMatchObject([{ isLost: true, lastStatus: 'RUNNING' }]);
    expect(before).toMatchObject({ status: 'ACTIVE', agentConnected: false });
    expect(instance(first)?.containerInstance).not.toBe(before);
    expect(instance(first)?.containerInstance).toMatchObject({ status: 'ACTIVE', agentConnected: true });
  });
});
