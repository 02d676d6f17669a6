import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { AwsError, notSimulated } from '../../account/aws-error.ts';

/** A text or a number: no other type is simulated. */
export type Value =
  | { readonly S: string; readonly N?: undefined }
  | { readonly N: string; readonly S?: undefined };

export type Attributes = Readonly<Record<string, Value>>;

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** So many digits a number of this language keeps. */
const MOST_DIGITS = 15;

/** Values as DynamoDB keeps them: "leading and trailing zeroes are trimmed". */
export function attributesOf(what: string, given: Readonly<Record<string, AttributeValue>>): Attributes {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, keptAs(what, name, value)]));
}

function keptAs(what: string, name: string, { S, N }: AttributeValue): Value {
  if (S !== undefined) return { S };
  if (N === undefined) throw notSimulated(`${what}: ${name} that is no text or number`);
  // ledger: item-number
  if (!NUMBER.test(N))
    throw new AwsError(
      'ValidationException',
      `The parameter cannot be converted to a numeric value: ${N || 'an empty one'}`,
    );
  if (significantDigits(N).length > MOST_DIGITS) throw notSimulated(`${what}: ${name} of so many digits`);
  return { N: String(Number(N)) };
}

const significantDigits = (text: string) =>
  text
    .replace(/[eE].*$/, '')
    .replace(/[^\d]/g, '')
    .replace(/^0+|0+$/g, '');

const bytesOf = (text: string) => Buffer.byteLength(text);

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
export function sizeOf(attributes: Attributes): number {
  return Object.entries(attributes).reduce(
    (sum, [name, value]) => sum + bytesOf(name) + sizeOfValue(value),
    0,
  );
}

export function sizeOfValue({ S, N }: Value): number {
  return S !== undefined ? bytesOf(S) : Math.ceil(significantDigits(N).length / 2) + 1;
}

/** Texts by their bytes in UTF-8, numbers by what they are; undefined where the types differ. */
export function compare(one: Value, other: Value): number | undefined {
  if (one.S !== undefined && other.S !== undefined)
    return Buffer.compare(Buffer.from(one.S), Buffer.from(other.S));
  if (one.N !== undefined && other.N !== undefined) return Math.sign(Number(one.N) - Number(other.N));
  return undefined;
}
