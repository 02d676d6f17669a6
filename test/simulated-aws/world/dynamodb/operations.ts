import {
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryInput,
  type QueryOutput,
} from '@aws-sdk/client-dynamodb';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import type { State } from '../state.ts';
import { checkPlaceholders, holds, keyConditionIn, parseCondition } from './expressions.ts';
import { findTable, itemAt, itemsIn, keyIn, keyOf, putItem, type Table } from './tables.ts';
import { type Attributes, attributesOf, compare, sizeOf } from './values.ts';

const MOST_ITEM_BYTES = 400 * 1024;
const PAGE_BYTES = 1024 * 1024;

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Operations_Amazon_DynamoDB.html */
export function tableOperations(state: State): Operation[] {
  return [
    on(
      GetItemCommand,
      { TableName: 'all', Key: 'all', ConsistentRead: 'all' },
      ({ TableName: named = '', Key = {} }) => {
        const table = findTable(state, named);
        const key = keyIn(table, attributesOf('dynamodb.GetItem: Key', Key));
        const Item = itemAt(table, key, state.clock.now());
        return Item === undefined ? {} : { Item };
      },
    ),
    on(
      PutItemCommand,
      {
        TableName: 'all',
        Item: 'all',
        ConditionExpression: 'all',
        ExpressionAttributeNames: 'all',
        ExpressionAttributeValues: 'all',
        ReturnValuesOnConditionCheckFailure: 'all',
      },
      ({ TableName: named = '', Item = {}, ConditionExpression: condition, ...rest }) => {
        checkPlaceholders(condition, rest);
        const table = findTable(state, named);
        const item = attributesOf('dynamodb.PutItem: Item', Item);
        const key = keyOf(table, item);
        const bytes = sizeOf(item);
        // ledger: put-item-size
        if (bytes > MOST_ITEM_BYTES)
          throw new AwsError('ValidationException', 'Item size has exceeded the maximum allowed size');
        const before = itemAt(table, key, state.clock.now());
        if (condition !== undefined) {
          const parsed = parseCondition('dynamodb.PutItem: ConditionExpression', condition, rest);
          const isTold = rest.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && before !== undefined;
          // ledger: put-item-condition
          if (!holds(parsed, before ?? {}))
            throw new AwsError(
              'ConditionalCheckFailedException',
              'The conditional request failed',
              400,
              isTold ? { Item: before } : {},
            );
        }
        putItem(table, key, item);
        return {};
      },
    ),
    on(
      QueryCommand,
      {
        TableName: 'all',
        KeyConditionExpression: 'all',
        ExpressionAttributeNames: 'all',
        ExpressionAttributeValues: 'all',
        ConsistentRead: 'all',
        ExclusiveStartKey: 'all',
        Limit: 'all',
      },
      (input) => query(findTable(state, input.TableName ?? ''), input, state.clock.now()),
    ),
  ];
}

type Answered = Required<Pick<QueryOutput, 'Items' | 'Count' | 'ScannedCount'>> & QueryOutput;

function query(table: Table, input: QueryInput, nowMs: number): Answered {
  const { KeyConditionExpression: expression = '', ExclusiveStartKey: startKey, Limit: limit } = input;
  const parsed = parseCondition('dynamodb.Query: KeyConditionExpression', expression, input);
  const { partition, ofSortKey } = keyConditionIn(parsed, table);
  // ledger: query-limit
  if (limit !== undefined && limit < 1)
    throw new AwsError(
      'ValidationException',
      `1 validation error detected: Value '${limit}' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1`,
    );
  const start = startKey && attributesOf('dynamodb.Query: ExclusiveStartKey', startKey);
  const from = start && keyIn(table, start);
  // ledger: query-start-key
  if (from !== undefined && from.partition !== partition.S)
    throw new AwsError('ValidationException', 'The provided starting key is invalid');
  const wanted = itemsIn(table, partition.S ?? '', nowMs).filter(
    (item) =>
      (ofSortKey === undefined || holds(ofSortKey, item)) &&
      (from === undefined || isAfter(table, item, from.sort)),
  );
  const page = pageOf(wanted, limit);
  const last = page.at(-1);
  const isMore = page.length < wanted.length || page.length === limit;
  return {
    Items: page.map((item) => ({ ...item })),
    Count: page.length,
    ScannedCount: page.length,
    ...(isMore && last && { LastEvaluatedKey: keyAttributes(table, last) }),
  };
}

function isAfter({ sortKey }: Table, item: Attributes, sort: string): boolean {
  const value = item[sortKey];
  return value !== undefined && (compare(value, { S: sort }) ?? 0) > 0;
}

/** As many as make up 1 MB, and no more than the limit. */
function pageOf(items: readonly Attributes[], limit = items.length): Attributes[] {
  let bytes = 0;
  const end = items.findIndex((item, index) => {
    bytes += sizeOf(item);
    return index === limit || bytes > PAGE_BYTES;
  });
  return items.slice(0, end < 0 ? undefined : end);
}

function keyAttributes({ partitionKey, sortKey }: Table, item: Attributes): Attributes {
  return Object.fromEntries(
    [partitionKey, sortKey].flatMap((name) => (item[name] ? [[name, item[name]]] : [])),
  );
}
