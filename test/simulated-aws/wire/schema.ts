import { NormalizedSchema } from '@smithy/core/schema';
import type { StaticOperationSchema } from '@smithy/types';

/** A member of a structure, as the SDK's runtime schema describes it. */
export interface Member {
  readonly name: string;
  readonly schema: NormalizedSchema;
  readonly required: boolean;
}

// A schema never changes, and an EC2 instance alone has some sixty members, so each structure is walked once.
const known = new WeakMap<object, readonly Member[]>();

export function membersOf(structure: NormalizedSchema): readonly Member[] {
  const schema = structure.getSchema();
  if (!Array.isArray(schema)) throw new TypeError(`${structure.getName()} is not a structure`);
  const before = known.get(schema);
  if (before) return before;
  // The SDK's generator puts the required members first and their number last.
  const requiredCount = typeof schema[6] === 'number' ? schema[6] : 0;
  const members = Array.from(structure.structIterator(), ([name, member], index) => ({
    name,
    schema: member,
    required: index < requiredCount,
  }));
  known.set(schema, members);
  return members;
}

export const namespaceOf = (operation: StaticOperationSchema) => operation[1];
export const nameOf = (operation: StaticOperationSchema) => operation[2];
/** Such as `ec2.DescribeInstances`. */
export const keyOf = (operation: StaticOperationSchema) =>
  `${namespaceOf(operation).replace('com.amazonaws.', '')}.${nameOf(operation)}`;
export const inputOf = (operation: StaticOperationSchema) => NormalizedSchema.of(operation[4]);
export const outputOf = (operation: StaticOperationSchema) => NormalizedSchema.of(operation[5]);

/** What a schema-shaped value is to the codecs, which know its shape only at run time. */
export type Structure = { readonly [member: string]: unknown };

export function isStructure(value: unknown): value is Structure {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
