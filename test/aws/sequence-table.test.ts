import { DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { sequenceTable } from '../../lambda/aws/sequence-table.ts';
import { simulateAccount } from '../simulated-aws/account/account.ts';
import type { SessionOptions } from '../simulated-aws/account/session.ts';
import { virtualClock } from '../simulated-aws/clock/clock.ts';
import { loseAnswer } from '../simulated-aws/weather/faults.ts';
import { createWorld } from '../simulated-aws/world/world.ts';
import { mocked } from './mocked.ts';

const ARN = 'arn:aws:dynamodb:us-east-1:111111111111:table/fleet';
const ITEM = { pk: 'allowed#111111111111', sk: 'eu-west-1#web', version: 2, body: '{}' };

describe('what is asked of DynamoDB', () => {
  const dynamoDb = mocked(DynamoDBClient);
  const table = sequenceTable(createAws({ region: 'eu-west-1' }), ARN);

  test('an item is read by both of its keys, as it is now', async () => {
    dynamoDb.on(GetItemCommand).resolves({});
    expect(await table.read({ pk: 'a', sk: 'b' })).toBeUndefined();
    expect(dynamoDb.commandCalls(GetItemCommand)[0]?.args[0].input).toEqual({
      TableName: ARN,
      Key: { pk: { S: 'a' }, sk: { S: 'b' } },
      ConsistentRead: true,
    });
  });

  test('a partition is read to its end, page by page', async () => {
    const key = { pk: { S: 'a' }, sk: { S: '1' } };
    dynamoDb
      .on(QueryCommand)
      .resolvesOnce({ Items: [{ ...key, version: { N: '1' }, body: { S: 'x' } }], LastEvaluatedKey: key })
      .resolvesOnce({ Items: [], LastEvaluatedKey: key })
      .resolves({ Items: [{ pk: { S: 'a' }, sk: { S: '2' } }] });
    const items = [
      { pk: 'a', sk: '1', version: 1, body: 'x' },
      { pk: 'a', sk: '2', version: 0, body: '' },
    ];
    expect(await table.query('a')).toEqual({ items, isCut: false });
    const starts = dynamoDb.commandCalls(QueryCommand).map(({ args }) => args[0].input.ExclusiveStartKey);
    expect(starts).toEqual([undefined, key, key]);
  });

  test.each([
    ['the first only where there is none', undefined, 'attribute_not_exists(#pk)'],
    ['the next only after what was read', 1, '#version = :before'],
  ])('an item is written on a condition: %s', async (_, before, ConditionExpression) => {
    dynamoDb.on(PutItemCommand).resolves({});
    expect(await table.writeIf({ ...ITEM, expires: 7 }, before)).toBe(true);
    expect(dynamoDb.commandCalls(PutItemCommand).at(-1)?.args[0].input).toMatchObject({
      ConditionExpression,
      Item: { version: { N: '2' }, body: { S: '{}' }, expires: { N: '7' } },
    });
  });
});

describe('in an account', () => {
  function setUp() {
    const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'));
    const world = createWorld({ clock, seed: 1 });
    const { arn } = world.addTable('fleet');
    const account = simulateAccount({ clock, operations: world.operations });
    const open = (interceptors: SessionOptions['interceptors'] = []) =>
      sequenceTable(createAws(account.session({ interceptors }).clientOptions), arn);
    return { clock, open };
  }

  test('a write is refused once somebody else has written, and nothing changes', async () => {
    const { clock, open } = setUp();
    const table = open();
    await clock.drive(table.write({ ...ITEM, version: 1, body: 'other' }));
    expect(await clock.drive(table.writeIf(ITEM, undefined))).toBe(false);
    expect(await clock.drive(table.read(ITEM))).toMatchObject({ body: 'other' });
    expect(await clock.drive(table.writeIf(ITEM, 1))).toBe(true);
    expect(await clock.drive(table.writeIf({ ...ITEM, version: 3 }, 1))).toBe(false);
    expect(await clock.drive(table.query(ITEM.pk))).toEqual({ items: [ITEM], isCut: false });
  });

  test('what was decided later holds, whichever is written last', async () => {
    const { clock, open } = setUp();
    const table = open();
    const written = async (version: number) => {
      await clock.drive(table.writeNewer({ ...ITEM, version }));
      return (await clock.drive(table.read(ITEM)))?.version;
    };
    expect([await written(3), await written(2), await written(4)]).toEqual([3, 3, 4]);
  });

  test('a write that took effect unseen is known for our own', async () => {
    const { clock, open } = setUp();
    let calls = 0;
    const table = open([loseAnswer(() => calls++ === 0)]);
    expect(await clock.drive(table.writeIf(ITEM, undefined))).toBe(true);
    expect(await clock.drive(table.writeIf({ ...ITEM, body: 'x' }, undefined))).toBe(false);
    // Another that decides the same isn't the one who has.
    expect(await clock.drive(table.writeIf(ITEM, undefined))).toBe(false);
  });
});
