import type { NormalizedSchema } from '@smithy/core/schema';
import fc from 'fast-check';
import { membersOf } from './schema.ts';

const MAX_DEPTH = 5;
const MAX_OPTIONAL_MEMBERS = 6;
const MAX_ITEMS = 3;

/** Any value that a schema allows, as far as a few members and a few levels go. */
export function anyOf(schema: NormalizedSchema, depth = 0): fc.Arbitrary<unknown> {
  if (schema.isStructSchema()) return structureOf(schema, depth);
  if (schema.isListSchema())
    return fc.array(anyOf(schema.getValueSchema(), depth + 1), { maxLength: MAX_ITEMS });
  if (schema.isMapSchema())
    return fc.dictionary(anyKey, anyOf(schema.getValueSchema(), depth + 1), {
      maxKeys: MAX_ITEMS,
      noNullPrototype: true,
    });
  if (schema.isNumericSchema()) return fc.integer();
  if (schema.isBooleanSchema()) return fc.boolean();
  if (schema.isTimestampSchema())
    return fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
  if (schema.isBlobSchema()) return fc.uint8Array({ maxLength: 8 });
  return anyText;
}

function structureOf(schema: NormalizedSchema, depth: number): fc.Arbitrary<object> {
  const members = membersOf(schema);
  const mandatory = members.filter((member) => member.required || member.schema.isIdempotencyToken());
  const optional = members.filter(
    (member) => !mandatory.includes(member) && (depth < MAX_DEPTH || isScalar(member.schema)),
  );
  const chosen = schema.isUnionSchema()
    ? fc.subarray([...members], { minLength: 1, maxLength: 1 })
    : fc
        .subarray(optional, { maxLength: Math.min(optional.length, MAX_OPTIONAL_MEMBERS) })
        .map((some) => [...mandatory, ...some]);
  return chosen.chain((some) =>
    fc.record(Object.fromEntries(some.map((member) => [member.name, anyOf(member.schema, depth + 1)]))),
  );
}

const isScalar = (schema: NormalizedSchema) =>
  !schema.isStructSchema() && !schema.isListSchema() && !schema.isMapSchema();

/** The SDK's XML parser takes blank text with a line end in it for indentation, which no server can help. */
const looksLikeIndentation = (text: string) => text.trim() === '' && text.includes('\n');

const anyText = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom(
      '',
      '<a & "b">',
      "it's 100%+1=2",
      'line\r\nline\n',
      ' blank ',
      '{"json":"\u00e9"}',
      '=&#x0a;',
    ),
  )
  .filter((text) => !looksLikeIndentation(text));

const anyKey = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 5 });
