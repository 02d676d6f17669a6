import {
  AutoScalingClient,
  DescribeAutoScalingGroupsCommand,
  DetachInstancesCommand,
} from '@aws-sdk/client-auto-scaling';
import { DescribeVpcsCommand, EC2Client, TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { ECSClient, ListClustersCommand } from '@aws-sdk/client-ecs';
import { describe, expect, it } from 'vitest';
import { virtualClock } from '../clock/clock.ts';
import { killAfter, killBefore, loseAnswer } from '../weather/faults.ts';
import { type AccountOptions, type SimulatedAccount, simulateAccount } from './account.ts';
import { Killed } from './call.ts';
import { AwsError, on } from './operation.ts';
import type { Session } from './session.ts';

/** An account in which instances can be terminated, and no more; `terminated` is its whole state. */
function smallAccount(options: Partial<AccountOptions> = {}) {
  const clock = virtualClock(Date.UTC(2026, 10, 1));
  const terminated: string[] = [];
  const operations = [
    on(TerminateInstancesCommand, 'all', ({ InstanceIds = [] }) => {
      terminated.push(...InstanceIds);
      return { TerminatingInstances: [] };
    }),
    on(ListClustersCommand, 'all', () => ({ clusterArns: ['arn:of:a-cluster'] })),
    on(DetachInstancesCommand, 'all', () => {
      throw new AwsError('ScalingActivityInProgressFault', 'busy');
    }),
    on(DescribeAutoScalingGroupsCommand, 'all', () => {
      throw new TypeError('a bug of the world');
    }),
  ];
  const account = simulateAccount({ clock, operations, ...options });
  return { account, clock, terminated };
}

const terminate = (from: Session | SimulatedAccount, id: string) =>
  new EC2Client(from.clientOptions).send(new TerminateInstancesCommand({ InstanceIds: [id] }));

describe('a simulated account', () => {
  it('counts and records every call', async () => {
    const { account } = smallAccount();
    await terminate(account, 'i-1');
    await expect(
      new AutoScalingClient(account.clientOptions).send(
        new DetachInstancesCommand({ AutoScalingGroupName: 'g', ShouldDecrementDesiredCapacity: false }),
      ),
    ).rejects.toMatchObject({ name: 'ScalingActivityInProgressFault', message: 'busy' });
    expect(account.calls.counts).toEqual({ 'ec2.TerminateInstances': 1, 'autoscaling.DetachInstances': 1 });
    expect(account.calls.log).toMatchObject([
      { number: 1, input: { InstanceIds: ['i-1'] }, time: Date.UTC(2026, 10, 1), tookEffect: true },
      { number: 2, operation: 'DetachInstances', tookEffect: false, error: 'ScalingActivityInProgress' },
    ]);
  });

  it('names an operation that nobody simulates, and is not asked again', async () => {
    const { account } = smallAccount();
    await expect(
      new EC2Client(account.clientOptions).send(new DescribeVpcsCommand({})),
    ).rejects.toMatchObject({
      name: 'NotImplemented',
      message: 'ec2.DescribeVpcs is not simulated',
      $metadata: { httpStatusCode: 501, attempts: 1 },
    });
  });

  it('keeps what broke in the world itself', async () => {
    const { account } = smallAccount();
    const call = new AutoScalingClient(account.clientOptions).send(new DescribeAutoScalingGroupsCommand({}));
    await expect(call).rejects.toThrow('a bug of the world');
    expect(account.bugs).toEqual([new TypeError('a bug of the world')]);
  });

  it('lets every call take its time on the clock', async () => {
    const { account, clock } = smallAccount({ latencySeconds: 0.25 });
    await clock.drive(terminate(account, 'i-1'));
    expect(clock.now() - Date.UTC(2026, 10, 1)).toBe(250);
  });

  it('throttles so that the SDK tries again', async () => {
    const { account, clock, terminated } = smallAccount({ throttling: { everyNth: 2 } });
    await clock.drive(terminate(account, 'i-1'));
    await clock.drive(terminate(account, 'i-2'));
    expect(terminated).toEqual(['i-1', 'i-2']);
    expect(account.calls.log.map(({ error }) => error)).toEqual([
      undefined,
      'RequestLimitExceeded',
      undefined,
    ]);
  });

  it('empties and refills the token bucket of an operation', async () => {
    const { account, clock } = smallAccount({ throttling: { buckets: true } });
    const ecs = new ECSClient(account.clientOptions);
    for (let call = 0; call < 60; call++) await clock.drive(ecs.send(new ListClustersCommand({})));
    const throttled = account.calls.log.filter(({ error }) => error === 'ThrottlingException');
    // A burst of 50, then each refusal waits 0.1 s, in which two more become free.
    expect(throttled).toHaveLength(5);
  });

  it('answers with the same random faults for the same seed', async () => {
    const errorsOf = async (seed: number) => {
      const faults = { serverErrors: 0.2, lostAnswers: 0.1 };
      const { account, clock } = smallAccount({ faults, seed });
      for (let call = 0; call < 30; call++)
        await clock.drive(terminate(account, `i-${call}`)).catch(() => undefined);
      return account.calls.log.map(({ error }) => error);
    };
    const errors = await errorsOf(7);
    expect(new Set(errors)).toEqual(new Set([undefined, 'InternalError', 'LostAnswer']));
    expect(await errorsOf(7)).toEqual(errors);
    expect(await errorsOf(8)).not.toEqual(errors);
  });

  it('carries out what it then loses the answer of, and the SDK asks again', async () => {
    const { account, clock, terminated } = smallAccount();
    const session = account.session({ interceptors: [loseAnswer((call) => call.number === 1)] });
    await clock.drive(terminate(session, 'i-1'));
    expect(terminated).toEqual(['i-1', 'i-1']);
  });
});

describe('a killed session', () => {
  it.each([
    ['before', killBefore(2), ['i-1']],
    ['after', killAfter(2), ['i-1', 'i-2']],
  ])('dies %s the effect of its call and makes no further one', async (_, fault, effects) => {
    const { account, terminated } = smallAccount();
    const session = account.session({ interceptors: [fault] });
    await terminate(session, 'i-1');
    await expect(terminate(session, 'i-2')).rejects.toBeInstanceOf(Killed);
    await session.whenKilled;
    await expect(terminate(session, 'i-3')).rejects.toBeInstanceOf(Killed);
    expect(terminated).toEqual(effects);
    expect(account.calls.log).toHaveLength(2);
    await terminate(account.session(), 'i-4');
    expect(terminated.at(-1)).toBe('i-4');
  });

  it('is never answered again where it was to hang', async () => {
    const { account } = smallAccount();
    const session = account.session({ interceptors: [killBefore(1)], afterKill: 'hangs' });
    const answered = terminate(session, 'i-1').finally(() => 'answered');
    expect(await Promise.race([answered, session.whenKilled.then(() => 'killed')])).toBe('killed');
  });

  it('has its calls under way take effect without being told', async () => {
    const { account, clock, terminated } = smallAccount({ latencySeconds: 1 });
    const session = account.session();
    const call = terminate(session, 'i-1');
    clock.schedule(0.5, () => session.kill());
    await expect(clock.drive(call)).rejects.toBeInstanceOf(Killed);
    expect(terminated).toEqual(['i-1']);
  });
});

describe('a simulated account over HTTP', () => {
  it('answers an SDK client that knows no more than its address', async () => {
    const { account, terminated } = smallAccount();
    const endpoint = await account.listen();
    const { region, credentials } = account.clientOptions;
    const ec2 = new EC2Client({ region, credentials, endpoint: endpoint.url });
    await ec2.send(new TerminateInstancesCommand({ InstanceIds: ['i-1', 'i-2'] }));
    await expect(ec2.send(new DescribeVpcsCommand({}))).rejects.toThrow('ec2.DescribeVpcs is not simulated');
    ec2.destroy();
    await endpoint.close();
    expect(terminated).toEqual(['i-1', 'i-2']);
  });

  it('breaks the connection where an answer is lost', async () => {
    const lost = loseAnswer(({ number }) => number === 1);
    const { account, terminated } = smallAccount({ interceptors: [lost] });
    const endpoint = await account.listen();
    const { region, credentials } = account.clientOptions;
    const ec2 = new EC2Client({ region, credentials, endpoint: endpoint.url, maxAttempts: 1 });
    const call = ec2.send(new TerminateInstancesCommand({ InstanceIds: ['i-1'] }));
    await expect(call).rejects.toMatchObject({ code: 'ECONNRESET' });
    ec2.destroy();
    await endpoint.close();
    expect(terminated).toEqual(['i-1']);
  });
});
