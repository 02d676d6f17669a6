import {
  AutoScalingClient,
  CreateLaunchConfigurationCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { EC2Client, TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { ECSClient, UpdateContainerInstancesStateCommand } from '@aws-sdk/client-ecs';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { describe, expect, it } from 'vitest';
import { simulateAccount } from '../account/account.ts';
import type { Call } from '../account/call.ts';
import { on, type Service } from '../account/operation.ts';
import { virtualClock } from '../clock/clock.ts';
import { checksOf, type ResourceFacts, type Tags } from './context.ts';
import { evaluate } from './iam.ts';
import { enforce } from './permissions.ts';
import {
  type ConditionBlock,
  leavesToIam,
  type PolicyDocument,
  SIMULATED_ROLE,
  type Statement,
} from './policy.ts';

const REGION = 'eu-west-1';
const ACCOUNT = '123456789012';
const ROLE = `arn:aws:iam::${ACCOUNT}:role/instance`;
const GROUP = `arn:aws:autoscaling:${REGION}:${ACCOUNT}:autoScalingGroup:uuid:autoScalingGroupName/web`;
const TEMPLATE = `arn:aws:ec2:${REGION}:${ACCOUNT}:launch-template/lt-1`;
const KEY = `arn:aws:kms:${REGION}:${ACCOUNT}:key/1`;
const KEY_POLICY = leavesToIam(ACCOUNT);
const CLUSTER = `arn:aws:ecs:${REGION}:${ACCOUNT}:cluster/main`;

const facts: ResourceFacts = {
  region: REGION,
  accountId: ACCOUNT,
  instanceTags: (id): Tags => (id === 'i-ours' ? { terminate: 'true' } : {}),
  group: (name) => (name === 'web' ? { arn: GROUP, tags: { team: 'a' } } : undefined),
  launchConfiguration: () => undefined,
  launchTemplate: () => ({
    arn: TEMPLATE,
    tags: { team: 'a' },
    instanceProfileRoleArn: ROLE,
    tagsOnLaunch: true,
  }),
  instanceProfileRoleArn: () => ROLE,
  table: () => undefined,
  key: (named) => (named === 'alias/state' ? { arn: KEY, policy: KEY_POLICY } : undefined),
};

const allow = (
  Action: string | string[],
  Resource: string | string[] = '*',
  Condition: ConditionBlock = {},
): Statement => ({ Effect: 'Allow', Action, Resource, Condition });

describe('the evaluation', () => {
  const INSTANCE = `arn:aws:ec2:${REGION}:${ACCOUNT}:instance/i-1`;
  const decide = (statements: Statement[], resource = INSTANCE) =>
    evaluate([{ Statement: statements }], { action: 'ec2:TerminateInstances', resource, context: {} });

  it('denies what nothing allows, and tells it from an explicit deny', () => {
    const deny: Statement = { Effect: 'Deny', Action: '*', Resource: '*' };
    expect(decide([allow('ec2:StopInstances')])).toMatchObject({ kind: 'denied', explicitly: false });
    expect(decide([allow('*'), deny])).toMatchObject({ kind: 'denied', explicitly: true });
  });

  it('names the first statement that allows', () => {
    const [other, first, second] = [allow('ec2:StopInstances'), allow('EC2:terminate*'), allow('*')];
    expect(decide([other, first, second])).toEqual({ kind: 'allowed', statement: first });
  });

  it.each([
    [INSTANCE, `${INSTANCE.slice(0, -1)}?`, 'allowed'],
    [INSTANCE.replace('i-1', '*'), INSTANCE.replace('i-1', '*'), 'allowed'],
    [INSTANCE.replace('i-1', '*'), INSTANCE, 'denied'],
    ['*', '*', 'allowed'],
    ['*', INSTANCE.replace('i-1', '*'), 'denied'],
  ])('of %s by a policy for %s: %s', (asked, allowed, kind) => {
    expect(decide([allow('*', allowed)], asked).kind).toBe(kind);
  });

  it('lets IAM speak of a key only as far as the policy of the key does', () => {
    const role = { AWS: `arn:aws:iam::${ACCOUNT}:role/${SIMULATED_ROLE}` };
    const another = { AWS: `arn:aws:iam::${ACCOUNT}:role/another` };
    const policyFor = (Principal: Statement['Principal']): PolicyDocument => ({
      Statement: [{ Effect: 'Allow', Principal, Action: 'kms:GenerateMac', Resource: '*' }],
    });
    const check = { action: 'kms:GenerateMac', resource: KEY, context: {} };
    const kindUnder = (resourcePolicy: PolicyDocument, ...statements: Statement[]) =>
      evaluate([{ Statement: statements }], { ...check, resourcePolicy }).kind;
    expect(kindUnder(KEY_POLICY, allow('kms:*'))).toBe('allowed');
    expect(kindUnder(KEY_POLICY, allow('ec2:*'))).toBe('denied');
    expect(kindUnder(policyFor(role), allow('ec2:*'))).toBe('allowed');
    expect(kindUnder(policyFor(another), allow('kms:*'))).toBe('denied');
  });

  it('wants a quantifier for a key of many values', () => {
    const statement = allow('*', '*', { StringEquals: { 'aws:TagKeys': 'a' } });
    const check = { action: 'ec2:CreateTags', resource: INSTANCE, context: { 'aws:TagKeys': ['a'] } };
    expect(evaluate([{ Statement: [statement] }], check).kind).toBe('denied');
  });

  it.each<[string, object]>([
    ['an element', { Resources: '*' }],
    ['a reference', { Resource: { Ref: 'x' } }],
    ['a quantifier', { Condition: { 'ForSomeValues:StringLike': { a: 'b' } } }],
  ])('refuses %s that no policy has', (_, change) => {
    const Statement = [{ ...allow('*'), ...change }];
    expect(() => enforce([{ Statement }], facts)).toThrow('not a policy');
  });
});

describe('what a call asks of IAM', () => {
  const asks = (service: Service, operation: string, input: object, of = facts) => {
    const call = { service, operation, key: `${service}.${operation}`, input } as Call;
    return checksOf(call, of).map(({ action, resource, context }) => {
      const { 'aws:RequestedRegion': _, ...own } = context;
      return [action, resource, own];
    });
  };
  const instance = (id: string) => `arn:aws:ec2:${REGION}:${ACCOUNT}:instance/${id}`;
  const passRole = ['iam:PassRole', ROLE, { 'iam:PassedToService': 'ec2.amazonaws.com' }];

  it('asks for each instance by its tags', () => {
    expect(asks('ec2', 'TerminateInstances', { InstanceIds: ['i-ours', 'i-theirs'] })).toEqual([
      [
        'ec2:TerminateInstances',
        instance('i-ours'),
        { 'aws:ResourceTag/terminate': 'true', 'ec2:ResourceTag/terminate': 'true' },
      ],
      ['ec2:TerminateInstances', instance('i-theirs'), {}],
    ]);
  });

  it('asks for the tags that a request sets', () => {
    const input = { Resources: ['i-1'], Tags: [{ Key: 'a', Value: 'b' }] };
    expect(asks('ec2', 'CreateTags', input)).toEqual([
      ['ec2:CreateTags', instance('i-1'), { 'aws:RequestTag/a': 'b', 'aws:TagKeys': ['a'] }],
    ]);
    const tags = [{ ResourceId: 'web', ResourceType: 'auto-scaling-group', Key: 'a', Value: 'b' }];
    expect(asks('autoscaling', 'CreateOrUpdateTags', { Tags: tags })).toEqual([
      [
        'autoscaling:CreateOrUpdateTags',
        GROUP,
        {
          'aws:ResourceTag/team': 'a',
          'autoscaling:ResourceTag/team': 'a',
          'aws:RequestTag/a': 'b',
          'aws:TagKeys': ['a'],
        },
      ],
    ]);
  });

  it('asks to pass the role of a launch configuration', () => {
    const input = { LaunchConfigurationName: 'lc', ImageId: 'ami-1', IamInstanceProfile: 'profile' };
    expect(asks('autoscaling', 'CreateLaunchConfiguration', input)).toEqual([
      [
        'autoscaling:CreateLaunchConfiguration',
        `arn:aws:autoscaling:${REGION}:${ACCOUNT}:launchConfiguration:*:launchConfigurationName/lc`,
        { 'autoscaling:ImageId': 'ami-1' },
      ],
      passRole,
    ]);
  });

  it('asks to run instances where a group is pointed to a launch template, or told to try its own', () => {
    const toTemplate = asks('autoscaling', 'UpdateAutoScalingGroup', {
      AutoScalingGroupName: 'web',
      LaunchTemplate: { LaunchTemplateId: 'lt-1', Version: '3' },
    });
    const launch = { 'ec2:LaunchTemplate': TEMPLATE };
    expect(toTemplate[0]?.slice(0, 2)).toEqual(['autoscaling:UpdateAutoScalingGroup', GROUP]);
    expect(toTemplate).toContainEqual(['ec2:RunInstances', TEMPLATE, launch]);
    expect(toTemplate).toContainEqual(['ec2:RunInstances', instance('*'), launch]);
    expect(toTemplate).toContainEqual([
      'ec2:CreateTags',
      instance('*'),
      { 'ec2:CreateAction': 'RunInstances' },
    ]);
    expect(toTemplate).toContainEqual(passRole);
    const trying = { ...facts, group: () => ({ arn: GROUP, tags: {}, tries: ['lt-1'] }) };
    const sizes = { AutoScalingGroupName: 'web', MaxSize: 3 };
    expect(asks('autoscaling', 'UpdateAutoScalingGroup', sizes, trying)).toContainEqual([
      'ec2:RunInstances',
      TEMPLATE,
      launch,
    ]);
    const toConfiguration = { AutoScalingGroupName: 'web', LaunchConfigurationName: 'lc' };
    expect(asks('autoscaling', 'UpdateAutoScalingGroup', toConfiguration)).toHaveLength(1);
  });

  it('lets no policy count on a key that tells whether the template or the group names a resource', () => {
    const toTemplate = asks('autoscaling', 'UpdateAutoScalingGroup', {
      AutoScalingGroupName: 'web',
      LaunchTemplate: { LaunchTemplateId: 'lt-1', Version: '3' },
    });
    const keys = toTemplate.flatMap(([, , context]) => Object.keys(context ?? {}));
    expect(keys).toContain('ec2:LaunchTemplate');
    expect(keys).not.toContain('ec2:IsLaunchTemplateResource');
  });

  it.each([
    ['DescribeContainerInstances', { containerInstances: ['ci'] }, 'container-instance/main/ci', true],
    ['UpdateContainerInstancesState', { containerInstances: ['ci'] }, 'container-instance/main/ci', true],
    ['DeregisterContainerInstance', { containerInstance: 'ci' }, 'cluster/main', false],
    ['ListContainerInstances', {}, 'cluster/main', false],
    ['DescribeServices', { services: ['web'] }, 'service/main/web', true],
    ['DescribeTasks', { tasks: ['t'] }, 'task/main/t', true],
    ['ListTasks', { containerInstance: 'ci' }, 'container-instance/main/ci', true],
  ])('asks for ecs:%s on what it names', (operation, input, resource, boundToCluster) => {
    for (const cluster of ['main', CLUSTER])
      expect(asks('ecs', operation, { ...input, cluster })).toEqual([
        [
          `ecs:${operation}`,
          `arn:aws:ecs:${REGION}:${ACCOUNT}:${resource}`,
          boundToCluster ? { 'ecs:cluster': CLUSTER } : {},
        ],
      ]);
  });

  it('asks for ecs:ListServices, and ecs:ListTasks of a cluster, on anything in the cluster', () => {
    const inCluster = { 'ecs:cluster': CLUSTER };
    expect(asks('ecs', 'ListServices', { cluster: 'main' })).toEqual([['ecs:ListServices', '*', inCluster]]);
    expect(asks('ecs', 'ListTasks', { cluster: 'main' })).toEqual([['ecs:ListTasks', '*', inCluster]]);
  });

  it('asks for public parameters in no account', () => {
    const name = '/aws/service/ecs/optimized-ami/amazon-linux-2023/recommended';
    expect(asks('ssm', 'GetParameter', { Name: name })).toEqual([
      ['ssm:GetParameter', `arn:aws:ssm:${REGION}::parameter${name}`, {}],
    ]);
    expect(asks('ssm', 'GetParameters', { Names: ['own'] })).toEqual([
      ['ssm:GetParameters', `arn:aws:ssm:${REGION}:${ACCOUNT}:parameter/own`, {}],
    ]);
  });

  it('knows of no operation that it would let pass unasked', () => {
    expect(() => asks('ec2', 'RebootInstances', {})).toThrow('ec2.RebootInstances');
    expect(() => asks('ecs', 'RunTask', {})).toThrow('ecs.RunTask');
  });
});

describe('an account under policies', () => {
  const underPolicies = (...Statement: Statement[]) =>
    simulateAccount({
      clock: virtualClock(0),
      operations: [
        on(TerminateInstancesCommand, 'all', () => ({})),
        on(CreateLaunchConfigurationCommand, 'all', () => ({})),
        on(UpdateAutoScalingGroupCommand, 'all', () => ({})),
        on(UpdateContainerInstancesStateCommand, 'all', () => ({})),
        on(GetParameterCommand, 'all', () => ({})),
      ],
      permissions: enforce([{ Statement }], facts),
    });
  const terminate = (id: string) => new TerminateInstancesCommand({ InstanceIds: [id] });

  it('terminates what is tagged and nothing else', async () => {
    const tagged = { StringEquals: { 'aws:ResourceTag/terminate': 'true' } };
    const account = underPolicies(allow('ec2:TerminateInstances', '*', tagged));
    const ec2 = new EC2Client(account.clientOptions);
    await ec2.send(terminate('i-ours'));
    await expect(ec2.send(terminate('i-theirs'))).rejects.toMatchObject({
      name: 'UnauthorizedOperation',
      message: expect.stringContaining(
        `not authorized to perform: ec2:TerminateInstances on resource: arn:aws:ec2:${REGION}:${ACCOUNT}:instance/i-theirs`,
      ),
      $metadata: { httpStatusCode: 403 },
    });
    expect(account.calls.log.map(({ tookEffect }) => tookEffect)).toEqual([true, false]);
    await new EC2Client(account.session({ unrestricted: true }).clientOptions).send(terminate('i-theirs'));
  });

  it('refuses in the words of each service', async () => {
    const { clientOptions } = underPolicies(allow('autoscaling:*'));
    const create = new CreateLaunchConfigurationCommand({
      LaunchConfigurationName: 'lc',
      IamInstanceProfile: 'p',
    });
    await expect(new AutoScalingClient(clientOptions).send(create)).rejects.toMatchObject({
      name: 'AccessDenied',
      message: expect.stringContaining(`iam:PassRole on resource: ${ROLE}`),
    });
    const drain = new UpdateContainerInstancesStateCommand({ containerInstances: ['a'], status: 'DRAINING' });
    await expect(new ECSClient(clientOptions).send(drain)).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
    const get = new GetParameterCommand({ Name: 'p' });
    await expect(new SSMClient(clientOptions).send(get)).rejects.toMatchObject({
      name: 'AccessDeniedException',
      $metadata: { httpStatusCode: 400 },
    });
  });

  it('tells which allowed actions were used and which were not', async () => {
    const account = underPolicies(allow(['ec2:Terminate*', 'ec2:RunInstances']), allow('ssm:GetParameter'));
    await new EC2Client(account.clientOptions).send(terminate('i-1'));
    expect(account.permissions?.used).toEqual(new Set(['ec2:TerminateInstances']));
    expect(account.permissions?.unused()).toEqual(['ec2:RunInstances', 'ssm:GetParameter']);
  });
});
