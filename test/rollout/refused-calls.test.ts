import { describe, expect, test } from 'vitest';
import { AwsError } from '../simulated-aws/account/aws-error.ts';
import type { Interceptor } from '../simulated-aws/account/call.ts';
import { READINGS } from '../simulated-aws/world/readings.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import { crash, serviceOf } from './happenings.ts';
import { groupsOf } from './outcomes.ts';
import { isDraining, rollUntil } from './rollback-kinds.ts';
import { type Stage, stage } from './stage.ts';

const NO = 'The group may not be changed this way';

/** Refuses an operation as AWS would, always by the same words. */
const refuses = (operation: string, code = 'ValidationError'): Interceptor => ({
  before(call) {
    if (call.operation === operation) throw new AwsError(code, NO);
  },
});

const staged = () =>
  stage({
    expectations: { endings: ['completed', 'rolled-back'] },
    furnish(world) {
      const { group } = standardScenario({ world, instances: 3 });
      group.maxSize += 3;
    },
  });

const refused = ({ account }: Stage, operation: string) =>
  account.calls.log.filter((call) => call.operation === operation && call.error !== undefined).length;

describe('a call that is refused always the same way', () => {
  test('is made three times by an invocation, which then says what is refused', async () => {
    const staging = staged();
    const [group] = groupsOf(await staging.invoke({ action: 'roll' }, [refuses('DetachInstances')]));
    expect(group).toMatchObject({ state: 'blocked', code: 'call-refused' });
    expect(group?.reason).toMatch(/^AWS refuses again and again to detach i-/);
    expect(group?.reason).toContain(NO);
    expect(refused(staging, 'DetachInstances')).toBe(3);
    await staging.finish();
    staging.invariants.assertFinished();
  });

  test.each(READINGS.stateRefusedAs)('is made as rarely if it is to drain (%s)', async (code) => {
    const staging = staged();
    const operation = 'UpdateContainerInstancesState';
    const [group] = groupsOf(await staging.invoke({ action: 'roll' }, [refuses(operation, code)]));
    expect(group).toMatchObject({ state: 'blocked', code: 'call-refused' });
    expect(group?.reason).toMatch(/^AWS refuses again and again to drain i-/);
    expect(refused(staging, operation)).toBe(3);
    await staging.finish();
    staging.invariants.assertFinished();
  });

  test('is made more rarely while the group is busy, and the roll goes on once it is not', async () => {
    const staging = staged();
    const begun = staging.clock.now();
    const busy: Interceptor = {
      before(call) {
        if (call.operation === 'DetachInstances' && staging.clock.now() - begun < 200_000)
          throw new AwsError('ScalingActivityInProgress', NO);
      },
    };
    const [group] = groupsOf(await staging.invoke({ action: 'roll' }, [busy]));
    expect(group?.state).not.toBe('blocked');
    expect(refused(staging, 'DetachInstances')).toBe(2);
    await staging.finish();
    staging.invariants.assertFinished();
  });

  test('if old instances can not be attached, others are launched in the place of the failed', async () => {
    const staging = staged();
    await rollUntil(staging, isDraining);
    await staging.invoke({ action: 'rollback' }, [refuses('AttachInstances')]);
    expect(refused(staging, 'AttachInstances')).toBe(3);
    await staging.finish();
    expect(staging.endings).toEqual(['rolled-back']);
    staging.invariants.assertFinished();
  });
});

test('a rollback attaches old instances while Launch runs, and is never refused', async () => {
  const staging = staged();
  await rollUntil(staging, isDraining);
  const [group] = groupsOf(await staging.invoke({ action: 'rollback' }));
  expect(group?.state).toBe('rolled-back');
  const attached = staging.account.calls.log.filter(({ operation }) => operation === 'AttachInstances');
  expect(attached.map(({ tookEffect }) => tookEffect)).toEqual([true]);
  staging.invariants.assertFinished();
});

test.each(['CreateTags', 'DeleteTags'])(
  '%s waits while somebody else tags the same instances',
  async (operation) => {
    const staging = staged();
    let asked = 0;
    const concurrent: Interceptor = {
      before(call) {
        if (call.service === 'ec2' && call.operation === operation && asked++ < 2)
          throw new AwsError('ConcurrentTagAccess', NO);
      },
    };
    if (operation === 'CreateTags') await staging.invoke({ action: 'roll' }, [concurrent]);
    else {
      await rollUntil(staging, isDraining);
      await staging.invoke({ action: 'rollback' }, [concurrent]);
    }
    expect(asked).toBeGreaterThan(2);
    expect(staging.endings).toHaveLength(1);
    staging.invariants.assertFinished();
  },
);

test.each(READINGS.protectionOfStopped)(
  'a task that stops before it is asked about is not protected, and fails no look (%s)',
  async (protectionOfStopped) => {
    const staging = staged();
    staging.world.state.readings.protectionOfStopped = protectionOfStopped;
    let stopped = 0;
    const crashing: Interceptor = {
      before({ operation }) {
        if (operation !== 'GetTaskProtection' || stopped++ > 0) return;
        for (const task of serviceOf(staging.world, 'web').tasks) crash(staging.world, task);
      },
    };
    const [group] = groupsOf(await staging.invoke({ action: 'roll' }, [crashing]));
    expect(stopped).toBeGreaterThan(0);
    expect(group?.state).not.toBe('failed');
    await staging.finish();
    expect(staging.endings).toHaveLength(1);
  },
);
