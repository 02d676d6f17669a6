import { describe, expect, test } from 'vitest';
import type { Interceptor } from '../simulated-aws/account/call.ts';
import { AwsError } from '../simulated-aws/account/operation.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import { only } from './outcomes.ts';
import { stage } from './stage.ts';

const INVALID = 'You must use a valid fully-formed launch template. Invalid key pair.';

/** Every call of an operation is refused so. */
const refusing = (operation: string, code: string, message: string): Interceptor => ({
  before(call) {
    if (call.operation === operation) throw new AwsError(code, message);
  },
});

const staged = (launchSpec: 'launch-configuration' | 'launch-template' | 'mixed-instances') =>
  stage({
    furnish: (world) => {
      standardScenario({ world, instances: 2, services: 1, launchSpec, version: '1' });
    },
  });

const tagsOf = ({ world }: ReturnType<typeof staged>) => [
  ...(world.state.groups.get('demo-ecs')?.tags.keys() ?? []),
];

describe('a launch spec that AWS refuses', () => {
  test.each(['launch-template', 'mixed-instances'] as const)(
    'at the update of a group with a %s blocks it, with what AWS says and what has changed',
    async (launchSpec) => {
      const staging = staged(launchSpec);
      const refused = [refusing('UpdateAutoScalingGroup', 'ValidationError', INVALID)];
      for (const action of ['roll', 'continue']) {
        expect(only(await staging.invoke({ action }, refused))).toMatchObject({
          state: 'blocked',
          reason:
            "AWS refuses the group's new launch spec: ValidationError: You must use a valid fully-formed launch template. " +
            'Invalid key pair; fix its launch configuration or launch template, or choose another image with IMAGE; ' +
            'meanwhile: AZRebalance and InstanceRefresh suspended by us',
        });
      }
      await staging.finish();
      staging.invariants.assertFinished();
    },
  );

  test('blocks the group before anything changes, when a launch configuration must be copied', async () => {
    const staging = staged('launch-configuration');
    const before = tagsOf(staging);
    const refused = refusing('CreateLaunchConfiguration', 'ValidationError', 'Invalid spot price.');
    const said = only(await staging.invoke({ action: 'roll' }, [refused]));
    expect(said).toMatchObject({
      state: 'blocked',
      reason: expect.stringMatching(/Invalid spot price; fix/),
    });
    expect(tagsOf(staging)).toEqual(before);
    await staging.invoke();
    staging.invariants.assertFinished();
  });
});

test.each(['ScalingActivityInProgress', 'ResourceContention', 'ResourceInUse'])(
  'a busy group (%s) is looked at again, whatever must be done',
  async (code) => {
    const staging = staged('launch-template');
    const refused = new Map<string, number>();
    const busy: Interceptor = {
      before({ key, operation }) {
        if (!key.startsWith('autoscaling.') || operation.startsWith('Describe')) return;
        const times = refused.get(operation) ?? 0;
        refused.set(operation, times + 1);
        // ResourceContention is an answer of 500, which the SDK itself tries again.
        if (times < (code === 'ResourceContention' ? 5 : 2)) throw new AwsError(code, 'busy');
      },
    };
    // One that is busy is asked more rarely, so that this takes several invocations.
    let last = only(await staging.invoke({ action: 'roll' }, [busy]));
    for (let count = 0; count < 5 && last.state === 'in-progress'; count++)
      last = only(await staging.invoke({ action: 'continue' }, [busy]));
    expect(last).toMatchObject({ state: 'completed' });
    expect([...refused.keys()].sort()).toEqual([
      'CreateOrUpdateTags',
      'DeleteTags',
      'DetachInstances',
      'ResumeProcesses',
      'SuspendProcesses',
      'UpdateAutoScalingGroup',
    ]);
    staging.invariants.assertFinished();
  },
);
