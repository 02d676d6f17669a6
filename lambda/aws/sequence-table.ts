import { randomUUID } from 'node:crypto';
import type { AttributeValue, PutItemInput } from '@aws-sdk/client-dynamodb';
import { TABLE_EXPIRY, TABLE_KEYS } from '../contract.ts';
import type { Aws } from './clients.ts';
import { DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand } from './dynamodb-client.ts';
import { hasCode } from './errors.ts';
import { noteOperations } from './operations.ts';

/** An item of a sequence's table. Its text is JSON, which `sequence/items.ts` writes and reads. */
export interface TableItem {
  readonly pk: string;
  readonly sk: string;
  /** Whoever writes on a condition counts it up. */
  readonly version: number;
  readonly body: string;
  /** Seconds since 1970 after which DynamoDB may delete it. */
  readonly expires?: number;
}

export interface QueriedItems {
  readonly items: readonly TableItem[];
  /** There are more. */
  readonly isCut: boolean;
}

export type TableKey = Pick<TableItem, 'pk' | 'sk'>;

/** A sequence's table, in whichever account and Region. */
export interface SequenceTable {
  /** Consistently. */
  read(key: TableKey): Promise<TableItem | undefined>;
  /**
   * The items of a partition, consistently, in the order of their sort keys.
   *
   * @param mostPages of 1 MB each; all, if absent
   */
  query(pk: string, mostPages?: number): Promise<QueriedItems>;
  /** Whatever is there. */
  write(item: TableItem): Promise<void>;
  /**
   * Unless somebody else has written meanwhile.
   *
   * @param before the version that was read; undefined if there was no item
   * @returns whether the item is there now
   */
  writeIf(item: TableItem, before: number | undefined): Promise<boolean>;
  /** Unless there is one of this version, or of a later one. */
  writeNewer(item: TableItem): Promise<void>;
}

/** Nobody waits longer for a table: without its answer nothing new begins, and all else goes on. */
const LIMITS = { maxAttempts: 4, milliseconds: 15_000 } as const;

/**
 * The attribute that tells a write from all others: two at once may write the same text, and only one of them
 * is to say so.
 */
const MARK = 'mark';

/** @param arn its ARN: a name alone would be a table of our own account and Region */
export function sequenceTable({ config }: Pick<Aws, 'config'>, arn: string): SequenceTable {
  const client = noteOperations(
    new DynamoDBClient({
      ...config,
      region: arn.split(':')[3],
      retryMode: 'standard',
      maxAttempts: LIMITS.maxAttempts,
      // Otherwise an ARN's account would be in the host's name, which an egress rule may not know.
      accountIdEndpointMode: 'disabled',
    }),
    'dynamodb',
  );
  const limited = () => ({ abortSignal: AbortSignal.timeout(LIMITS.milliseconds) });
  return {
    async read({ pk, sk }) {
      const Key = { [TABLE_KEYS.partition]: { S: pk }, [TABLE_KEYS.sort]: { S: sk } };
      const { Item } = await client.send(
        new GetItemCommand({ TableName: arn, Key, ConsistentRead: true }),
        limited(),
      );
      return Item && itemIn(Item);
    },
    async query(pk, mostPages = Number.POSITIVE_INFINITY) {
      const items: TableItem[] = [];
      let start: Record<string, AttributeValue> | undefined;
      let pages = 0;
      do {
        const page = await client.send(
          new QueryCommand({
            TableName: arn,
            ConsistentRead: true,
            KeyConditionExpression: '#pk = :pk',
            ExpressionAttributeNames: { '#pk': TABLE_KEYS.partition },
            ExpressionAttributeValues: { ':pk': { S: pk } },
            ...(start && { ExclusiveStartKey: start }),
          }),
          limited(),
        );
        items.push(...(page.Items ?? []).map(itemIn));
        start = page.LastEvaluatedKey;
        pages++;
      } while (start !== undefined && pages < mostPages);
      return { items, isCut: start !== undefined };
    },
    async write(item) {
      await client.send(new PutItemCommand({ TableName: arn, Item: attributesOf(item) }), limited());
    },
    async writeIf(item, before) {
      const mark = randomUUID();
      try {
        await client.send(
          new PutItemCommand({
            TableName: arn,
            Item: { ...attributesOf(item), [MARK]: { S: mark } },
            ...conditionOn(before),
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
          limited(),
        );
        return true;
      } catch (error) {
        if (!hasCode(error, 'ConditionalCheckFailedException')) throw error;
        // The SDK may have repeated what had taken effect unseen.
        return 'Item' in error && (error.Item as Record<string, AttributeValue>)[MARK]?.S === mark;
      }
    },
    async writeNewer(item) {
      const Item = attributesOf(item);
      try {
        await client.send(new PutItemCommand({ TableName: arn, Item, ...isNewer(item.version) }), limited());
      } catch (error) {
        if (!hasCode(error, 'ConditionalCheckFailedException')) throw error;
      }
    },
  };
}

function conditionOn(before: number | undefined): Partial<PutItemInput> {
  if (before === undefined)
    return {
      ConditionExpression: 'attribute_not_exists(#pk)',
      ExpressionAttributeNames: { '#pk': TABLE_KEYS.partition },
    };
  return {
    ConditionExpression: '#version = :before',
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: { ':before': { N: String(before) } },
  };
}

const isNewer = (version: number): Partial<PutItemInput> => ({
  ConditionExpression: 'attribute_not_exists(#pk) OR #version < :version',
  ExpressionAttributeNames: { '#pk': TABLE_KEYS.partition, '#version': 'version' },
  ExpressionAttributeValues: { ':version': { N: String(version) } },
});

function attributesOf({ pk, sk, version, body, expires }: TableItem): Record<string, AttributeValue> {
  return {
    [TABLE_KEYS.partition]: { S: pk },
    [TABLE_KEYS.sort]: { S: sk },
    version: { N: String(version) },
    body: { S: body },
    ...(expires !== undefined && { [TABLE_EXPIRY]: { N: String(expires) } }),
  };
}

/** What isn't as we write it is as good as empty: whoever reads the text says what is wrong. */
function itemIn(attributes: Record<string, AttributeValue> = {}): TableItem {
  return {
    pk: attributes[TABLE_KEYS.partition]?.S ?? '',
    sk: attributes[TABLE_KEYS.sort]?.S ?? '',
    version: Number(attributes.version?.N ?? 0),
    body: attributes.body?.S ?? '',
  };
}
