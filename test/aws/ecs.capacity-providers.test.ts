import {
  type CapacityProvider,
  DescribeCapacityProvidersCommand,
  DescribeClustersCommand,
  ECSClient,
} from '@aws-sdk/client-ecs';
import { describe, expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { describeProviders } from '../../lambda/aws/ecs.ts';
import { ClusterNotFound } from '../../lambda/aws/errors.ts';
import { mocked } from './mocked.ts';
import { refusal } from './refusal.ts';

const api = mocked(ECSClient);
const aws = createAws({ region: 'eu-west-1' });

const ARN =
  'arn:aws:autoscaling:eu-west-1:123456789012:autoScalingGroup:11111111-2222-4333-8444-555555555555';
const provider = (group: string): CapacityProvider => ({
  autoScalingGroupProvider: { autoScalingGroupArn: `${ARN}:autoScalingGroupName/${group}` },
});

/** The cluster `web` with such providers. */
function withProviders(...capacityProviders: string[]) {
  api.on(DescribeClustersCommand, { clusters: ['web'] }).resolves({ clusters: [{ capacityProviders }] });
  return api.on(DescribeCapacityProvidersCommand);
}

const groups = async () => (await describeProviders(aws, 'web')).map(({ group }) => group);

const inputs = () => api.commandCalls(DescribeCapacityProvidersCommand).map(({ args: [{ input }] }) => input);

describe('the groups of capacity providers', () => {
  test('are named, even with slashes', async () => {
    withProviders('one', 'two').resolves({ capacityProviders: [provider('web'), provider('team/web:a')] });
    expect(await groups()).toEqual(['web', 'team/web:a']);
  });

  test('may be given to AWS by name alone, and come back that way', async () => {
    const autoScalingGroupProvider = { autoScalingGroupArn: 'web' };
    withProviders('one').resolves({ capacityProviders: [{ autoScalingGroupProvider }] });
    expect(await groups()).toEqual(['web']);
  });

  test('leave out Fargate, which is not looked up, and are those of the cluster alone', async () => {
    withProviders('FARGATE', 'one', 'FARGATE_SPOT').resolves({ capacityProviders: [provider('web')] });
    expect(await groups()).toEqual(['web']);
    expect(inputs()).toEqual([{ cluster: 'web', capacityProviders: ['one'] }]);
  });

  test('are asked for without their cluster where the Region has no Managed Instances', async () => {
    withProviders('one')
      .rejectsOnce(await refusal('ecs', 'UnsupportedFeatureException'))
      .resolves({ capacityProviders: [provider('web')] });
    expect(await groups()).toEqual(['web']);
    expect(inputs().map(({ cluster }) => cluster)).toEqual(['web', undefined]);
  });

  test('leave out providers without instances; those of Managed Instances have no group', async () => {
    const managed = { name: 'two', managedInstancesProvider: {} } as CapacityProvider;
    withProviders('one', 'two').resolves({ capacityProviders: [{ name: 'one' }, managed, provider('web')] });
    expect(await groups()).toEqual([undefined, 'web']);
  });

  test.each([[[]], [['FARGATE']]])('need no call for a cluster with the providers %j', async (names) => {
    withProviders(...names).rejects(new Error('asked for all providers of the account'));
    expect(await groups()).toEqual([]);
  });

  test('are requested a hundred providers at a time, and every page is read', async () => {
    withProviders(...Array.from({ length: 101 }, (_, index) => `provider-${index}`))
      .resolvesOnce({ capacityProviders: [provider('a')], nextToken: 'more' })
      .resolvesOnce({ capacityProviders: [provider('b')] })
      .resolves({ capacityProviders: [provider('c')] });
    expect(await groups()).toEqual(['a', 'b', 'c']);
    const asked = inputs().map(({ capacityProviders, nextToken }) => [capacityProviders?.length, nextToken]);
    expect(asked).toEqual([
      [100, undefined],
      [100, 'more'],
      [1, undefined],
    ]);
  });
});

describe('a failure', () => {
  test('of a provider that has vanished since does not count; every other does', async () => {
    withProviders('one', 'two')
      .resolvesOnce({ capacityProviders: [provider('web')], failures: [{ arn: 'one', reason: 'MISSING' }] })
      .resolves({ failures: [{ arn: 'one', reason: 'ACCESS_DENIED' }] });
    expect(await groups()).toEqual(['web']);
    await expect(describeProviders(aws, 'web')).rejects.toThrow(
      'DescribeCapacityProviders failed for one: ACCESS_DENIED',
    );
  });

  test('to find the cluster names it; every other is passed on', async () => {
    api
      .on(DescribeClustersCommand)
      .resolvesOnce({ clusters: [], failures: [{ arn: 'arn:web', reason: 'MISSING' }] })
      .resolves({ failures: [{ arn: 'arn:web', reason: 'ACCESS_DENIED', detail: 'why' }] });
    await expect(describeProviders(aws, 'web')).rejects.toThrow(ClusterNotFound);
    await expect(describeProviders(aws, 'web')).rejects.toThrow(
      'DescribeClusters failed for arn:web: ACCESS_DENIED, why',
    );
  });
});
