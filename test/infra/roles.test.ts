import { isDeepStrictEqual } from 'node:util';
import type { Stack } from 'aws-cdk-lib';
import { Cluster } from 'aws-cdk-lib/aws-ecs';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import { ImageSource } from '../../infra/choices.ts';
import type { EcsAmiDeployProps } from '../../infra/props.ts';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import { recommendedParameter } from '../../lambda/core/launch-spec/image-family.ts';
import { launchConfigurationName } from '../../lambda/core/launch-spec/own-launch-specs.ts';
import { markTags } from '../../lambda/tags/instance-tags.ts';
import { evaluate } from '../simulated-aws/iam/iam.ts';
import type { Check } from '../simulated-aws/iam/policy.ts';
import { deployment, template, templateFrom } from './deployment.ts';
import { policiesIn, rolePolicies } from './role-policies.ts';

const HERE = 'eu-west-1:111122223333';
const HOOKS = `arn:aws:lambda:${HERE}:function:`;
const JOBS = `arn:aws:ecs:${HERE}:cluster/jobs`;

interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, unknown>>;
}

type Context = Readonly<Record<string, unknown>>;

/** The role's statements, with the partition written out. */
function statements(props: Context | ((stack: Stack) => Partial<EcsAmiDeployProps>) = {}): Statement[] {
  const synthesized = typeof props === 'function' ? template(props) : templateFrom(props);
  const policies = policiesIn(synthesized).map(({ Properties }) => Properties);
  const ofRole = policies.filter(({ Roles }) => isDeepStrictEqual(Roles, policies[0]?.Roles));
  const json = JSON.stringify(ofRole.flatMap(({ PolicyDocument }) => PolicyDocument.Statement));
  return JSON.parse(
    json.replace(/\{"Fn::Join":\["",\["arn:",\{"Ref":"AWS::Partition"\},"([^"]*)"\]\]\}/g, '"arn:aws$1"'),
  );
}

/** A parameter that another account shares. */
const SHARED = 'arn:aws:ssm:eu-west-1:444455556666:parameter/images/ecs';

const STANDARD = statements();

const WITH_PROPS = new Map<string, Statement[]>();

/** Synthesizes once for each set of props. */
function allowing(action: string, props?: Context): Statement[] {
  const key = JSON.stringify(props);
  const all = props === undefined ? STANDARD : (WITH_PROPS.get(key) ?? statements(props));
  if (props !== undefined) WITH_PROPS.set(key, all);
  return all.filter(({ Action }) => [Action].flat().includes(action));
}

function parameters(props?: Context): unknown[] {
  return allowing('ssm:GetParameters', props).flatMap(({ Resource }) => Resource);
}

describe('the role', () => {
  test('may read the change calendars that the props name, and no others', () => {
    const changeCalendars = [`arn:aws:ssm:${HERE}:document/freeze`];
    expect(allowing('ssm:GetCalendarState')).toEqual([]);
    const [allowed] = allowing('ssm:GetCalendarState', { clusters: 'jobs', changeCalendars });
    expect([allowed?.Resource].flat()).toEqual(changeCalendars);
  });

  test('may ask the hooks that the props name, and invoke no other function', () => {
    const [onTrialPassed, beforeBatch] = ['tried', 'next'].map((name) => HOOKS + name);
    expect(allowing('lambda:InvokeFunction')).toEqual([]);
    const [allowed] = allowing('lambda:InvokeFunction', { clusters: 'jobs', onTrialPassed, beforeBatch });
    expect(allowed?.Resource).toEqual([onTrialPassed, beforeBatch]);
  });

  test('allows no action by a wildcard', () => {
    expect(STANDARD.flatMap(({ Action }) => Action)).not.toContainEqual(expect.stringContaining('*'));
  });

  test.each(['ecs:DescribeClusters', 'ecs:ListContainerInstances', 'ecs:DeregisterContainerInstance'])(
    'allows %s on the configured clusters, by name or ARN',
    (action) => {
      const resources = allowing(action, { clusters: ['web', JOBS] }).map(({ Resource }) => Resource);
      expect(resources).toEqual([[`arn:aws:ecs:${HERE}:cluster/web`, JOBS]]);
    },
  );

  test('reads capacity providers, which IAM cannot bind to a cluster', () => {
    const resources = allowing('ecs:DescribeCapacityProviders').map(({ Resource }) => Resource);
    expect(resources).toEqual([`arn:aws:ecs:${HERE}:capacity-provider/*`]);
  });

  test.each([
    'autoscaling:DescribeAccountLimits',
    'autoscaling:DescribeAutoScalingGroups',
    'autoscaling:DescribeScalingActivities',
    'autoscaling:DescribeLaunchConfigurations',
    'autoscaling:DescribeWarmPool',
    'autoscaling:DescribeLifecycleHooks',
    'autoscaling:DescribeInstanceRefreshes',
    'ec2:DescribeInstances',
    'ec2:DescribeInstanceTypes',
    'ec2:DescribeImages',
    'ec2:DescribeLaunchTemplateVersions',
    'ec2:DescribeSubnets',
    'elasticloadbalancing:DescribeTargetHealth',
    'elasticloadbalancing:DescribeInstanceHealth',
    // IAM could limit this, but then CloudWatch would hide composite alarms.
    'cloudwatch:DescribeAlarms',
  ])('allows %s, which IAM can bind to nothing', (action) => {
    expect(allowing(action).map(({ Resource, Condition }) => [Resource, Condition])).toEqual([
      ['*', undefined],
    ]);
  });

  test.each([
    'ecs:DescribeContainerInstances',
    'ecs:ListServices',
    'ecs:DescribeServices',
    'ecs:ListTasks',
    'ecs:DescribeTasks',
    'ecs:GetTaskProtection',
    'ecs:UpdateContainerInstancesState',
    'ecs:StopTask',
  ])('allows %s within the configured clusters', (action) => {
    const conditions = allowing(action, { clusters: ['web', JOBS] }).map(({ Condition }) => Condition);
    expect(conditions).toEqual([{ ArnEquals: { 'ecs:cluster': [`arn:aws:ecs:${HERE}:cluster/web`, JOBS] } }]);
  });

  test('stops tasks of the configured clusters only, whatever the props say, as tags of groups may ask for it', () => {
    const [stop] = allowing('ecs:StopTask', { clusters: ['web', JOBS], onDrainTimeout: 'hold' });
    const ids = ['web/*', 'jobs/*', '????????-????-????-????-????????????'];
    expect(stop?.Resource).toEqual(ids.map((id) => `arn:aws:ecs:${HERE}:task/${id}`));
  });

  test('reads instance profiles of any name, whatever roles it may pass', () => {
    const instanceRoleArns = ['arn:aws:iam::111122223333:role/instances'];
    for (const [read] of [
      allowing('iam:GetInstanceProfile'),
      allowing('iam:GetInstanceProfile', { instanceRoleArns }),
    ])
      expect(read?.Resource).toBe('arn:aws:iam::111122223333:instance-profile/*');
  });

  test('knows a cluster of the CDK by name for tags and by ARN for ECS', () => {
    const policy = statements((stack) => ({ clusters: [new Cluster(stack, 'Web')] }));
    const find = (action: string) => policy.find(({ Action }) => [Action].flat().includes(action));
    expect(find('ecs:DescribeClusters')?.Resource).toEqual({
      'Fn::GetAtt': [expect.stringContaining('Web'), 'Arn'],
    });
    expect(find('ec2:TerminateInstances')?.Condition).toEqual({
      StringEquals: {
        'aws:ResourceTag/ecs-ami-deploy-terminate': 'true',
        'aws:ResourceTag/ecs-ami-deploy-cluster': [{ Ref: expect.stringContaining('Web') }],
      },
    });
  });

  test('terminates only instances with both of our tags, for a configured cluster', () => {
    expect(allowing('ec2:TerminateInstances', { clusters: ['web', JOBS] })).toEqual([
      expect.objectContaining({
        Resource: `arn:aws:ec2:${HERE}:instance/*`,
        Condition: {
          StringEquals: {
            'aws:ResourceTag/ecs-ami-deploy-terminate': 'true',
            'aws:ResourceTag/ecs-ami-deploy-cluster': ['web', 'jobs'],
          },
        },
      }),
    ]);
  });

  const CHANGES = [
    'autoscaling:UpdateAutoScalingGroup',
    'autoscaling:SuspendProcesses',
    'autoscaling:ResumeProcesses',
    'autoscaling:SetInstanceHealth',
    'autoscaling:AttachInstances',
    'autoscaling:DetachInstances',
    'autoscaling:TerminateInstanceInAutoScalingGroup',
  ];

  test.each(CHANGES)('allows %s only on groups with our tag for a configured cluster', (action) => {
    expect(allowing(action)).toEqual([
      expect.objectContaining({
        Resource: `arn:aws:autoscaling:${HERE}:autoScalingGroup:*:autoScalingGroupName/*`,
        Condition: { StringEquals: { 'autoscaling:ResourceTag/ecs-ami-deploy-cluster': ['web'] } },
      }),
    ]);
  });

  test.each([...CHANGES, 'autoscaling:CreateOrUpdateTags', 'autoscaling:DeleteTags'])(
    'allows %s only on groups of the given names',
    (action) => {
      const [statement] = allowing(action, { autoScalingGroupNames: ['web-a', 'web-b'] });
      expect(statement?.Resource).toEqual(
        ['web-a', 'web-b'].map(
          (name) => `arn:aws:autoscaling:${HERE}:autoScalingGroup:*:autoScalingGroupName/${name}`,
        ),
      );
    },
  );

  test.each(['autoscaling:CreateOrUpdateTags', 'autoscaling:DeleteTags'])(
    'allows %s with our tags alone',
    (action) => {
      for (const { Condition } of allowing(action))
        expect(Condition?.['ForAllValues:StringEquals']).toEqual({
          'aws:TagKeys': [
            ...Object.values(GROUP_TAGS),
            ...['-2', '-3', '-4', '-5'].map((part) => `ecs-ami-deploy-previous${part}`),
            ...['-2', '-3'].map((part) => `ecs-ami-deploy-unsteady-services${part}`),
          ],
        });
    },
  );

  test('never allows deleting all tags at once by naming none', () => {
    for (const action of ['autoscaling:DeleteTags', 'ec2:DeleteTags'])
      for (const { Condition } of allowing(action))
        expect(Condition).toHaveProperty('Null', { 'aws:TagKeys': 'false' });
  });

  test('tags an instance while it is in a group, has our tag, or is launched by a launch template', () => {
    const conditions = allowing('ec2:CreateTags').map(({ Condition }) => Condition);
    expect(conditions).toEqual([
      { StringEquals: { 'ec2:CreateAction': 'RunInstances' } },
      expect.objectContaining({ Null: { 'aws:ResourceTag/aws:autoscaling:groupName': 'false' } }),
      expect.objectContaining({
        StringEquals: { 'aws:ResourceTag/ecs-ami-deploy-cluster': ['web'] },
        StringEqualsIfExists: { 'aws:RequestTag/ecs-ami-deploy-cluster': ['web'] },
      }),
    ]);
  });

  test('tags and ends only members of the configured groups, and instances with our tags for them', () => {
    const autoScalingGroupNames = ['web-a', 'web-b'];
    const conditions = (action: string) =>
      allowing(action, { autoScalingGroupNames }).map(({ Condition }) => Condition);
    const marked = {
      'aws:ResourceTag/ecs-ami-deploy-cluster': ['web'],
      'aws:ResourceTag/ecs-ami-deploy-asg': autoScalingGroupNames,
    };
    const asking = {
      'aws:RequestTag/ecs-ami-deploy-cluster': ['web'],
      'aws:RequestTag/ecs-ami-deploy-asg': autoScalingGroupNames,
    };
    expect(conditions('ec2:CreateTags').slice(1)).toEqual([
      expect.objectContaining({
        StringEquals: { 'aws:ResourceTag/aws:autoscaling:groupName': autoScalingGroupNames },
        StringEqualsIfExists: asking,
      }),
      expect.objectContaining({ StringEquals: marked, StringEqualsIfExists: asking }),
    ]);
    expect(conditions('ec2:DeleteTags')).toEqual([expect.objectContaining({ StringEquals: marked })]);
    expect(conditions('ec2:TerminateInstances')).toEqual([
      { StringEquals: { 'aws:ResourceTag/ecs-ami-deploy-terminate': 'true', ...marked } },
    ]);
  });

  test('makes and deletes only launch configurations with our mark in their names', () => {
    const [create] = allowing('autoscaling:CreateLaunchConfiguration');
    const [remove] = allowing('autoscaling:DeleteLaunchConfiguration');
    expect(create).toEqual(remove);
    const pattern = String(create?.Resource).split('launchConfigurationName/')[1] ?? '';
    const name = launchConfigurationName(
      { name: 'web', uuid: '0a1b2c3d-1' },
      { uuid: '4e5f6a7b-1' },
      'ami-12345678',
    );
    expect(pattern).toBe('*-ecs-ami-deploy-*');
    expect(name).toMatch(/^.*-ecs-ami-deploy-.*$/);
  });

  test('lets groups launch from templates only', () => {
    const [any, others] = allowing('ec2:RunInstances');
    expect(any?.Condition).toEqual({
      ArnLike: { 'ec2:LaunchTemplate': [`arn:aws:ec2:${HERE}:launch-template/*`] },
    });
    // Only the former row covers instances, and without it nothing is launched.
    expect(others?.Resource).toEqual([
      `arn:aws:elastic-inference:${HERE}:elastic-inference-accelerator/*`,
      `arn:aws:license-manager:${HERE}:license-configuration:*`,
      `arn:aws:resource-groups:${HERE}:group/*`,
      `arn:aws:ec2:${HERE}:secondary-interface/*`,
      `arn:aws:ec2:${HERE}:secondary-subnet/*`,
      `arn:aws:ec2:${HERE}:spot-instances-request/*`,
    ]);
  });

  test('writes versions of the configured templates alone, and lets groups launch from these only', () => {
    const ids = ['lt-0123456789abcdef0', 'lt-0123456789abcdef1'];
    const arns = ids.map((id) => `arn:aws:ec2:${HERE}:launch-template/${id}`);
    const writes = ['CreateLaunchTemplateVersion', 'ModifyLaunchTemplate', 'DeleteLaunchTemplateVersions'];
    for (const action of writes) {
      const [given, ...more] = allowing(`ec2:${action}`, { launchTemplateIds: ids });
      expect(given?.Resource).toEqual(arns);
      expect(more).toEqual([]);
    }
    const [launch] = allowing('ec2:RunInstances', { launchTemplateIds: ids });
    expect(launch?.Condition).toEqual({ ArnLike: { 'ec2:LaunchTemplate': arns } });
  });

  test('passes only the configured roles, and to EC2 only', () => {
    const instanceRoleArns = ['arn:aws:iam::111122223333:role/instances'];
    const [any] = allowing('iam:PassRole');
    const [given] = allowing('iam:PassRole', { instanceRoleArns });
    expect(any).toMatchObject({
      Resource: '*',
      Condition: {
        StringEquals: { 'iam:PassedToService': ['ec2.amazonaws.com', 'ec2.amazonaws.com.cn'] },
      },
    });
    expect(given?.Resource).toBe(instanceRoleArns[0]);
  });

  test.each([
    ['ssm:/images/ecs', `arn:aws:ssm:${HERE}:parameter/images/ecs`],
    ['ssm:images:3', `arn:aws:ssm:${HERE}:parameter/images`],
    ['ssm:/images/ecs:blessed', `arn:aws:ssm:${HERE}:parameter/images/ecs`],
    [`ssm:${SHARED}`, SHARED],
    [`ssm:${SHARED}:3`, SHARED],
    [
      'ssm:/aws/service/ami-amazon-linux-latest/al2023',
      'arn:aws:ssm:eu-west-1::parameter/aws/service/ami-amazon-linux-latest/al2023',
    ],
  ])('reads for the image %s, besides what AWS publishes, %s alone', (image, arn) => {
    expect(parameters({ image })).toEqual([...parameters(), arn]);
  });

  test.each(['auto', 'name:my-image-*', 'ami-12345678'])(
    'reads for the image %s what AWS publishes, which the tags of a group may ask for',
    (image) => {
      expect(parameters({ image })).toEqual([
        'arn:aws:ssm:eu-west-1::parameter/aws/service/ecs/optimized-ami/*',
        'arn:aws:ssm:eu-west-1::parameter/aws/service/bottlerocket/aws-ecs-*',
        'arn:aws:ssm:eu-west-1::parameter/aws/service/ami-windows-latest/*-ECS_Optimized*',
      ]);
    },
  );

  test('reads the configured parameters of launch templates', () => {
    const imageParameterNames = ['/golden/*', 'ecs-image', '/images/ecs', `${SHARED}:3`];
    expect(parameters({ image: 'ssm:/images/ecs', imageParameterNames })).toEqual([
      ...parameters({ image: 'ssm:/images/ecs' }),
      `arn:aws:ssm:${HERE}:parameter/golden/*`,
      `arn:aws:ssm:${HERE}:parameter/ecs-image`,
      SHARED,
    ]);
  });

  test('reads a parameter of the CDK, whether its name begins with a slash or not', () => {
    const [policy] = statements((stack) => {
      const { parameterName } = new StringParameter(stack, 'Image', { stringValue: 'ami-12345678' });
      return { image: ImageSource.ssmParameter(parameterName) };
    }).filter(({ Action }) => Action === 'ssm:GetParameters');
    const named = (resource: string) => ({
      'Fn::Join': [
        '',
        [
          'arn:',
          { Ref: 'AWS::Partition' },
          `:ssm:${HERE}:${resource}`,
          { Ref: expect.stringContaining('Image') },
        ],
      ],
    });
    expect(policy?.Resource).toEqual(expect.arrayContaining([named('parameter/'), named('parameter')]));
  });

  test('writes into its own log and queue', () => {
    const [log] = allowing('logs:PutLogEvents');
    const [queue] = allowing('sqs:SendMessage');
    expect(log?.Resource).toEqual({ 'Fn::GetAtt': [expect.stringContaining('Log'), 'Arn'] });
    expect(queue?.Resource).toEqual({ 'Fn::GetAtt': [expect.stringContaining('Failures'), 'Arn'] });
  });
});

describe('the role, evaluated,', () => {
  const HOME = { account: '111122223333', region: 'eu-west-1' };
  const ours = rolePolicies(HOME, { clusters: ['web'] });
  const isAllowed = (check: Check) => evaluate(ours, check).kind === 'allowed';

  test.each([
    'al2023-ami-ecs-hvm-2023.0.20260115-kernel-6.1-arm64',
    'amzn2-ami-ecs-kernel-5.10-gpu-hvm-2.0.20260115-x86_64-ebs',
    'bottlerocket-aws-ecs-2-nvidia-fips-aarch64-v1.26.2-360b7a38',
    'Windows_Server-2022-English-Core-ECS_Optimized-2026.01.15',
  ])('may read the recommended image of the family of %s', (name) => {
    const resource = `arn:aws:ssm:eu-west-1::parameter${recommendedParameter(name)}`;
    expect(isAllowed({ action: 'ssm:GetParameters', resource, context: {} })).toBe(true);
  });

  test.each([
    ['a parameter of its own account', `arn:aws:ssm:${HERE}:parameter/aws/service/ecs/optimized-ami/x`],
    [
      'anything else that AWS publishes',
      'arn:aws:ssm:eu-west-1::parameter/aws/service/global-infrastructure/x',
    ],
    [
      'a Windows image without ECS',
      'arn:aws:ssm:eu-west-1::parameter/aws/service/ami-windows-latest/EC2LaunchV2-x',
    ],
  ])('may not read %s', (_, resource) => {
    expect(isAllowed({ action: 'ssm:GetParameters', resource, context: {} })).toBe(false);
  });

  const mark = markTags('web', { group: 'web', detachStartedAt: new Date(0) });
  const resource = `arn:aws:ec2:${HERE}:instance/i-1`;
  const tagged = (prefix: string, tags: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(tags).map(([key, value]) => [`aws:${prefix}/${key}`, value]));
  const marking = { ...tagged('RequestTag', mark), 'aws:TagKeys': Object.keys(mark) };
  // Auto Scaling tags instances in a warm pool too, and a stopped instance keeps its tags.
  const ofGroup = tagged('ResourceTag', { 'aws:autoscaling:groupName': 'web' });

  test('may neither tag nor end an instance of a group that is not configured', () => {
    const narrow = rolePolicies(HOME, { clusters: ['web'], autoScalingGroupNames: ['web'] });
    const may = (action: string, context: Check['context']) =>
      evaluate(narrow, { action, resource, context }).kind === 'allowed';
    const theirs = tagged('ResourceTag', { 'aws:autoscaling:groupName': 'theirs' });
    const forTheirs = { ...mark, 'ecs-ami-deploy-asg': 'theirs' };
    expect(may('ec2:CreateTags', { ...marking, ...ofGroup })).toBe(true);
    expect(may('ec2:CreateTags', { ...marking, ...theirs })).toBe(false);
    expect(may('ec2:CreateTags', { ...marking, ...ofGroup, ...tagged('RequestTag', forTheirs) })).toBe(false);
    expect(may('ec2:TerminateInstances', tagged('ResourceTag', mark))).toBe(true);
    expect(may('ec2:TerminateInstances', tagged('ResourceTag', forTheirs))).toBe(false);
    expect(may('ec2:CreateTags', { ...marking, ...tagged('ResourceTag', forTheirs) })).toBe(false);
  });

  // https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonec2autoscaling.html
  test('may attach any instance to a configured group, which IAM alone is asked about', () => {
    const narrow = rolePolicies(HOME, { clusters: ['web'], autoScalingGroupNames: ['web'] });
    const attach = (group: string) => {
      const resource = `arn:aws:autoscaling:${HERE}:autoScalingGroup:0a1b2c3d:autoScalingGroupName/${group}`;
      const context = { 'autoscaling:ResourceTag/ecs-ami-deploy-cluster': 'web' };
      return evaluate(narrow, { action: 'autoscaling:AttachInstances', resource, context }).kind;
    };
    expect([attach('web'), attach('theirs')]).toEqual(['allowed', 'denied']);
  });

  test('may neither write versions of a template that is not configured nor launch from it', () => {
    const own = 'lt-0123456789abcdef0';
    const narrow = rolePolicies(HOME, { clusters: ['web'], launchTemplateIds: own });
    const may = (check: Check) => evaluate(narrow, check).kind === 'allowed';
    for (const [id, isOurs] of [
      [own, true],
      [own.replace(/0$/, '1'), false],
    ] as const) {
      const template = `arn:aws:ec2:${HERE}:launch-template/${id}`;
      const context = { 'ec2:LaunchTemplate': template };
      expect(may({ action: 'ec2:CreateLaunchTemplateVersion', resource: template, context: {} })).toBe(
        isOurs,
      );
      expect(may({ action: 'ec2:RunInstances', resource: `arn:aws:ec2:${HERE}:instance/*`, context })).toBe(
        isOurs,
      );
    }
  });

  test('may tag an instance of a warm pool, stopped or not, and end it once tagged', () => {
    const context = { ...marking, ...ofGroup };
    expect(isAllowed({ action: 'ec2:CreateTags', resource, context })).toBe(true);
    const isMarked = { ...ofGroup, ...tagged('ResourceTag', mark) };
    expect(isAllowed({ action: 'ec2:TerminateInstances', resource, context: isMarked })).toBe(true);
    expect(isAllowed({ action: 'ec2:TerminateInstances', resource, context: ofGroup })).toBe(false);
  });

  test.each([
    ['web', 'web', true],
    ['web', 'jobs', false],
    ['jobs', 'web', false],
    ['webshop', 'webshop', false],
  ])('may only stop tasks of web: of %s, in a call for %s', (cluster, asked, isOurs) => {
    const check = {
      action: 'ecs:StopTask',
      resource: `arn:aws:ecs:${HERE}:task/${cluster}/0123456789abcdef`,
      context: { 'ecs:cluster': `arn:aws:ecs:${HERE}:cluster/${asked}` },
    };
    expect(isAllowed(check)).toBe(isOurs);
  });

  test.each([
    ['ecs-ami-deploy-previous-5', true],
    ['ecs-ami-deploy-previous-6', false],
    ['ecs-ami-deploy-rejected-because', true],
    ['ecs-ami-deploy:exclude', false],
  ])('may tag a group with %s: %j', (key, isOurs) => {
    const resource = `arn:aws:autoscaling:${HERE}:autoScalingGroup:0a1b2c3d:autoScalingGroupName/web`;
    const context = { [`aws:RequestTag/${key}`]: 'x', 'aws:TagKeys': [key] };
    for (const action of ['autoscaling:CreateOrUpdateTags', 'autoscaling:DeleteTags'])
      expect(isAllowed({ action, resource, context })).toBe(isOurs);
  });

  test('may let a mixed instances policy launch from any of several templates, whatever image an override names', () => {
    for (const template of ['lt-1', 'lt-2'])
      for (const launched of [`arn:aws:ec2:${HERE}:instance/*`, 'arn:aws:ec2:eu-west-1::image/ami-2']) {
        const context = { 'ec2:LaunchTemplate': `arn:aws:ec2:${HERE}:launch-template/${template}` };
        expect(isAllowed({ action: 'ec2:RunInstances', resource: launched, context })).toBe(true);
      }
  });
});

test('cdk-nag gets a reason for every wildcard, those from props too', () => {
  const { app } = deployment({ imageParameterNames: ['/golden/*', `${SHARED}*`] });
  const violations = new AwsSolutionsChecks(app).validateScope(app).violations;
  expect(violations.map(({ ruleName }) => ruleName)).toEqual([]);
});
