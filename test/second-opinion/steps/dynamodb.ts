import {
  type AttributeValue,
  ConditionalCheckFailedException,
  GetItemCommand,
  PutItemCommand,
  type PutItemInput,
  QueryCommand,
  type QueryInput,
} from '@aws-sdk/client-dynamodb';
import { ACCOUNT, type Account, NAMES, REGION } from '../account.ts';
import { type Step, step } from './step.ts';

type Attributes = Record<string, AttributeValue>;

const ARN = `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${NAMES.table}`;
const KIBIBYTE = 1024;

const keyOf = (sk: string, pk = 'a'): Attributes => ({ pk: { S: pk }, sk: { S: sk } });

/** An item as one text: the order of its attributes means nothing, and the names of some aren't compared. */
function textOf(item: Attributes | undefined): string {
  if (item === undefined) return 'none';
  return JSON.stringify(Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1)));
}

const get =
  (Key: Attributes, TableName: string = ARN) =>
  async ({ dynamoDb }: Account) => {
    const { Item } = await dynamoDb.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));
    return { item: textOf(Item) };
  };

/** What is there is told with the refusal. */
const put =
  (Item: Attributes, more: Partial<PutItemInput> = {}) =>
  async ({ dynamoDb }: Account) => {
    try {
      await dynamoDb.send(new PutItemCommand({ TableName: ARN, Item, ...more }));
      return { answer: 'written' };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return { answer: error.name, there: textOf(error.Item) };
    }
  };

/** Their sort keys, in the order of the answer, and where it stopped. */
const query =
  (more: Partial<QueryInput> = {}) =>
  async ({ dynamoDb }: Account) => {
    const { Items, Count, ScannedCount, LastEvaluatedKey } = await dynamoDb.send(
      new QueryCommand({ TableName: ARN, ConsistentRead: true, ...OF_PARTITION, ...more }),
    );
    const keys = Items?.map(({ sk }) => sk?.S).join(' ');
    return { keys, Count, ScannedCount, last: textOf(LastEvaluatedKey) };
  };

/** Page by page to the end: how the items are cut into pages is read by nobody. */
const queryAll =
  (pk: string) =>
  async ({ dynamoDb }: Account) => {
    const keys: (string | undefined)[] = [];
    let pages = 0;
    let start: Attributes | undefined;
    do {
      const page = await dynamoDb.send(
        new QueryCommand({
          TableName: ARN,
          ConsistentRead: true,
          ...ofPartition(pk),
          ExclusiveStartKey: start,
        }),
      );
      pages++;
      keys.push(...(page.Items ?? []).map(({ sk }) => sk?.S));
      start = page.LastEvaluatedKey;
    } while (start !== undefined);
    return { keys: keys.join(' '), isPaged: pages > 1 };
  };

const ofPartition = (pk: string) => ({
  KeyConditionExpression: '#pk = :pk',
  ExpressionAttributeNames: { '#pk': 'pk' },
  ExpressionAttributeValues: { ':pk': { S: pk } },
});
const OF_PARTITION = ofPartition('a');

const ofSortKey = (condition: string, ...values: readonly string[]) => ({
  KeyConditionExpression: `#pk = :pk AND ${condition}`,
  ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk' },
  ExpressionAttributeValues: {
    ':pk': { S: 'a' },
    ...Object.fromEntries(values.map((S, index) => [`:${index}`, { S }])),
  },
});

const ABSENT = {
  ConditionExpression: 'attribute_not_exists(#pk)',
  ExpressionAttributeNames: { '#pk': 'pk' },
} as const;
const versionIs = (version: string) => ({
  ConditionExpression: '#version = :before',
  ExpressionAttributeNames: { '#version': 'version' },
  ExpressionAttributeValues: { ':before': { N: version } },
});
const isNewer = (version: string) => ({
  ConditionExpression: 'attribute_not_exists(#pk) OR #version < :version',
  ExpressionAttributeNames: { '#pk': 'pk', '#version': 'version' },
  ExpressionAttributeValues: { ':version': { N: version } },
});
const TOLD = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

const itemOf = (sk: string, version: string, body = '{}'): Attributes => ({
  ...keyOf(sk),
  version: { N: version },
  body: { S: body },
});
const ONE = itemOf('1', '1');

