import { describe, expect, test } from 'vitest';
import { type Interceptor, LostAnswer } from '../simulated-aws/account/call.ts';
import { AwsError } from '../simulated-aws/account/operation.ts';
import { killAfter } from '../simulated-aws/weather/faults.ts';
import { oldest, told } from './happenings.ts';
import { groupsOf, only } from './outcomes.ts';
import { type StageOptions, standardStage } from './stage.ts';

const ROLE = 'arn:aws:sts::123456789012:assumed-role/ecs-ami-deploy/ecs-ami-deploy';
const GROUP =
  'arn:aws:autoscaling:eu-central-1:123456789012:autoScalingGroup:1:autoScalingGroupName/demo-ecs';

const staged = (options?: Partial<StageOptions>) =>
  standardStage({ instances: 2, services: 1, version: '1' }, options);

/** Each call of an operation ends so, before it takes effect. */
function failing(
  operation: string,
  error: () => Error,
  isSo: (input: object) => boolean = () => true,
): Interceptor {
  return {
    before(call) {
      if (call.operation === operation && isSo(call.input)) throw error();
    },
  };
}

const because = (action: string) => `because no identity-based policy allows the ${action} action`;
const unauthorized = (action: string, resource: string, why = because(action)) =>
  `User: ${ROLE} is not authorized to perform: ${action} on resource: ${resource} ${why}`;
const HELP =
  "add it to the function's role: deploy it again, or look for a permissions boundary or an SCP that forbids it";

/** One of each service's way to refuse, at what each step of a roll needs. */
const DENIED: readonly (readonly [operation: string, code: string, action: string, resource: string])[] = [
  ['DetachInstances', 'AccessDenied', 'autoscaling:DetachInstances', GROUP],
  ['CreateOrUpdateTags', 'AccessDenied', 'autoscaling:CreateOrUpdateTags', GROUP],
  ['SuspendProcesses', 'AccessDenied', 'autoscaling:SuspendProcesses', GROUP],
  [
    'CreateLaunchTemplateVersion',
    'UnauthorizedOperation',
    'ec2:CreateLaunchTemplateVersion',
    'arn:aws:ec2:eu-central-1:123456789012:launch-template/lt-00000000000000001',
  ],
  [
    'CreateTags',
    'UnauthorizedOperation',
    'ec2:CreateTags',
    'arn:aws:ec2:eu-central-1:123456789012:instance/i-1',
  ],
  [
    'UpdateContainerInstancesState',
    'AccessDeniedException',
    'ecs:UpdateContainerInstancesState',
    'arn:aws:ecs:eu-central-1:123456789012:container-instance/demo/1',
  ],
  ['DescribeServices', 'AccessDeniedException', 'ecs:DescribeServices', '*'],
  ['DescribeImages', 'UnauthorizedOperation', 'ec2:DescribeImages', '*'],
  ['GetParameters', 'AccessDeniedException', 'ssm:GetParameters', '*'],
  [
    'TerminateInstances',
    'UnauthorizedOperation',
    'ec2:TerminateInstances',
    'arn:aws:ec2:eu-central-1:123456789012:instance/i-1',
  ],
];

describe.each(DENIED)('%s that is denied', (operation, code, action, resource) => {
  test('is reported by action and resource, and once allowed the roll goes on', async () => {
    const staging = staged();
    const error = () => new AwsError(code, unauthorized(action, resource), 403);
    expect(only(await staging.invoke({ action: 'roll' }, [failing(operation, error)]))).toMatchObject({
      state: 'failed',
      reason: `${code}: not allowed to ${action} on ${resource} ${because(action)}; ${HELP}`,
    });
    expect(told(staging, /failed:/)).toHaveLength(1);
    staging.invariants.assertHeld();
    await staging.roll();
  });
});

describe('a denial', () => {
  const SCP = 'with an explicit deny in a service control policy';

  test('by a service control policy says so', async () => {
    const staging = staged();
    const error = () =>
      new AwsError('AccessDenied', unauthorized('autoscaling:DetachInstances', GROUP, SCP), 403);
    expect(only(await staging.invoke({ action: 'roll' }, [failing('DetachInstances', error)])).reason).toBe(
      `AccessDenied: not allowed to autoscaling:DetachInstances on ${GROUP} ${SCP}; ${HELP}`,
    );
  });

  test('by EC2, with an encoded message, is reported without that message', async () => {
    const staging = staged();
    const encoded = ` Encoded authorization failure message: ${'qVT5bX'.repeat(60)}`;
    const message = `You are not authorized to perform this operation. ${unauthorized('ec2:TerminateInstances', '*')}.${encoded}`;
    const error = () => new AwsError('UnauthorizedOperation', message, 403);
    const { reason } = only(await staging.invoke({ action: 'roll' }, [failing('TerminateInstances', error)]));
    expect(reason).toMatch(
      /^UnauthorizedOperation: not allowed to ec2:TerminateInstances on \* because no identity/,
    );
    expect(reason).not.toMatch(/qVT5bX/);
  });

  test('without details is reported by the operation', async () => {
    const staging = staged();
    const error = () =>
      new AwsError('UnauthorizedOperation', 'You are not authorized to perform this operation.', 403);
    const { reason } = only(await staging.invoke({ action: 'roll' }, [failing('TerminateInstances', error)]));
    expect(reason).toMatch(/not allowed to .*as AWS says: You are not authorized to perform this operation/);
  });
});

