import type { NormalizedSchema } from '@smithy/core/schema';
import { InvalidInput } from './invalid-input.ts';
import { isStructure, membersOf } from './schema.ts';

/**
 * The SDK's deserializer passes over members that it doesn't know, and lets a value through whatever its
 * type.
 * @param path of `value`
 * @throws InvalidInput at the first member that the model doesn't have, and at the first value of another
 * JSON type
 */
export function demandModelled(schema: NormalizedSchema, value: unknown, path: readonly string[] = []): void {
  if (value === null || schema.isDocumentSchema()) return;
  if (schema.isListSchema()) {
    for (const [index, item] of asList(value, path).entries())
      demandModelled(schema.getValueSchema(), item, [...path, String(index + 1)]);
  } else if (!isScalar(schema)) {
    for (const [name, inner] of Object.entries(asObject(value, path)))
      demandModelled(innerOf(schema, name, path), inner, [...path, name]);
  } else if (typeof value !== typeOf(schema)) throw malformed(path);
}

/** Of a map, or of a structure: an input without members has none either. */
function innerOf(schema: NormalizedSchema, name: string, path: readonly string[]): NormalizedSchema {
  if (schema.isMapSchema()) return schema.getValueSchema();
  const members = schema.isStructSchema() ? membersOf(schema) : [];
  const member = members.find((known) => known.name === name);
  if (!member) throw new InvalidInput([...path, name].join('.'), 'unknown');
  return member.schema;
}

function asList(value: unknown, path: readonly string[]): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed(path);
  return value;
}

function asObject(value: unknown, path: readonly string[]): object {
  if (!isStructure(value)) throw malformed(path);
  return value;
}

const malformed = (path: readonly string[]) => new InvalidInput(path.join('.'), 'malformed');

const isScalar = (schema: NormalizedSchema) =>
  !schema.isStructSchema() && !schema.isMapSchema() && !schema.isUnitSchema();

function typeOf(schema: NormalizedSchema): 'boolean' | 'number' | 'string' {
  if (schema.isBooleanSchema()) return 'boolean';
  return schema.isNumericSchema() || schema.isTimestampSchema() ? 'number' : 'string';
}
