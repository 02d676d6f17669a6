import { Stack } from 'aws-cdk-lib';
import type { Template } from 'aws-cdk-lib/assertions';
import { CfnCluster } from 'aws-cdk-lib/aws-ecs';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { describe, expect, test } from 'vitest';
import { EcsAmiDeploy } from '../../infra/ecs-ami-deploy.ts';
import { PARTITIONS } from '../../lambda/contract.ts';
import { evaluate } from '../simulated-aws/iam/iam.ts';
import {
  CODE,
  deployment,
  faultsOf,
  HOME,
  quickApp,
  refused,
  template,
  templateFrom,
  variablesIn,
} from './deployment.ts';
import { cluster } from './imported.ts';
import { rolePolicies } from './role-policies.ts';

const HUB = '999988887777';
const TABLE = `arn:aws:dynamodb:eu-west-1:${HUB}:table/fleet`;
const MEMBER = '111122223333';
const HOURLY = Schedule.expression('cron(0 * * * ? *)');

const schedulesIn = (synthesized: Template) =>
  Object.values(synthesized.findResources('AWS::Events::Rule'))
    .filter(({ Properties }) => Properties.Targets[0].Input === undefined)
    .flatMap(({ Properties }) => Properties.ScheduleExpression ?? []);

describe('a member of a sequence', () => {
  test('is told the table and its own name there, which is that of its stack', () => {
    const { SEQUENCE_TABLE, SEQUENCE_STACK, ACCEPT_REVERT } = variablesIn(
      template({ sequenceTableArn: TABLE }),
    );
    expect({ SEQUENCE_TABLE, SEQUENCE_STACK, ACCEPT_REVERT }).toEqual({
      SEQUENCE_TABLE: TABLE,
      SEQUENCE_STACK: 'Stack',
    });
  });

  test('may have another name, and go back', () => {
    const context = { sequenceTableArn: TABLE, sequenceStackName: 'web-prod', acceptRevert: 'true' };
    expect(variablesIn(templateFrom(context))).toMatchObject({
      SEQUENCE_TABLE: TABLE,
      SEQUENCE_STACK: 'web-prod',
      ACCEPT_REVERT: 'true',
    });
  });

  test('is the function that rolls alone', () => {
    const variables = variablesIn(template({ sequenceTableArn: TABLE }), 'index.orders');
    expect(Object.keys(variables)).not.toContain('SEQUENCE_TABLE');
  });

  test('looks every ten minutes, also where its schedule says otherwise', () => {
    expect(schedulesIn(template())).toEqual(['cron(0 3 * * ? *)']);
    expect(schedulesIn(template({ sequenceTableArn: TABLE }))).toEqual(['cron(0/10 * * * ? *)']);
    expect(schedulesIn(template({ sequenceTableArn: TABLE, schedule: HOURLY })).sort()).toEqual([
      'cron(0 * * * ? *)',
      'cron(0/10 * * * ? *)',
    ]);
    expect(schedulesIn(template({ schedule: HOURLY }))).toEqual(['cron(0 * * * ? *)']);
  });
});

describe('the faults of a member', () => {
  test.each([
    ['fleet', 'a name'],
    [`${TABLE}/index/by-stage`, 'an index'],
    ['arn:aws:sns:eu-west-1:999988887777:fleet', 'a topic'],
  ])('name %s, as the table is given by its ARN: this is %s', (sequenceTableArn) => {
    expect(faultsOf({ sequenceTableArn })).toEqual([
      `sequenceTableArn was "${sequenceTableArn}"; it may be the ARN of a DynamoDB table`,
    ]);
  });

  test('name what does nothing without a table', () => {
    expect(faultsOf({ sequenceStackName: 'web', acceptRevert: true })).toEqual([
      'sequenceStackName was set; it does nothing without sequenceTableArn',
      'acceptRevert was set; it does nothing without sequenceTableArn',
    ]);
    expect(faultsOf({ acceptRevert: false })).toEqual([]);
  });

  test('name a name that no item could have', () => {
    expect(faultsOf({ sequenceTableArn: TABLE, sequenceStackName: 'web#prod' })).toEqual([
      'sequenceStackName was "web#prod"; it may be 1 to 128 letters, digits, hyphens and underscores, the first a letter',
    ]);
  });

  test('name a second one that would write over what the first says', () => {
    const { stack } = deployment({ sequenceTableArn: TABLE });
    const further = (id: string, props: object) =>
      new EcsAmiDeploy(stack, id, { clusters: [cluster('jobs')], code: CODE, ...props });
    expect(refused(() => further('Second', { sequenceTableArn: TABLE }))).toEqual([
      'sequenceStackName was "Stack"; it may be another than that of Stack/Rollout',
    ]);
    expect(refused(() => further('Third', { sequenceTableArn: TABLE, sequenceStackName: 'jobs' }))).toEqual(
      [],
    );
  });

  test('are none of another Region', () => {
    const app = quickApp();
    for (const region of ['eu-west-1', 'eu-central-1']) {
      const stack = new Stack(app, region, { ...HOME, env: { ...HOME.env, region }, stackName: 'web' });
      new EcsAmiDeploy(stack, 'Rollout', {
        clusters: [CfnCluster.fromClusterName(stack, 'Web', 'web')],
        code: CODE,
        sequenceTableArn: TABLE,
      });
    }
  });
});

describe("a member's role", () => {
  const policies = rolePolicies(
    { account: MEMBER, region: 'eu-west-1' },
    { clusters: 'web', sequenceTableArn: TABLE },
  );
  const may = (operation: string, key: string | undefined, resource = TABLE) =>
    evaluate(policies, {
      action: `dynamodb:${operation}`,
      resource,
      context: {
        'aws:PrincipalAccount': MEMBER,
        'aws:PrincipalArn': `arn:aws:iam::${MEMBER}:role/member`,
        ...(key !== undefined && { 'dynamodb:LeadingKeys': [key] }),
      },
      // The table's owner may be careless.
      resourcePolicy: {
        Statement: [{ Effect: 'Allow', Principal: { AWS: MEMBER }, Action: '*', Resource: '*' }],
      },
    }).kind === 'allowed';

  test('reads its own partitions, and writes statuses alone', () => {
    expect(may('GetItem', PARTITIONS.allowed(MEMBER))).toBe(true);
    expect(may('GetItem', PARTITIONS.status(MEMBER))).toBe(true);
    expect(may('PutItem', PARTITIONS.status(MEMBER))).toBe(true);
    expect(may('PutItem', PARTITIONS.allowed(MEMBER))).toBe(false);
  });

  test.each([PARTITIONS.sequence, PARTITIONS.status(HUB), PARTITIONS.allowed(HUB), undefined])(
    'neither reads nor writes in %s',
    (key) => {
      for (const operation of ['GetItem', 'PutItem']) expect(may(operation, key)).toBe(false);
    },
  );

  test.each(['Scan', 'Query', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'DeleteTable'])(
    'does no %s',
    (operation) => {
      expect(may(operation, PARTITIONS.status(MEMBER))).toBe(false);
    },
  );

  test('reaches no other table', () => {
    expect(may('GetItem', PARTITIONS.status(MEMBER), `${TABLE}-2`)).toBe(false);
  });

  test('has none of it without a table', () => {
    const without = rolePolicies({ account: MEMBER, region: 'eu-west-1' }, { clusters: 'web' });
    expect(JSON.stringify(without)).not.toContain('dynamodb');
  });
});
