import { AwsError } from '../../account/aws-error.ts';
import type { PolicyDocument } from '../../iam/policy.ts';
import type { State } from '../state.ts';
import { type Attributes, compare, sizeOfValue, type Value } from './values.ts';

/** A table with a partition key and a sort key, both of them texts. */
export interface Table {
  readonly arn: string;
  readonly partitionKey: string;
  readonly sortKey: string;
  /** Its resource-based policy. */
  policy?: PolicyDocument;
  readonly expiry: Expiry | undefined;
  /** By partition key, then by sort key. */
  readonly items: Map<string, Map<string, Attributes>>;
}

/** Time to live. */
interface Expiry {
  readonly attribute: string;
  /** How long an item that has expired is still there: "typically within a few days" it is deleted. */
  readonly afterSeconds: number;
}

export interface TableOptions {
  /** Default: `pk` and `sk`. */
  readonly partitionKey?: string;
  readonly sortKey?: string;
  readonly policy?: PolicyDocument;
  /** The attribute with the seconds since 1970 after which an item may go. Default: none expires. */
  readonly expiryAttribute?: string;
  /** Default: two days. */
  readonly expiresAfterSeconds?: number;
}

export function addTable(
  { tables, account, region }: Pick<State, 'tables' | 'account' | 'region'>,
  name: string,
  options: TableOptions = {},
): Table {
  const { partitionKey = 'pk', sortKey = 'sk', policy, expiryAttribute: attribute } = options;
  const { expiresAfterSeconds: afterSeconds = 2 * 86_400 } = options;
  const table: Table = {
    arn: tableArn({ account, region }, name),
    partitionKey,
    sortKey,
    ...(policy && { policy }),
    expiry: attribute === undefined ? undefined : { attribute, afterSeconds },
    items: new Map(),
  };
  tables.set(table.arn, table);
  return table;
}

const tableArn = ({ account, region }: Pick<State, 'account' | 'region'>, name: string) =>
  `arn:aws:dynamodb:${region}:${account}:table/${name}`;

/** By its ARN, in whichever account; a name alone is one of the caller's account. */
export function findTable(state: State, named: string): Table {
  const table = state.tables.get(named.startsWith('arn:') ? named : tableArn(state, named));
  // ledger: table-unknown
  if (table === undefined)
    throw new AwsError(
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${named} not found`,
    );
  return table;
}

export interface Key {
  readonly partition: string;
  readonly sort: string;
}

/** What the primary key is made of, and nothing else. */
export function keyIn(table: Table, given: Attributes): Key {
  const { partitionKey, sortKey } = table;
  const names = Object.keys(given);
  // ledger: key-schema
  if (names.length !== 2 || !names.includes(partitionKey) || !names.includes(sortKey))
    throw new AwsError('ValidationException', 'The provided key element does not match the schema');
  return keyOf(table, given);
}

/** The primary key of an item. */
export function keyOf({ partitionKey, sortKey }: Table, attributes: Attributes): Key {
  return {
    partition: keyText(partitionKey, attributes[partitionKey], 2048),
    sort: keyText(sortKey, attributes[sortKey], 1024),
  };
}

function keyText(name: string, value: Value | undefined, mostBytes: number): string {
  // ledger: put-item-key
  if (value === undefined) throw invalid(`Missing the key ${name} in the item`);
  // ledger: key-type
  if (value.S === undefined) throw invalid(`Type mismatch for key ${name} expected: S actual: N`);
  const bytes = sizeOfValue(value);
  // ledger: key-length
  if (bytes === 0 || bytes > mostBytes)
    throw invalid(`Size of key ${name} is ${bytes} bytes, and must be from 1 to ${mostBytes}`);
  return value.S;
}

const invalid = (what: string) =>
  new AwsError('ValidationException', `One or more parameter values were invalid: ${what}`);

export function itemAt(table: Table, { partition, sort }: Key, nowMs: number): Attributes | undefined {
  const item = table.items.get(partition)?.get(sort);
  return item !== undefined && isThere(table, item, nowMs) ? item : undefined;
}

/** In the order of their sort keys. */
export function itemsIn(table: Table, partition: string, nowMs: number): Attributes[] {
  const { sortKey } = table;
  return [...(table.items.get(partition)?.values() ?? [])]
    .filter((item) => isThere(table, item, nowMs))
    .sort((one, other) => compare(one[sortKey] ?? EMPTY, other[sortKey] ?? EMPTY) ?? 0);
}

const EMPTY: Value = { S: '' };

function isThere({ expiry }: Table, item: Attributes, nowMs: number): boolean {
  if (expiry === undefined) return true;
  const { N: seconds } = item[expiry.attribute] ?? {};
  return seconds === undefined || nowMs < (Number(seconds) + expiry.afterSeconds) * 1000;
}

export function putItem({ items }: Table, { partition, sort }: Key, item: Attributes): void {
  const others = items.get(partition) ?? new Map<string, Attributes>();
  items.set(partition, others.set(sort, item));
}
