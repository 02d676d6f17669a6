import type { AttributeValue, GetItemInput, PutItemInput, QueryInput } from '@aws-sdk/client-dynamodb';
import type { Call } from '../../account/call.ts';
import type { ResourceFacts } from '../context.ts';
import { type Check, SIMULATED_ROLE } from '../policy.ts';
import { arn, check, unmapped } from './checks.ts';

/**
 * The resource is the table, which may be another account's: then its own policy has to allow the call too.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
 */
export function dynamodbChecks(call: Call, facts: ResourceFacts): readonly Check[] {
  const { TableName: named = '' } = call.input as Partial<GetItemInput>;
  const tableArn = named.startsWith('arn:') ? named : arn('dynamodb', `table/${named}`, facts);
  const { partitionKey = '', policy } = facts.table(tableArn) ?? {};
  const leading = leadingKey(call, partitionKey);
  const context = {
    'aws:PrincipalArn': `arn:aws:iam::${facts.accountId}:role/${SIMULATED_ROLE}`,
    'aws:PrincipalAccount': facts.accountId,
    // To IAM a set without members is not there.
    ...(leading !== undefined && { 'dynamodb:LeadingKeys': [leading] }),
    ...(call.operation === 'PutItem'
      ? { 'dynamodb:ReturnValues': 'NONE' }
      : { 'dynamodb:Select': 'ALL_ATTRIBUTES' }),
  };
  return [{ ...check(call, tableArn, context), ...(policy && { resourcePolicy: policy }) }];
}

function leadingKey(call: Call, partitionKey: string): string | undefined {
  switch (call.operation) {
    case 'GetItem':
      return textOf((call.input as GetItemInput).Key?.[partitionKey]);
    case 'PutItem':
      return textOf((call.input as PutItemInput).Item?.[partitionKey]);
    case 'Query':
      return queriedKey(call.input as QueryInput, partitionKey);
    default:
      return unmapped(call);
  }
}

function queriedKey(input: QueryInput, partitionKey: string): string | undefined {
  const {
    KeyConditionExpression = '',
    ExpressionAttributeNames = {},
    ExpressionAttributeValues = {},
  } = input;
  const [, value = ''] =
    [...KeyConditionExpression.matchAll(/(#?\w+)\s*=\s*(:\w+)/g)]
      .map(([, name = '', placeholder = '']) => [ExpressionAttributeNames[name] ?? name, placeholder])
      .find(([name]) => name === partitionKey) ?? [];
  return textOf(ExpressionAttributeValues[value]);
}

const textOf = (value: AttributeValue | undefined) => value?.S ?? value?.N;
