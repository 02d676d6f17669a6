import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { MetricDetail } from '../../infra/ecs-ami-deploy.ts';
import { actionsOf, statementsOf } from '../simulated-aws/iam/policy.ts';
import { deployment, template } from './deployment.ts';
import { rolePolicies } from './role-policies.ts';

const HOOK = 'arn:aws:lambda:eu-west-1:111122223333:function:ask';
const DASHBOARD = 'AWS::CloudWatch::Dashboard';

const WIDGETS = z.object({
  widgets: z.array(
    z.object({
      type: z.string(),
      width: z.number(),
      properties: z.object({ title: z.string().optional(), query: z.string().optional() }).loose(),
    }),
  ),
});

/** The body as CloudWatch gets it, with names in place of references. */
function bodyOf(synthesized: Template): string {
  const [{ Properties } = { Properties: {} }] = Object.values(synthesized.findResources(DASHBOARD));
  const [, parts] = Properties.DashboardBody['Fn::Join'];
  return parts.map((part: unknown) => (typeof part === 'string' ? part : 'deployed')).join('');
}

test('there is none unless it is asked for', () => {
  template().resourceCountIs(DASHBOARD, 0);
  expect(deployment().construct.dashboard).toBeUndefined();
});

test('has rows of three for images, rolls and failures, and tables of each group from the log', () => {
  const { construct, stack } = deployment({ dashboard: true });
  expect(construct.dashboard).toBeDefined();
  const { widgets } = WIDGETS.parse(JSON.parse(bodyOf(Template.fromStack(stack))));
  expect(widgets.map(({ properties }) => properties.title)).toEqual([
    'Oldest image, in days',
    'Releases behind',
    'Outdated, and kept from a newer image',
    'Age of the oldest open roll, in seconds',
    'What rolls spend their time with, in seconds',
    'Replaced and rolled back',
    'Failed',
    'Blocked, by code',
    'Tags of somebody else',
    'Oldest image of each group',
    'What each group answered last',
    'Rolls',
  ]);
  expect(widgets.map(({ width }) => width)).toEqual([...Array.from({ length: 9 }, () => 8), 12, 12, 24]);
  const queries = widgets.flatMap(({ properties: { query } }) => query ?? []);
  const [ofImages = ''] = queries.map((query) => query.replace(/^.*? \| /, '').replaceAll('\n', ''));
  const page = readFileSync(join(import.meta.dirname, '../../docs/metrics.md'), 'utf8');
  expect(page.replaceAll('\n', '')).toContain(ofImages);
  expect(queries.at(-1)).toContain('filter message like /^result: /');
});

test('finds blocked groups by whichever code occurs', () => {
  const body = bodyOf(template({ dashboard: true }));
  expect(JSON.stringify(JSON.parse(body))).toContain(
    JSON.stringify(
      `SEARCH('{"ecs-ami-deploy",service,code} service="deployed" MetricName="BlockedGroups"', 'Sum', 86400)`,
    ).slice(1, -1),
  );
});

test('the function tells metrics by the detail of the deployment', () => {
  const detailOf = (synthesized: Template) =>
    Object.values(synthesized.findResources('AWS::Lambda::Function')).map(
      ({ Properties }) => `${Properties.Handler} ${Properties.Environment.Variables.METRICS}`,
    );
  expect(detailOf(template()).sort()).toEqual(['index.handler function', 'index.orders undefined']);
  expect(detailOf(template({ metricDetail: MetricDetail.GROUP })).sort()).toEqual([
    'index.handler group',
    'index.orders undefined',
  ]);
});

test('shows groups and rolls by a function of its own', () => {
  const { construct, stack } = deployment({ dashboard: true });
  const synthesized = Template.fromStack(stack);
  const { widgets } = WIDGETS.parse(JSON.parse(bodyOf(synthesized)));
  expect(widgets.at(-1)).toMatchObject({ type: 'custom', properties: { title: 'Rolls' } });
  synthesized.hasResourceProperties('AWS::Lambda::Function', {
    Handler: 'index.widget',
    Environment: {
      Variables: {
        HISTORY_LOG_GROUP: stack.resolve(construct.historyLogGroup?.logGroupName),
        ORDERS_FUNCTION: stack.resolve(construct.ordersFunction.functionArn),
      },
    },
  });
  expect(
    synthesized.findResources('AWS::Lambda::Function', { Properties: { Handler: 'index.widget' } }),
  ).toEqual({
    [String(stack.resolve(construct.widgetFunction?.functionName).Ref)]: expect.anything(),
  });
});

test('gives the widget a role that only reads, and writes its own log', () => {
  const home = { account: '111122223333', region: 'eu-west-1' };
  const context = { clusters: 'web', dashboard: true, beforeBatch: HOOK };
  const actions = statementsOf(rolePolicies(home, context, 'widget')).flatMap(actionsOf);
  const isRead = (action: string) => /^[a-z0-9]+:(Describe|Filter|Get|List)/.test(action);
  expect(actions.filter((action) => !isRead(action))).toEqual(['logs:CreateLogStream', 'logs:PutLogEvents']);
  const wanted = ['logs:FilterLogEvents', 'ecs:DescribeTaskDefinition', 'ec2:DescribeInstances'];
  expect(actions).toEqual(expect.arrayContaining(wanted));
});

test('shows groups where there is no history', () => {
  const { construct, stack } = deployment({ dashboard: true, events: false });
  expect(construct.widgetFunction).toBeDefined();
  expect(JSON.stringify(Template.fromStack(stack))).not.toMatch(/HISTORY_LOG_GROUP|FilterLogEvents/);
});
