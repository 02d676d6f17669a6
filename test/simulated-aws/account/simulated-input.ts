import { notSimulated } from './aws-error.ts';

/**
 * What of an input is simulated: all of it, some of its values, or some of its members, of each likewise. A
 * list is declared as its items are.
 *
 *     { Filters: 'all', Attribute: ['disableApiStop'], Placement: { AvailabilityZone: 'all' } }
 */
export type Simulated<Value> =
  | 'all'
  | ([Value] extends [readonly (infer Item)[]]
      ? Simulated<Item>
      : [Value] extends [string | number | boolean]
        ? readonly Value[]
        : { readonly [Member in keyof Value]?: Simulated<NonNullable<Value[Member]>> });

/** The same, where the input's type is not known. */
export type Declaration = 'all' | readonly unknown[] | { readonly [member: string]: Declaration | undefined };

/**
 * Refuses, by its name, the first part of an input that is given and not simulated: an answer as if it had
 * not been given would be taken for AWS's.
 * @param what the operation, such as `ec2.DescribeInstances`
 */
export function demandSimulated(
  what: string,
  declared: Declaration | undefined,
  value: unknown,
  path: readonly string[] = [],
): void {
  if (declared === 'all' || !isGiven(value)) return;
  if (declared === undefined) throw notSimulated(`${what}: ${path.join('.')}`);
  if (Array.isArray(value)) for (const item of value) demandSimulated(what, declared, item, path);
  else if (isList(declared)) demandValue(what, declared, value, path);
  else
    for (const [member, inner] of Object.entries(value))
      demandSimulated(what, declared[member], inner, [...path, member]);
}

function demandValue(what: string, values: readonly unknown[], value: unknown, path: readonly string[]) {
  if (!values.includes(value)) throw notSimulated(`${what}: ${path.join('.')} ${value}`);
}

/** ec2Query and awsQuery have no way to tell an empty list from none. */
const isGiven = (value: unknown): value is NonNullable<unknown> =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);

const isList = (declared: Declaration): declared is readonly unknown[] => Array.isArray(declared);
