import {
  type AttributeValue,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type PutItemInput,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { type AccountOptions, simulateAccount } from '../../account/account.ts';
import { virtualClock } from '../../clock/clock.ts';
import { enforce } from '../../iam/permissions.ts';
import type { PolicyDocument, Statement } from '../../iam/policy.ts';
import { loseAnswer } from '../../weather/faults.ts';
import { directCalls } from '../direct-calls.ts';
import { resourceFacts } from '../resource-facts.ts';
import { createWorld } from '../world.ts';
import type { TableOptions } from './tables.ts';

const START = Date.parse('2026-11-21T00:00:00Z');

function setUp(options?: TableOptions) {
  const clock = virtualClock(START);
  const world = createWorld({ clock, seed: 1 });
  const { arn } = world.addTable('fleet', options);
  const call = directCalls(world);
  const put = (sk: string, more: Record<string, AttributeValue> = {}, input: Partial<PutItemInput> = {}) =>
    call(PutItemCommand, { TableName: arn, Item: { pk: { S: 'a' }, sk: { S: sk }, ...more }, ...input });
  const get = (sk: string, TableName = arn) =>
    call(GetItemCommand, { TableName, Key: { pk: { S: 'a' }, sk: { S: sk } } }).Item;
  const query = (more: object = {}) =>
    call(QueryCommand, {
      TableName: arn,
      KeyConditionExpression: '#pk = :pk',
      ExpressionAttributeNames: { '#pk': 'pk' },
      ExpressionAttributeValues: { ':pk': { S: 'a' } },
      ...more,
    });
  const sortKeys = (more?: object) => query(more).Items?.map(({ sk }) => sk?.S);
  return { clock, world, arn, call, put, get, query, sortKeys };
}

const refusal = (code: string) => expect.objectContaining({ code });
const ABSENT = {
  ConditionExpression: 'attribute_not_exists(#pk)',
  ExpressionAttributeNames: { '#pk': 'pk' },
} as const;
const versionIs = (version: number) => ({
  ConditionExpression: '#v = :v',
  ExpressionAttributeNames: { '#v': 'version' },
  ExpressionAttributeValues: { ':v': { N: String(version) } },
});

describe('an item', () => {
  test('is replaced as a whole by the next of its key, and found by the ARN or the name of its table', () => {
    const { put, get } = setUp();
    expect(get('1')).toBeUndefined();
    put('1', { version: { N: '01.0' }, body: { S: '' } });
    put('2');
    expect(get('1', 'fleet')).toEqual({
      pk: { S: 'a' },
      sk: { S: '1' },
      version: { N: '1' },
      body: { S: '' },
    });
    put('1', { other: { S: 'x' } });
    expect(get('1')).toEqual({ pk: { S: 'a' }, sk: { S: '1' }, other: { S: 'x' } });
  });

  test('is not written unless it is as the condition has it', () => {
    const { put, get } = setUp();
    const failed = refusal('ConditionalCheckFailedException');
    expect(() => put('1', { version: { N: '1' } }, versionIs(0))).toThrow(failed);
    put('1', { version: { N: '1' } }, ABSENT);
    put('2', {}, ABSENT);
    expect(() => put('1', { version: { N: '2' } }, ABSENT)).toThrow(failed);
    expect(() => put('1', { version: { N: '2' } }, versionIs(2))).toThrow(failed);
    put('1', { version: { N: '2' } }, versionIs(1));
    expect(get('1')).toMatchObject({ version: { N: '2' } });
  });

  test('is refused with placeholders, and no condition that they are of', () => {
    const { put } = setUp();
    const { ExpressionAttributeNames, ExpressionAttributeValues } = versionIs(1);
    for (const placeholders of [{ ExpressionAttributeNames }, { ExpressionAttributeValues }])
      expect(() => put('1', {}, placeholders)).toThrow('can only be specified when using expressions');
  });

  test('of a table that is not there is refused', () => {
    const { get, arn } = setUp();
    for (const table of ['other', `${arn}-2`, arn.replace('123456789012', '999999999999')])
      expect(() => get('1', table)).toThrow(refusal('ResourceNotFoundException'));
  });

  test.each<[string, Record<string, AttributeValue>]>([
    ['a sort key of no text', { sk: { S: '' } }],
    ['a sort key that is too long', { sk: { S: 'ü'.repeat(513) } }],
    ['a partition key that is too long', { pk: { S: 'x'.repeat(2049) } }],
    ['a key of another type', { sk: { N: '1' } }],
    ['a number that is none', { version: { N: 'one' } }],
    ['more than 400 KB', { body: { S: 'ü'.repeat(204_800) } }],
  ])('is refused with %s', (_, wrong) => {
    const { put } = setUp();
    expect(() => put('1', wrong)).toThrow(refusal('ValidationException'));
  });

  test('is refused without one of its keys, or with a key that the table has not', () => {
    const { call, arn } = setUp();
    const Key = { pk: { S: 'a' } };
    const refused = refusal('ValidationException');
    expect(() => call(PutItemCommand, { TableName: arn, Item: Key })).toThrow(refused);
    expect(() => call(GetItemCommand, { TableName: arn, Key })).toThrow(refused);
    const further = { ...Key, sk: { S: '1' }, more: { S: 'x' } };
    expect(() => call(GetItemCommand, { TableName: arn, Key: further })).toThrow(refused);
  });

  test('takes up the bytes of its names and values', () => {
    const { put } = setUp();
    // `pk` and `a`, `sk` and `1`, `body`: 10 bytes.
    put('1', { body: { S: 'x'.repeat(400 * 1024 - 10) } });
    expect(() => put('1', { body: { S: 'x'.repeat(400 * 1024 - 9) } })).toThrow('Item size');
  });

  test.each<[string, AttributeValue]>([
    ['a list', { L: [] }],
    ['a number of many digits', { N: '1234567890123456789' }],
  ])('with %s is not simulated', (_, value) => {
    const { put } = setUp();
    expect(() => put('1', { value })).toThrow(refusal('NotImplemented'));
  });

  test('that has expired is still there for days, may be renewed, and then goes', () => {
    const { put, get, sortKeys, clock } = setUp({ expiryAttribute: 'expires' });
    const expires = { N: String(START / 1000 + 60) };
    for (const sk of ['1', '2']) put(sk, { expires });
    put('3', { expires: { S: 'never' } });
    clock.advance(86_400);
    expect(sortKeys()).toEqual(['1', '2', '3']);
    put('2');
    clock.advance(2 * 86_400);
    expect([get('1'), sortKeys()]).toEqual([undefined, ['2', '3']]);
    put('1', {}, ABSENT);
  });
});

describe('a query', () => {
  test('answers the items of one partition in the order of their bytes', () => {
    const { put, call, arn, sortKeys } = setUp();
    for (const sk of ['b', 'ä', 'B', '10', '9', '\u{1f600}', '\uffff']) put(sk);
    call(PutItemCommand, { TableName: arn, Item: { pk: { S: 'b' }, sk: { S: '1' } } });
    expect(sortKeys()).toEqual(['10', '9', 'B', 'b', 'ä', '\uffff', '\u{1f600}']);
    const later = {
      KeyConditionExpression: '#pk = :pk AND begins_with(#sk, :start)',
      ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk' },
      ExpressionAttributeValues: { ':pk': { S: 'a' }, ':start': { S: '1' } },
    };
    expect(sortKeys(later)).toEqual(['10']);
  });

  test('answers 1 MB at a time, and where it stopped', () => {
    const { put, query, sortKeys } = setUp();
    expect(query()).toEqual({ Items: [], Count: 0, ScannedCount: 0 });
    for (const sk of ['1', '2', '3', '4', '5']) put(sk, { body: { S: 'x'.repeat(300 * 1024) } });
    const { Count, LastEvaluatedKey } = query();
    expect([Count, LastEvaluatedKey]).toEqual([3, { pk: { S: 'a' }, sk: { S: '3' } }]);
    const rest = { ExclusiveStartKey: LastEvaluatedKey };
    expect(sortKeys(rest)).toEqual(['4', '5']);
    expect(query(rest)).not.toHaveProperty('LastEvaluatedKey');
  });

  test('stops at its limit, even where there is no more', () => {
    const { put, query } = setUp();
    for (const sk of ['1', '2']) put(sk);
    const { Items, LastEvaluatedKey } = query({ Limit: 2 });
    expect([Items?.length, LastEvaluatedKey]).toEqual([2, { pk: { S: 'a' }, sk: { S: '2' } }]);
    const next = query({ Limit: 2, ExclusiveStartKey: LastEvaluatedKey });
    expect(next).toEqual({ Items: [], Count: 0, ScannedCount: 0 });
  });

  test.each<[string, object]>([
    ['from a key of another partition', { ExclusiveStartKey: { pk: { S: 'b' }, sk: { S: '1' } } }],
    ['with a limit of none', { Limit: 0 }],
    ['without its partition', { KeyConditionExpression: '#pk > :pk' }],
  ])('is refused %s', (_, wrong) => {
    const { query } = setUp();
    expect(() => query(wrong)).toThrow(refusal('ValidationException'));
  });
});

const OWNER = '111111111111';
const MEMBER = '222222222222';
const REGION = 'us-east-1';

/** A table in one account, and a client of a role in another, in another Region. */
function acrossAccounts(
  own: readonly Statement[] | undefined,
  policy: PolicyDocument | undefined,
  options: Partial<AccountOptions> = {},
) {
  const clock = virtualClock(START);
  const owner = createWorld({ clock, seed: 1, account: OWNER, region: REGION });
  const { arn } = owner.addTable('fleet', policy && { policy });
  const { tables } = owner.state;
  const member = createWorld({ clock, seed: 1, account: MEMBER, region: 'eu-west-1', tables });
  const account = simulateAccount({
    clock,
    operations: member.operations,
    region: 'eu-west-1',
    ...(own && { permissions: enforce([{ Statement: own }], resourceFacts(member)) }),
    ...options,
  });
  const client = new DynamoDBClient({ ...account.clientOptions, region: REGION });
  const key = (partition: string) => ({ pk: { S: partition }, sk: { S: '1' } });
  return {
    account,
    client,
    clock,
    arn,
    get: (partition: string, more: object = {}) =>
      client.send(new GetItemCommand({ TableName: arn, Key: key(partition), ...more })),
    put: (partition: string, more: object = {}) =>
      client.send(new PutItemCommand({ TableName: arn, Item: { ...key(partition) }, ...more })),
    query: (partition: string) =>
      client.send(
        new QueryCommand({
          TableName: arn,
          KeyConditionExpression: '#pk = :pk',
          ExpressionAttributeNames: { '#pk': 'pk' },
          ExpressionAttributeValues: { ':pk': { S: partition } },
        }),
      ),
  };
}

const ofKeys = (...keys: readonly string[]) => ({
  'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': keys },
});
const OWN: Statement = {
  Effect: 'Allow',
  Action: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
  Resource: `arn:aws:dynamodb:${REGION}:${OWNER}:table/fleet`,
  Condition: ofKeys(`status#${MEMBER}`, 'others'),
};
const SHARED: PolicyDocument = {
  Statement: [
    {
      ...OWN,
      Principal: { AWS: `arn:aws:iam::${MEMBER}:root` },
      Condition: ofKeys(`status#\${aws:PrincipalAccount}`),
    },
  ],
};