/** Faults that pass by themselves, when the SDK has tried as often as it does. */
const PASSING: readonly (readonly [name: string, error: () => Error, told: RegExp])[] = [
  [
    'throttled',
    () => new AwsError('Throttling', 'Rate exceeded', 400),
    /^Throttling: Rate exceeded; the next invocation tries again/,
  ],
  [
    'throttled by EC2',
    () => new AwsError('RequestLimitExceeded', 'Request limit exceeded.', 503),
    /^RequestLimitExceeded: Request limit exceeded; the next invocation tries again$/,
  ],
  [
    'a fault of AWS',
    () => new AwsError('InternalFailure', 'An internal error has occurred', 500),
    /^InternalFailure: An internal error has occurred; the next invocation tries again$/,
  ],
  ['not answered', () => new LostAnswer(), /^TimeoutError: socket hang up; the next invocation tries again$/],
];

describe.each(PASSING)('a call that is %s until the end', (_, error, reason) => {
  test.each([
    'DescribeContainerInstances',
    'DetachInstances',
    'UpdateContainerInstancesState',
    'DescribeServices',
  ])('%s: is told apart from what somebody must fix, and the next invocation goes on', async (operation) => {
    const staging = staged({ shortcut: false });
    const groups = groupsOf(await staging.invoke({ action: 'roll' }, [failing(operation, error)]));
    for (const group of groups) {
      expect(group.state).toBe('failed');
      expect(group.reason).toMatch(reason);
    }
    expect(groups).toHaveLength(1);
    await staging.roll();
  });
});

/** As in a VPC without NAT, in any Region but that of IAM's control plane. */
describe('IAM that gives no answer', () => {
  test.each<[string, () => Error]>([
    ['as it is out of reach', () => new LostAnswer()],
    ['as it fails', () => new AwsError('ServiceFailure', 'The request processing has failed.', 500)],
    [
      'as the role may not ask',
      () => new AwsError('AccessDenied', unauthorized('iam:GetInstanceProfile', '*'), 403),
    ],
  ])('%s, leaves the instance profile unknown: the roll begins, is whole, and says so', async (_, error) => {
    const staging = staged();
    const unreachable = failing('GetInstanceProfile', error);
    const result = only(await staging.invoke({ action: 'roll' }, [unreachable]));
    expect(result.state).toBe('completed');
    expect(result.warnings).toEqual([
      expect.stringMatching(/^can't see whether instance profile \S+ is there and has a role: /),
    ]);
    staging.invariants.assertFinished();
  });
});

describe('a failing group', () => {
  const two: StageOptions['furnish'] = (world) => {
    world.addGroup({ name: 'second', cluster: 'demo', image: oldest(world), instances: 2 });
  };
  const ofFirst = (input: object) => JSON.stringify(input).includes('"demo-ecs"');
  const error = () => new AwsError('AccessDenied', unauthorized('autoscaling:DetachInstances', GROUP), 403);

  test.each(['DetachInstances', 'SuspendProcesses', 'CreateOrUpdateTags'])(
    'at %s lets the others go on, and nothing is reported as a success too early',
    async (operation) => {
      const staging = staged({ furnish: two });
      const said = groupsOf(await staging.invoke({ action: 'roll' }, [failing(operation, error, ofFirst)]));
      expect(said).toMatchObject([
        { group: 'demo-ecs', state: 'failed' },
        { group: 'second', state: 'completed' },
      ]);
      expect(staging.world.state.groups.get('second')?.tags.size).toBe(0);
      await staging.roll();
    },
  );

  test('in one cluster lets the other cluster go on', async () => {
    const staging = staged({
      environment: { CLUSTERS: 'demo,other' },
      furnish: (world) => {
        world.addCluster('other');
        world.addGroup({ name: 'other-ecs', cluster: 'other', image: oldest(world), instances: 1 });
      },
    });
    const ofDemo = (input: object) => 'cluster' in input && /demo/.test(String(input.cluster));
    const denied = () =>
      new AwsError('AccessDeniedException', unauthorized('ecs:DescribeServices', '*'), 400);
    expect(
      groupsOf(await staging.invoke({ action: 'roll' }, [failing('ListServices', denied, ofDemo)])),
    ).toMatchObject([
      { cluster: 'demo', state: 'failed' },
      { cluster: 'other', state: 'completed' },
    ]);
  });
});

test('a failure before any group is known ends the invocation, and the next goes on', async () => {
  const staging = staged();
  await staging.invoke({ action: 'roll' }, [killAfter(45)]);
  const error = () => new AwsError('Throttling', 'Rate exceeded', 400);
  const failed = staging.invoke({ action: 'continue' }, [failing('DescribeAutoScalingGroups', error)]);
  await expect(failed).rejects.toThrow('Rate exceeded');
  await staging.finish();
  staging.invariants.assertFinished();
});

test('a cluster deleted in the middle is named, and its group is left as it is', async () => {
  const staging = staged();
  const rolling = staging.invoke();
  await staging.clock.drive(staging.clock.sleep(100));
  staging.world.owner.deleteCluster('demo');
  const said = only(await rolling);
  expect(said).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching(/cluster demo does not exist/),
  });
});

test('our own error is reported as it is', async () => {
  const staging = staged();
  const error = () => Object.assign(new Error('no such thing'), { name: 'ValidationError' });
  const said = only(await staging.invoke({ action: 'roll' }, [failing('DetachInstances', error)]));
  expect(said).toMatchObject({ state: 'failed', reason: expect.stringMatching(/no such thing/) });
});
