import { Template } from 'aws-cdk-lib/assertions';
import { CfnCluster } from 'aws-cdk-lib/aws-ecs';
import { describe, expect, test } from 'vitest';
import { EcsAmiDeploy } from '../../infra/ecs-ami-deploy.ts';
import { evaluate } from '../simulated-aws/iam/iam.ts';
import type { PolicyDocument } from '../simulated-aws/iam/policy.ts';
import { CODE, deployment, template } from './deployment.ts';
import { resolve } from './role-policies.ts';

const RULE = 'AWS::Events::Rule';
const HOME = { account: '111122223333', region: 'eu-west-1' };
const filled = (value: unknown) => resolve(value, HOME);

const standard = template();

describe('the log group of the history has a policy of its own, as a Region has room for ten others, by which', () => {
  const [group] = Object.values(standard.findResources('AWS::Logs::LogGroup')).filter(
    ({ Properties }) => Properties.RetentionInDays === 3653,
  );
  const { Statement: statements } = filled(group?.Properties.ResourcePolicyDocument) as {
    readonly Statement: readonly (PolicyDocument['Statement'][number] & { readonly Principal: unknown })[];
  };
  /** Judged as if they were the service's own. */
  const rights = [{ Statement: statements.map(({ Principal, ...right }) => right) }] as PolicyDocument[];
  const name = String(filled(group?.Properties.LogGroupName));
  const [rule] = Object.values(standard.findResources(RULE)).filter(({ Properties }) =>
    JSON.stringify(Properties.Targets).includes('log-group'),
  );
  const ruleName = String(filled(rule?.Properties.Name));
  const stream = `arn:aws:logs:eu-west-1:111122223333:log-group:${name}:log-stream:a`;
  const rules = 'arn:aws:events:eu-west-1:111122223333:rule';
  const may = (action: string, resource: string, source?: string) =>
    evaluate(rights, { action, resource, context: source === undefined ? {} : { 'aws:SourceArn': source } })
      .kind;

  test('EventBridge makes streams in it, and nowhere else', () => {
    standard.resourceCountIs('AWS::Logs::ResourcePolicy', 0);
    for (const { Principal } of statements)
      expect(Principal).toEqual({ Service: ['events.amazonaws.com', 'delivery.logs.amazonaws.com'] });
    expect(may('logs:CreateLogStream', stream, `${rules}/any`)).toBe('allowed');
    expect(may('logs:CreateLogStream', stream.replace(name, 'other'), `${rules}/any`)).toBe('denied');
  });

  test('only its rule writes to it, whatever the event bus', () => {
    for (const source of [ruleName, `rolls/${ruleName}`, `${ruleName}-2`])
      expect(may('logs:PutLogEvents', stream, `${rules}/${source}`)).toBe('allowed');
    for (const source of ['other', `other-${ruleName}`])
      expect(may('logs:PutLogEvents', stream, `${rules}/${source}`)).toBe('denied');
  });

  test('its rule writes to it also if EventBridge names no rule, as its page leaves that open', () => {
    expect(may('logs:PutLogEvents', stream)).toBe('allowed');
    expect(may('logs:PutLogEvents', stream.replace(name, 'other'))).toBe('denied');
  });

  test('names of rule and log group are of this stack and construct alone, as the log group outlives them', () => {
    expect(name).toMatch(
      /^\/aws\/events\/ecs-ami-deploy\/Stack-[0-9a-f]{8}-51af3dc0-da77-11e4-872e-1234567db123$/,
    );
    expect(ruleName).toMatch(/^ecs-ami-deploy-[0-9a-f]{8}-51af3dc0-da77-11e4-872e-1234567db123$/);
    expect(ruleName.length).toBeLessThanOrEqual(64 - '-99'.length);
    const { stack } = deployment((stack) => {
      const clusters = [CfnCluster.fromClusterName(stack, 'NamedJobs', 'jobs')];
      new EcsAmiDeploy(stack, 'Second', { clusters, code: CODE });
      return {};
    });
    const groups = Object.values(Template.fromStack(stack).findResources('AWS::Logs::LogGroup'));
    const names = groups.flatMap(({ Properties }) => Properties.LogGroupName ?? []).map(filled);
    expect(new Set(names).size).toBe(2);
  });

  test('further rules, where there are more clusters than a pattern holds, may write too', () => {
    const made = template((stack) => ({
      clusters: Array.from({ length: 12 }, (_, index) =>
        CfnCluster.fromClusterName(stack, `Named${index}`, `${'x'.repeat(200)}-${index}`),
      ),
    }));
    const names = Object.values(made.findResources(RULE)).flatMap(({ Properties }) => Properties.Name ?? []);
    expect(names.map((each) => String(filled(each)).replace(/^.*db123/, ''))).toEqual(['', '-2']);
  });
});