const putNumber = (sk: string, N: string) => [
  step(`put the number ${N || 'of no digits'}`, put({ ...keyOf(sk, 'numbers'), version: { N } })),
  step(`get the number ${N || 'of no digits'}`, get(keyOf(sk, 'numbers'))),
];

const READING_NOTHING: readonly Step[] = [
  step('get an item that is not there', get(keyOf('1'))),
  step('query a partition that is not there', query()),
  step('get an item of an unknown table', get(keyOf('1'), 'unknown')),
  step('get an item of an unknown table by its ARN', get(keyOf('1'), `${ARN}-2`)),
  step('query an unknown table', query({ TableName: 'unknown' })),
  step('put an item into an unknown table', put(ONE, { TableName: 'unknown' })),
];

const WRITING: readonly Step[] = [
  step('put the first version of an item', put(ONE, { ...ABSENT, ...TOLD })),
  step('put the first version once more', put(itemOf('1', '1', 'x'), { ...ABSENT, ...TOLD })),
  step('put the first version once more, and be told nothing', put(ONE, ABSENT)),
  step('put the next version', put(itemOf('1', '2'), { ...versionIs('1'), ...TOLD })),
  step('put the next version once more', put(itemOf('1', '2', 'x'), { ...versionIs('1'), ...TOLD })),
  step('put the next version of what is not there', put(itemOf('2', '2'), { ...versionIs('1'), ...TOLD })),
  step('put a version that is written otherwise', put(itemOf('1', '3'), versionIs('2.0'))),
  step('put a version that is later', put(itemOf('1', '5'), { ...isNewer('5'), ...TOLD })),
  step('put a version that is earlier', put(itemOf('1', '4'), { ...isNewer('4'), ...TOLD })),
  step('put the same version again', put(itemOf('1', '5', 'x'), { ...isNewer('5'), ...TOLD })),
  step('put a version where there is none', put(itemOf('0', '4'), { ...isNewer('4'), ...TOLD })),
  step('get it by the ARN of its table', get(keyOf('1'))),
  step('get it by the name of its table', get(keyOf('1'), NAMES.table)),
  step('put an item with less in it', put({ ...keyOf('1'), other: { S: 'x' } })),
  step('get what is left of it', get(keyOf('1'))),
  step('put a text of no letters', put(itemOf('1', '1', ''))),
  step('get the text of no letters', get(keyOf('1'))),
  step('put an item of the same sort key in another partition', put(keyOf('1', 'b'), { ...ABSENT })),
];

const NUMBERS: readonly Step[] = [
  ...putNumber('1', '01.0'),
  ...putNumber('2', '1e3'),
  ...putNumber('3', '-0.50'),
  ...putNumber('4', '1793923200'),
  ...putNumber('5', '0'),
  ...putNumber('6', '.5'),
  step('put a number that is none', put({ ...keyOf('7', 'numbers'), version: { N: 'one' } })),
  step('put a number of no digits', put({ ...keyOf('7', 'numbers'), version: { N: '' } })),
];

const KEYS: readonly Step[] = [
  step('put an item without a sort key', put({ pk: { S: 'a' } })),
  step('put an item without a partition key', put({ sk: { S: '1' } })),
  step('put a sort key of no letters', put(keyOf(''))),
  step('put a partition key of no letters', put(keyOf('1', ''))),
  step('put a sort key that is a number', put({ ...keyOf('1'), sk: { N: '1' } })),
  step('put a sort key of 1,024 bytes', put(keyOf('ü'.repeat(512), 'sizes'))),
  step('put a sort key of 1,026 bytes', put(keyOf('ü'.repeat(513), 'sizes'))),
  step('put a partition key of 2,048 bytes', put(keyOf('1', 'x'.repeat(2048)))),
  step('put a partition key of 2,049 bytes', put(keyOf('1', 'x'.repeat(2049)))),
  step('get an item without a sort key', get({ pk: { S: 'a' } })),
  step('get an item by more than its keys', get({ ...keyOf('1'), more: { S: 'x' } })),
  step('get an item by a number', get({ ...keyOf('1'), sk: { N: '1' } })),
  // `pk` and `sizes`, `sk` and `1`, `body`: 14 bytes.
  step(
    'put an item of 400 KB',
    put({ ...keyOf('1', 'sizes'), body: { S: 'x'.repeat(400 * KIBIBYTE - 14) } }),
  ),
  step(
    'put an item of a byte more',
    put({ ...keyOf('1', 'sizes'), body: { S: 'x'.repeat(400 * KIBIBYTE - 13) } }),
  ),
];

