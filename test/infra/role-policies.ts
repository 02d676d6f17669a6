import { isDeepStrictEqual } from 'node:util';
import { Template } from 'aws-cdk-lib/assertions';
import { EcsAmiDeployStack } from '../../infra/stack.ts';
import type { PolicyDocument } from '../simulated-aws/iam/policy.ts';
import { SIMULATED_ROLE } from '../simulated-aws/iam/policy.ts';
import { initialKeyArn } from '../simulated-aws/world/kms/keys.ts';
import { CODE, quickApp } from './deployment.ts';

export interface Home {
  readonly account: string;
  readonly region: string;
}

/** The function that a role belongs to. */
export type RoleOf = 'function' | 'orders' | 'widget' | 'terminations' | 'interruption';

/**
 * The policies of a synthesized role as CloudFormation would write them in an account and Region.
 *
 * @param context the settings, where all is named by text
 */
export function rolePolicies(
  home: Home,
  context: Readonly<Record<string, unknown>>,
  of: RoleOf = 'function',
): PolicyDocument[] {
  const stack = new EcsAmiDeployStack(quickApp(context), 'EcsAmiDeploy', { code: CODE });
  const { role, ordersRole, widgetFunction, terminationsFunction, interruptionFunction } = stack.deployment;
  const roles = {
    function: role,
    orders: ordersRole,
    widget: widgetFunction?.role,
    terminations: terminationsFunction?.role,
    interruption: interruptionFunction?.role,
  };
  const wanted = stack.resolve(roles[of]?.roleName);
  return policiesIn(Template.fromStack(stack))
    .filter(({ Properties }) => isDeepStrictEqual(Properties.Roles, [wanted]))
    .map(({ Properties }) => resolve(Properties.PolicyDocument, home) as PolicyDocument);
}

/** The policy of the key that seals are made with, as `rolePolicies`. */
export function stateKeyPolicy(home: Home): PolicyDocument {
  const stack = new EcsAmiDeployStack(quickApp({ clusters: 'web' }), 'EcsAmiDeploy', {
    env: home,
    code: CODE,
  });
  const [key] = Object.values(Template.fromStack(stack).findResources('AWS::KMS::Key'));
  return resolve(key?.Properties.KeyPolicy, home) as PolicyDocument;
}

/** The CDK moves statements into further policies when one gets too long. */
export function policiesIn(template: Template) {
  const types = ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy'];
  return types.flatMap((type) => Object.values(template.findResources(type)));
}

/**
 * Resolves what CloudFormation would:
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference.html
 */
export function resolve(value: unknown, home: Home): unknown {
  if (Array.isArray(value)) return value.map((item) => resolve(item, home));
  if (typeof value !== 'object' || value === null) return value;
  const [[name = '', operand] = [], ...more] = Object.entries(value);
  if (more.length === 0 && name === 'Ref') return reference(String(operand), home);
  if (more.length === 0 && name.startsWith('Fn::')) return intrinsic(name, operand, home);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, home)]));
}

function intrinsic(name: string, operand: unknown, home: Home): unknown {
  const operands = [resolve(operand, home)].flat();
  switch (name) {
    case 'Fn::Join': {
      const [delimiter, parts] = operands;
      return [parts].flat().join(String(delimiter));
    }
    case 'Fn::Split':
      return String(operands[1]).split(String(operands[0]));
    case 'Fn::Select':
      return [operands[1]].flat()[Number(operands[0])];
    case 'Fn::Sub':
      return String(operands[0]).replace(/\$\{([^}]+)\}/g, (_, inner: string) => reference(inner, home));
    case 'Fn::GetAtt':
      if (/StateKey/.test(String(operands[0]))) return initialKeyArn(home);
      if (/OrdersRole/.test(String(operands[0]))) return roleArn(`${SIMULATED_ROLE}-orders`, home);
      if (/Role/.test(String(operands[0]))) return roleArn(SIMULATED_ROLE, home);
      // Another resource of the stack, such as the log: its logical id shows which, and matches nothing in
      // the simulated account.
      return `arn:aws:cloudformation:${home.region}:${home.account}:${operands.join('.')}`;
    default:
      throw new Error(`${name} isn't resolved here`);
  }
}

/** By the names that the roles have in the simulated account. */
const roleArn = (name: string, { account }: Home) => `arn:aws:iam::${account}:role/${name}`;

function reference(name: string, { account, region }: Home): string {
  const pseudo: Readonly<Record<string, string>> = {
    'AWS::Partition': 'aws',
    'AWS::Region': region,
    'AWS::AccountId': account,
    'AWS::StackId': `arn:aws:cloudformation:${region}:${account}:stack/Stack/51af3dc0-da77-11e4-872e-1234567db123`,
  };
  const value = pseudo[name];
  if (value === undefined) throw new Error(`a reference to ${name} isn't resolved here`);
  return value;
}
