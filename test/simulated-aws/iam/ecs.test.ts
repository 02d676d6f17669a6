import { ECSClient, GetTaskProtectionCommand, StopTaskCommand } from '@aws-sdk/client-ecs';
import { expect, it } from 'vitest';
import { simulateAccount } from '../account/account.ts';
import type { Call } from '../account/call.ts';
import { setUpService } from '../world/ecs/set-up.ts';
import { resourceFacts } from '../world/resource-facts.ts';
import { checksOf } from './context.ts';
import { enforce } from './permissions.ts';

it.each([
  ['StopTask', { cluster: 'demo', task: 'a' }, ['a']],
  ['GetTaskProtection', { cluster: 'demo', tasks: ['a', 'b'] }, ['a', 'b']],
] as const)('%s asks for each task, within its cluster', (operation, input, ids) => {
  const { world, cluster } = setUpService();
  const call = { service: 'ecs', operation, key: `ecs.${operation}`, input } as Partial<Call> as Call;
  expect(checksOf(call, resourceFacts(world))).toEqual(
    ids.map((id) => ({
      action: `ecs:${operation}`,
      resource: `arn:aws:ecs:eu-central-1:123456789012:task/demo/${id}`,
      context: { 'aws:RequestedRegion': 'eu-central-1', 'ecs:cluster': cluster.arn },
    })),
  );
});

it('lets a client do to tasks what its policy allows, over the wire', async () => {
  const { clock, world, cluster, task } = setUpService();
  world.owner.protectTask(task.arn, 30);
  const inCluster = { ArnEquals: { 'ecs:cluster': cluster.arn } };
  const policy = (Action: string) =>
    ({ Effect: 'Allow', Action, Resource: '*', Condition: inCluster }) as const;
  const client = (...actions: string[]) => {
    const permissions = enforce([{ Statement: actions.map(policy) }], resourceFacts(world));
    return new ECSClient(simulateAccount({ clock, operations: world.operations, permissions }).clientOptions);
  };
  const getProtection = new GetTaskProtectionCommand({ cluster: 'demo', tasks: [task.arn] });
  const stop = new StopTaskCommand({ cluster: 'demo', task: task.arn, reason: 'to move it' });
  const reader = client('ecs:GetTaskProtection');
  const expirationDate = new Date('2026-11-20T00:30:00Z');
  expect(await reader.send(getProtection)).toMatchObject({
    protectedTasks: [{ taskArn: task.arn, protectionEnabled: true, expirationDate }],
  });
  await expect(reader.send(stop)).rejects.toMatchObject({ name: 'AccessDeniedException' });
  expect(task.desiredStatus).toBe('RUNNING');
  expect(await client('ecs:StopTask').send(stop)).toMatchObject({ task: { stopCode: 'UserInitiated' } });
});