const CONDITIONS: readonly Step[] = [
  step(
    'put on a condition that has a reserved word',
    put(ONE, { ConditionExpression: 'attribute_exists(body) AND status = body' }),
  ),
  step(
    'put on a condition that has an open bracket',
    put(ONE, { ...ABSENT, ConditionExpression: 'attribute_not_exists(#pk' }),
  ),
  step('put on a condition of nothing', put(ONE, { ConditionExpression: '' })),
  step(
    'put on a condition with an undefined name',
    put(ONE, { ConditionExpression: 'attribute_not_exists(#pk)' }),
  ),
  step(
    'put on a condition with an undefined value',
    put(ONE, { ...ABSENT, ConditionExpression: '#pk = :pk' }),
  ),
  step(
    'put on a condition that does not use a name',
    put(ONE, { ...ABSENT, ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk' } }),
  ),
  step(
    'put on a condition that does not use a value',
    put(ONE, { ...ABSENT, ExpressionAttributeValues: { ':pk': { S: 'a' } } }),
  ),
  step('put with names and no condition', put(ONE, { ExpressionAttributeNames: { '#pk': 'pk' } })),
  step('put with values and no condition', put(ONE, { ExpressionAttributeValues: { ':pk': { S: 'a' } } })),
  step(
    'put on a condition with no names in their list',
    put(ONE, { ConditionExpression: 'attribute_exists(body)', ExpressionAttributeNames: {} }),
  ),
  step(
    'put on a condition with no values in their list',
    put(ONE, { ...ABSENT, ExpressionAttributeValues: {} }),
  ),
];

const QUERIES: readonly Step[] = [
  ...['b', 'ä', 'B', '10', '9', '￿'].map((sk) => step(`put ${sk}`, put(itemOf(sk, '1')))),
  step('query a partition', query()),
  step('query a partition by the name of its table', query({ TableName: NAMES.table })),
  step('query those that begin with 1', query(ofSortKey('begins_with(#sk, :0)', '1'))),
  step('query those from 10 to B', query(ofSortKey('#sk BETWEEN :0 AND :1', '10', 'B'))),
  step('query those after 9', query(ofSortKey('#sk > :0', '9'))),
  step('query those up to 9', query(ofSortKey('#sk <= :0', '9'))),
  step('query one', query(ofSortKey('#sk = :0', '9'))),
  step('query two at most', query({ Limit: 2 })),
  step('query the two after them', query({ Limit: 2, ExclusiveStartKey: keyOf('10') })),
  step('query as many as there are', query({ Limit: 8 })),
  step('query after the last', query({ ExclusiveStartKey: keyOf('￿') })),
  step('query from a key that is not there', query({ ExclusiveStartKey: keyOf('A') })),
  step('query from a key of another partition', query({ ExclusiveStartKey: keyOf('1', 'b') })),
  step('query from half a key', query({ ExclusiveStartKey: { pk: { S: 'a' } } })),
  step('query none at most', query({ Limit: 0 })),
  step('query without a partition', query({ ...OF_PARTITION, KeyConditionExpression: '#pk > :pk' })),
  step('query all but one', query(ofSortKey('#sk <> :0', '9'))),
  step(
    'query by what is no key',
    query({ ...ofSortKey('#sk = :0', '9'), ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'body' } }),
  ),
  step('query by an undefined value', query({ ExpressionAttributeValues: { ':other': { S: 'a' } } })),
  step('query by an undefined name', query({ ExpressionAttributeNames: { '#other': 'pk' } })),
  step('query and do not use a name', query({ ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk' } })),
  ...['1', '2', '3', '4', '5', '6', '7'].map((sk) =>
    step(`put 300 KB: ${sk}`, put({ ...keyOf(sk, 'large'), body: { S: 'x'.repeat(300 * KIBIBYTE) } })),
  ),
  step('query a partition of 2.1 MB, page by page', queryAll('large')),
];

/** What the product asks of its table, and how it might be refused. */
export const DYNAMODB_STEPS: readonly Step[] = [
  ...READING_NOTHING,
  ...WRITING,
  ...NUMBERS,
  ...KEYS,
  ...CONDITIONS,
  ...QUERIES,
];
