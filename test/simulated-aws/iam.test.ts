import {
  AutoScalingClient,
  CreateLaunchConfigurationCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { EC2Client, TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { ECSClient, UpdateContainerInstancesStateCommand } from '@aws-sdk/client-ecs';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { describe, expect, it } from 'vitest';
import { simulateAccount } from './account.ts';
import type { Call } from './call.ts';
import { virtualClock } from './clock.ts';
import { evaluate, type Statement, statementsOf } from './iam.ts';
import type { ConditionBlock, Context } from './iam-condition.ts';
import { checksOf, type ResourceFacts, type Tags } from './iam-context.ts';
import { on, type Service } from './operation.ts';

const REGION = 'eu-west-1';
const ACCOUNT = '123456789012';
const ROLE = `arn:aws:iam::${ACCOUNT}:role/instance`;
const GROUP = `arn:aws:autoscaling:${REGION}:${ACCOUNT}:autoScalingGroup:uuid:autoScalingGroupName/web`;
const TEMPLATE = `arn:aws:ec2:${REGION}:${ACCOUNT}:launch-template/lt-1`;
const KEY = `arn:aws:kms:${REGION}:${ACCOUNT}:key/1`;
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
  key: (named) => (named === 'alias/state' ? { arn: KEY } : undefined),
};

const allow = (
  Action: string | string[],
  Resource: string | string[] = '*',
  Condition: ConditionBlock = {},
): Statement => ({ Effect: 'Allow', Action, Resource, Condition });

describe('the evaluator', () => {
  const decide = (statements: Statement[], resource = 'arn:a:b:c:d:e/f') =>
    evaluate(statements, { action: 'ec2:TerminateInstances', resource, context: {} });

  it('denies what nothing allows', () => {
    expect(decide([])).toEqual({ kind: 'denied', explicitly: false });
    expect(decide([allow('ec2:StopInstances')]).kind).toBe('denied');
    expect(decide([allow('*', 'arn:a:b:c:d:e/g*')]).kind).toBe('denied');
  });

  it('matches actions and resources by wildcard, actions in any case', () => {
    expect(decide([allow('EC2:terminate*', 'arn:a:b:c:d:e/?')]).kind).toBe('allowed');
  });

  it('lets a deny win wherever it stands', () => {
    const deny: Statement = { Effect: 'Deny', Action: '*', Resource: '*' };
    expect(decide([allow('*'), deny])).toEqual({ kind: 'denied', explicitly: true });
  });

  it('refuses to read what it does not simulate', () => {
    const policy = (statement: object) => [{ Statement: [statement as Statement] }];
    expect(() => statementsOf(policy({ NotAction: '*' }))).toThrow('NotAction');
    expect(() => statementsOf(policy({ Resource: { Ref: 'x' } }))).toThrow('unresolved');
    expect(() => statementsOf(policy({ Resource: `arn:\${AWS::Partition}` }))).toThrow('unresolved');
    expect(() => decide([allow('*', '*', { NumericLessThan: { a: '1' } })])).toThrow('NumericLessThan');
  });

  it.each<[string, ConditionBlock, Context, boolean]>([
    ['an equal', { StringEquals: { 'aws:ResourceTag/a': ['x', 'y'] } }, { 'aws:ResourceTag/a': 'y' }, true],
    ['another', { StringEquals: { k: 'x' } }, { k: 'X' }, false],
    ['a key that is absent', { StringEquals: { k: 'x' } }, {}, false],
    ['a key that may be absent', { StringEqualsIfExists: { k: 'x' } }, {}, true],
    ['a key that may be absent but is wrong', { StringEqualsIfExists: { k: 'x' } }, { k: 'y' }, false],
    ['a negation of what is absent', { StringNotEquals: { k: 'x' } }, {}, true],
    ['a pattern', { StringLike: { k: 'a*z' } }, { k: 'a:b/z' }, true],
    ['an ARN pattern', { ArnLike: { k: 'arn:aws:ecs:*:*:cluster/*' } }, { k: CLUSTER }, true],
    ['an ARN pattern over a colon', { ArnEquals: { k: 'arn:*:cluster/main' } }, { k: CLUSTER }, false],
    ['null where it is absent', { Null: { k: 'true' } }, {}, true],
    ['null where it is there', { Null: { k: true } }, { k: 'x' }, false],
    ['a boolean', { Bool: { k: true } }, { k: 'True' }, true],
    ['all of the values', { 'ForAllValues:StringEquals': { k: ['a', 'b'] } }, { k: ['a'] }, true],
    ['not all of the values', { 'ForAllValues:StringEquals': { k: ['a'] } }, { k: ['a', 'b'] }, false],
    ['all of none', { 'ForAllValues:StringEquals': { k: ['a'] } }, {}, true],
    ['any of the values', { 'ForAnyValue:StringLike': { k: 'b*' } }, { k: ['a', 'bc'] }, true],
    ['any of none', { 'ForAnyValue:StringEquals': { k: ['a'] } }, {}, false],
    ['two keys of which one is wrong', { StringEquals: { a: '1', b: '2' } }, { a: '1', b: '1' }, false],
  ])('decides a condition: %s', (_, condition, context, expected) => {
    const { kind } = evaluate([allow('*', '*', condition)], { action: 'a:B', resource: '*', context });
    expect(kind === 'allowed').toBe(expected);
  });

  it('demands a quantifier for a key of many values', () => {
    const statement = allow('*', '*', { StringEquals: { 'aws:TagKeys': 'a' } });
    const check = { action: 'a:B', resource: '*', context: { 'aws:TagKeys': ['a'] } };
    expect(() => evaluate([statement], check)).toThrow('aws:TagKeys has many values');
  });
});

describe('what a call asks of IAM', () => {
  const asks = (service: Service, operation: string, input: object) => {
    const call = { service, operation, key: `${service}.${operation}`, input } as Call;
    return checksOf(call, facts).map(({ action, resource, context }) => {
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

  it('asks to run instances where a group is pointed to a launch template, and only there', () => {
    const toTemplate = asks('autoscaling', 'UpdateAutoScalingGroup', {
      AutoScalingGroupName: 'web',
      LaunchTemplate: { LaunchTemplateId: 'lt-1', Version: '3' },
    });
    const launch = { 'ec2:LaunchTemplate': TEMPLATE, 'ec2:IsLaunchTemplateResource': 'true' };
    expect(toTemplate[0]?.slice(0, 2)).toEqual(['autoscaling:UpdateAutoScalingGroup', GROUP]);
    expect(toTemplate).toContainEqual(['ec2:RunInstances', TEMPLATE, launch]);
    expect(toTemplate).toContainEqual(['ec2:RunInstances', instance('*'), launch]);
    expect(toTemplate).toContainEqual([
      'ec2:CreateTags',
      instance('*'),
      { 'ec2:CreateAction': 'RunInstances' },
    ]);
    expect(toTemplate).toContainEqual(passRole);
    const toConfiguration = { AutoScalingGroupName: 'web', LaunchConfigurationName: 'lc' };
    expect(asks('autoscaling', 'UpdateAutoScalingGroup', toConfiguration)).toHaveLength(1);
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
      permissions: { policies: [{ Statement }], facts },
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
