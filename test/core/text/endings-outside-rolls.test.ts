import { expect, it } from 'vitest';
import type { LifecycleHook } from '../../../lambda/core/model/lifecycle-hook.ts';
import { drainedBy, endingNow } from '../../../lambda/core/text/endings-outside-rolls.ts';
import { ago, managedDraining, NOW, terminateHook } from '../builders.ts';

const by = (...hooks: LifecycleHook[]) => drainedBy({ kind: 'read', hooks });
const logs = terminateHook('logs');

it('what ends outside a roll is drained by whose hook drains, as far as can be seen', () => {
  expect(by()).toBe('nobody');
  expect(by({ ...logs, transition: 'launching' })).toBe('nobody');
  expect(by(logs, terminateHook('metrics'))).toBe('logs and metrics, if at all');
  expect(by(logs, managedDraining)).toBe('ECS');
  expect(by({ ...logs, drainer: 'cdk' }, { ...logs, drainer: 'us' })).toBe(
    "the CDK's hook and ecs-ami-deploy",
  );
  expect(drainedBy({ kind: 'unread', because: 'AccessDenied' })).toBe('unknown');
});

it('of what ends right now it is said how long that may take, if we drain it', () => {
  const members = ['Terminating:Wait', 'InService', 'Terminating'].map((lifecycleState, index) => ({
    instanceId: `i-${index}`,
    lifecycleState,
  }));
  const ours: LifecycleHook = { ...logs, drainer: 'us', timeoutMinutes: 30 };
  const told = (hook: LifecycleHook) =>
    endingNow(members, { kind: 'read', hooks: [hook] }, new Map([['i-0', ago(1380)]]), NOW);
  expect(told(ours)).toEqual([
    'i-0 is ending, drained by ecs-ami-deploy, 7 min left',
    'i-2 is ending, drained by ecs-ami-deploy',
  ]);
  expect(told(logs)[0]).toBe('i-0 is ending, drained by logs, if at all');
});
