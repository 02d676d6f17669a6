import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { CfnCluster } from 'aws-cdk-lib/aws-ecs';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { describe, expect, test } from 'vitest';
import { EcsAmiDeploy } from '../../infra/ecs-ami-deploy.ts';
import { EcsAmiDeployStack } from '../../infra/stack.ts';
import { markTags } from '../../lambda/tags/instance-tags.ts';
import { testsFor } from '../sample/sampled.ts';
import { evaluate } from '../simulated-aws/iam/iam.ts';
import type { Check, PolicyDocument } from '../simulated-aws/iam/policy.ts';
import { CODE, deployment, quickApp, refused, template } from './deployment.ts';
import { clusters as named } from './imported.ts';
import { policiesIn, rolePolicies } from './role-policies.ts';

const HERE = { account: '111122223333', region: 'eu-west-1' };

/** As many names, of so many characters. */
const names = (count: number, length: number, prefix = 'prod') =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index + 1}-`.padEnd(length, 'x'));

const inContext = (context: Readonly<Record<string, unknown>>) =>
  new EcsAmiDeployStack(quickApp(context), 'EcsAmiDeploy', { code: CODE });

/** Where a template is deployed, and how long the names are that CloudFormation makes. */
interface Place {
  readonly partition: string;
  readonly region: string;
  readonly length: number;
}

const USUAL: Place = { partition: 'aws', region: 'ap-southeast-1', length: 64 };
const LONGEST: Place = { partition: 'aws-us-gov', region: 'us-isof-south-1', length: 255 };
/** Where `template` deploys: a stack with a Region goes nowhere else. */
const AT_HOME: Place = { partition: 'aws', region: HERE.region, length: 255 };

/** A document as CloudFormation writes it there. */
function written(value: unknown, place: Place): unknown {
  if (Array.isArray(value)) return value.map((item) => written(item, place));
  if (typeof value !== 'object' || value === null) return value;
  const [[name, operand] = []] = Object.entries(value);
  if (name === 'Fn::Join') {
    const [delimiter, parts] = operand;
    return parts.map((part: unknown) => written(part, place)).join(delimiter);
  }
  if (name === 'Fn::GetAtt')
    return `arn:${place.partition}:ecs:${place.region}:111122223333:cluster/${'x'.repeat(place.length)}`;
  if (name !== 'Ref')
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, written(item, place)]));
  const pseudo = new Map([
    ['AWS::Partition', place.partition],
    ['AWS::Region', place.region],
    ['AWS::AccountId', '111122223333'],
  ]);
  return pseudo.get(operand) ?? 'x'.repeat(place.length);
}

interface Lengths {
  /** Of all inline policies together. */
  inline: number;
  readonly managed: number[];
}

/** What IAM counts of each role. */
function lengths(synthesized: Template, place = USUAL): Lengths[] {
  const byRole = new Map<string, Lengths>();
  for (const { Type, Properties } of policiesIn(synthesized)) {
    const role = JSON.stringify(Properties.Roles);
    const counted = byRole.get(role) ?? { inline: 0, managed: [] };
    byRole.set(role, counted);
    const characters = JSON.stringify(written(Properties.PolicyDocument, place)).length;
    if (Type === 'AWS::IAM::Policy') counted.inline += characters;
    else counted.managed.push(characters);
  }
  return [...byRole.values()];
}

function expectRoom(roles: readonly Lengths[]): void {
  expect(roles.length).toBeGreaterThan(0);
  for (const { inline, managed } of roles) {
    expect(inline).toBeLessThanOrEqual(10_240);
    expect(Math.max(0, ...managed)).toBeLessThanOrEqual(6_144);
    expect(managed.length).toBeLessThanOrEqual(10);
  }
}

/** Clusters of the app, whose names CloudFormation makes. */
const own = (stack: Stack, count: number) =>
  Array.from({ length: count }, (_, index) => new CfnCluster(stack, `Cluster${index + 1}`));

/** The template of a stack without a Region, for clusters of its own. */
function anywhere(count: number): Template {
  const stack = new Stack(quickApp(), 'Anywhere');
  new EcsAmiDeploy(stack, 'Rollout', { clusters: own(stack, count), code: CODE });
  return Template.fromStack(stack);
}

const templateIds = (count: number) =>
  Array.from({ length: count }, (_, index) => `lt-${String(index).padStart(17, '0')}`);

const COUNTS = Array.from({ length: 100 }, (_, index) => index + 1);

describe('the policies of each role have room', () => {
  const sampled = testsFor(COUNTS, 6, (count) => [1, 2, 100].includes(count) && count);

  test.each(sampled)('for %s clusters', (count) => {
    const made = Template.fromStack(inContext({ clusters: names(count, 31), dashboard: true }));
    expectRoom(lengths(made, count > 80 ? USUAL : { ...LONGEST, length: 64 }));
  });

  test.each([
    [
      'ten clusters, narrowed to ten groups',
      { clusters: names(10, 31), autoScalingGroupNames: names(10, 31) },
    ],
    ['five clusters with short names', { clusters: names(5, 11) }],
    [
      'two clusters with a group, a role, a hook and a calendar',
      {
        clusters: names(2, 11),
        autoScalingGroupNames: names(1, 40),
        instanceRoleArns: 'arn:aws:iam::111122223333:role/instances',
        beforeBatch: 'arn:aws:sns:eu-west-1:111122223333:approvals',
        changeCalendars: 'arn:aws:ssm:eu-west-1:111122223333:document/freeze',
      },
    ],
    ['twenty clusters and twenty groups', { clusters: names(20, 31), autoScalingGroupNames: names(20, 31) }],
    ['one cluster of fifty groups', { clusters: 'web', autoScalingGroupNames: names(50, 80) }],
    [
      'a hundred roles of instances',
      { clusters: 'web', instanceRoleArns: names(100, 90, 'arn:aws:iam::111122223333:role/r') },
    ],
    ['two hundred launch templates', { clusters: names(20, 31), launchTemplateIds: templateIds(200) }],
  ])('for %s', (_, context) => {
    expectRoom(lengths(Template.fromStack(inContext({ ...context, dashboard: true }))));
  });

  test('in one policy for one cluster, so that nobody needs to make managed ones', () => {
    const made = Template.fromStack(inContext({ clusters: 'web', dashboard: true }));
    made.resourceCountIs('AWS::IAM::ManagedPolicy', 0);
  });

  test.each([1, 8, 10])(
    'for %s clusters whose names only CloudFormation knows, however long, in a Region or any',
    (count) => {
      expectRoom(
        lengths(
          template((stack) => ({ clusters: own(stack, count) })),
          AT_HOME,
        ),
      );
      expectRoom(lengths(anywhere(count), LONGEST));
    },
  );

  test('for a hundred of them with names as CloudFormation makes them: what they take is shared out', () => {
    const made = lengths(
      template((stack) => ({ clusters: own(stack, 100) })),
      { ...AT_HOME, length: 30 },
    );
    expectRoom(made);
    const [{ managed = [] } = {}] = made;
    expect(Math.max(...managed) - Math.min(...managed.slice(0, -1))).toBeLessThan(1_500);
    // Without a Region ARNs count as long as any, and ten policies have no room for a character more.
    expectRoom(lengths(anywhere(100), { ...LONGEST, length: 29 }));
    expectRoom(lengths(anywhere(40), { ...LONGEST, length: 64 }));
  });

  test('where a flag of the CDK merges statements', () => {
    const app = quickApp({ clusters: names(30, 31), '@aws-cdk/aws-iam:minimizePolicies': true });
    expectRoom(lengths(Template.fromStack(new EcsAmiDeployStack(app, 'EcsAmiDeploy', { code: CODE }))));
  });
});

describe('however they are cut, they allow', () => {
  const CLUSTERS = names(45, 31);
  const GROUPS = names(12, 60, 'group');
  const cut = rolePolicies(HERE, { clusters: CLUSTERS, autoScalingGroupNames: GROUPS });

  /** What a roll asks for one cluster and one group of it. */
  function requests(cluster: string, group: string): readonly Check[] {
    const here = `${HERE.region}:${HERE.account}`;
    const ofCluster = { 'ecs:cluster': `arn:aws:ecs:${here}:cluster/${cluster}` };
    const mark = markTags(cluster, { group, detachStartedAt: new Date(0) });
    const tagged = (on: string) =>
      Object.fromEntries(Object.entries(mark).map(([key, value]) => [`aws:${on}/${key}`, value]));
    const keys = { 'aws:TagKeys': Object.keys(mark) };
    const member = { 'aws:ResourceTag/aws:autoscaling:groupName': group };
    const groupTag = { 'aws:TagKeys': ['ecs-ami-deploy-cluster'] };
    const instance = `arn:aws:ec2:${here}:instance/i-1`;
    const scalingGroup = `arn:aws:autoscaling:${here}:autoScalingGroup:0a1b:autoScalingGroupName/${group}`;
    return [
      { action: 'ecs:DescribeClusters', resource: ofCluster['ecs:cluster'], context: {} },
      { action: 'ecs:DescribeTasks', resource: '*', context: ofCluster },
      { action: 'ecs:StopTask', resource: `arn:aws:ecs:${here}:task/${cluster}/0a1b`, context: ofCluster },
      {
        action: 'autoscaling:CreateOrUpdateTags',
        resource: scalingGroup,
        context: { 'aws:RequestTag/ecs-ami-deploy-cluster': cluster, ...groupTag },
      },
      { action: 'autoscaling:DeleteTags', resource: scalingGroup, context: groupTag },
      {
        action: 'autoscaling:DetachInstances',
        resource: scalingGroup,
        context: { 'autoscaling:ResourceTag/ecs-ami-deploy-cluster': cluster },
      },
      {
        action: 'ec2:CreateTags',
        resource: instance,
        context: { ...tagged('RequestTag'), ...keys, ...member },
      },
      {
        action: 'ec2:CreateTags',
        resource: instance,
        context: { ...tagged('RequestTag'), ...keys, ...tagged('ResourceTag') },
      },
      { action: 'ec2:DeleteTags', resource: instance, context: { ...keys, ...tagged('ResourceTag') } },
      { action: 'ec2:TerminateInstances', resource: instance, context: tagged('ResourceTag') },
    ];
  }

  const allowed = (policies: readonly PolicyDocument[], checks: readonly Check[]) =>
    checks.filter((check) => evaluate(policies, check).kind === 'allowed').length;
  const most = requests('any', 'any').length;
  const SOME = CLUSTERS.filter((_, index) => index % 11 === 0);

  test('what one uncut policy allows for a single cluster and group', () => {
    expect(cut.length).toBeGreaterThan(4);
    const single = rolePolicies(HERE, { clusters: 'web', autoScalingGroupNames: 'web' });
    expect(single).toHaveLength(1);
    expect(allowed(single, requests('web', 'web'))).toBe(most);
  });

  test.each(SOME)('the same for %s with any group', (cluster) => {
    for (const group of GROUPS) expect(allowed(cut, requests(cluster, group))).toBe(most);
  });

  test('nothing for other clusters', () => {
    // A tag on a group may go from any of the configured groups.
    for (const group of GROUPS) expect(allowed(cut, requests('theirs', group))).toBe(1);
  });

  test('nothing for other groups but what is bound to the cluster', () => {
    // Reading clusters and tasks, and stopping these.
    for (const cluster of SOME) expect(allowed(cut, requests(cluster, 'theirs'))).toBe(3);
  });

  test('no stop of a task of one cluster in a call for another', () => {
    const [one = '', other = ''] = [CLUSTERS[0], CLUSTERS.at(-1)];
    const here = `${HERE.region}:${HERE.account}`;
    const check = {
      action: 'ecs:StopTask',
      resource: `arn:aws:ecs:${here}:task/${one}/0a1b`,
      context: { 'ecs:cluster': `arn:aws:ecs:${here}:cluster/${other}` },
    };
    expect(evaluate(cut, check).kind).toBe('denied');
  });
});

describe('too many names', () => {
  test('are refused, with how many there is room for', () => {
    const context = { clusters: names(40, 31), autoScalingGroupNames: names(40, 60, 'group') };
    const [fault = ''] = refused(() => inContext(context));
    expect(fault).toMatch(
      /^the policies of a role have no room for the names of 40 in clusters and 40 in autoScalingGroups; it has for the first \d+ in clusters, or the first \d+ in autoScalingGroups: deploy the others in another stack$/,
    );
    const [, fitting] = /first (\d+) in clusters/.exec(fault) ?? [];
    expectRoom(
      lengths(
        Template.fromStack(inContext({ ...context, clusters: context.clusters.slice(0, Number(fitting)) })),
      ),
    );
    expect(
      refused(() => inContext({ ...context, clusters: context.clusters.slice(0, Number(fitting) + 1) })),
    ).toHaveLength(1);
  });

  test('are no fault where only CloudFormation knows them', () => {
    expect(() => template((stack) => ({ clusters: own(stack, 100) }))).not.toThrow();
  });
});

describe('a role of the app', () => {
  const LONG = { clusters: named(...names(12, 31)) };
  const ARN = 'arn:aws:iam::111122223333:role/rolling';

  test('that is imported gets managed policies, too', () => {
    const made = template((stack) => ({ ...LONG, role: Role.fromRoleArn(stack, 'Imported', ARN) }));
    const policies = policiesIn(made).filter(({ Properties }) => Properties.Roles.includes('rolling'));
    expect(policies.map(({ Type }) => Type)).toEqual(['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy']);
    expectRoom(lengths(made));
  });

  test('that may not be changed gets none', () => {
    const made = template((stack) => ({
      ...LONG,
      role: Role.fromRoleArn(stack, 'Imported', ARN, { mutable: false }),
    }));
    expect(JSON.stringify(policiesIn(made))).not.toContain('rolling');
    expect(lengths(made)).toHaveLength(1);
  });

  test('for both functions has room for both', () => {
    const made = template((stack) => {
      const role = new Role(stack, 'Both', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
      return { ...LONG, role, ordersRole: role };
    });
    expect(lengths(made)).toHaveLength(1);
    expectRoom(lengths(made));
  });

  test('may be allowed more by the app, up to what IAM takes', () => {
    const { stack, construct } = deployment();
    const allow = (length: number) =>
      construct.role.addToPrincipalPolicy(
        new PolicyStatement({
          actions: ['s3:GetObject'],
          resources: names(Math.ceil(length / 100), 90, 'arn:aws:s3:::bucket'),
        }),
      );
    allow(400);
    expectRoom(lengths(Template.fromStack(stack)));
    const more = deployment();
    more.construct.role.addToPrincipalPolicy(
      new PolicyStatement({ actions: ['s3:GetObject'], resources: names(60, 90, 'arn:aws:s3:::bucket') }),
    );
    expect(() => Template.fromStack(more.stack)).toThrow(
      /inline policies have \d+ characters, and IAM takes 10240/,
    );
  });

  test('that others make by what the CDK reports has all of it in that report', () => {
    const { app, stack } = deployment((scope) => {
      Role.customizeRoles(scope, {
        usePrecreatedRoles: { 'Stack/Rollout/Role': 'rolling', 'Stack/Rollout/OrdersRole': 'ordering' },
      });
      return LONG;
    });
    Template.fromStack(stack).resourceCountIs('AWS::IAM::Role', 0);
    const report = readFileSync(join(app.synth().directory, 'iam-policy-report.json'), 'utf8');
    for (const reported of [
      'ecs:StopTask',
      'ec2:TerminateInstances',
      'events:PutEvents',
      'rolling',
      'ordering',
    ])
      expect(report).toContain(reported);
    expect(policiesIn(Template.fromStack(stack))).toEqual([]);
  });
});

describe('with a further cluster', () => {
  const policies = (count: number) => {
    const made = Template.fromStack(inContext({ clusters: names(count, 31) }));
    const types = ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy'];
    return Object.fromEntries(types.flatMap((type) => Object.entries(made.findResources(type))));
  };

  test('no policy is replaced by another', () => {
    const before = policies(11);
    const after = policies(12);
    expect(Object.keys(after)).toEqual(expect.arrayContaining(Object.keys(before)));
    for (const id of Object.keys(before)) {
      const { Description, ManagedPolicyName, Path, PolicyName, Roles } = after[id]?.Properties ?? {};
      expect(before[id]?.Properties).toMatchObject(
        JSON.parse(JSON.stringify({ Description, ManagedPolicyName, Path, PolicyName, Roles })),
      );
    }
  });

  test('each policy is updated after those that statements of it move to', () => {
    const inOrder = Object.entries(policies(30)).filter(([id]) => /^RolePermissions/.test(id));
    expect(inOrder.length).toBeGreaterThan(3);
    for (const [index, [, { DependsOn }]] of inOrder.slice(0, -1).entries())
      expect(DependsOn).toEqual([inOrder[index + 1]?.[0]]);
  });
});