describe('a table of another account', () => {
  test('is reached by its ARN, in its Region, and not by its name', async () => {
    const { get, put, client } = acrossAccounts([OWN], SHARED);
    await put(`status#${MEMBER}`);
    expect((await get(`status#${MEMBER}`)).Item).toMatchObject({ sk: { S: '1' } });
    const byName = new GetItemCommand({ TableName: 'fleet', Key: { pk: { S: 'a' }, sk: { S: '1' } } });
    await expect(client.send(byName)).rejects.toThrow('in us-east-1, and not in eu-west-1');
  });

  test.each(['get', 'put', 'query'] as const)('answers what both policies allow: %s', async (operation) => {
    const reached = acrossAccounts([OWN], SHARED);
    await reached[operation](`status#${MEMBER}`);
    await expect(reached[operation]('others')).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringMatching(/:table\/fleet because no resource-based policy allows the dynamodb:/),
    });
    await expect(reached[operation]('sequence')).rejects.toThrow('no identity-based policy allows');
  });

  test('answers nobody without a policy of its own, whatever the role may', async () => {
    const { get } = acrossAccounts([OWN], undefined);
    await expect(get(`status#${MEMBER}`)).rejects.toThrow('because no resource-based policy allows');
  });
});

describe('on its way', () => {
  test('a write that took effect unseen is refused when it is repeated, and what is there may be told', async () => {
    const lost = loseAnswer(({ number }) => number === 1);
    const { put, clock } = acrossAccounts(undefined, undefined, { interceptors: [lost] });
    const written = put('a', { ...ABSENT, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' });
    await expect(clock.drive(written)).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
      Item: { pk: { S: 'a' }, sk: { S: '1' } },
    });
    await expect(put('a', ABSENT)).rejects.toThrow('The conditional request failed');
  });

  test('a read may not see the last write yet, unless it is to be consistent', async () => {
    const { get, put, clock } = acrossAccounts(undefined, undefined, {
      lag: { seconds: 20, share: 1, seed: 1 },
    });
    await get('a');
    await get('a', { ConsistentRead: true });
    await put('a');
    const seen = new Set<boolean>();
    for (let time = 0; time < 40; time++) {
      clock.advance(0.1);
      seen.add((await get('a')).Item !== undefined);
      expect((await get('a', { ConsistentRead: true })).Item).toBeDefined();
    }
    expect(seen).toEqual(new Set([true, false]));
  });

  test('it is throttled by each of its codes, and asked again', async () => {
    const { put, account, clock } = acrossAccounts(undefined, undefined, { throttling: { everyNth: 2 } });
    for (let time = 0; time < 4; time++) await clock.drive(put('a'));
    expect(new Set(account.calls.log.flatMap(({ error }) => error ?? []))).toEqual(
      new Set(['ThrottlingException', 'ProvisionedThroughputExceededException', 'RequestLimitExceeded']),
    );
  });
});
