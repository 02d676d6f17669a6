import type { NormalizedSchema } from '@smithy/core/schema';
import { toBase64 } from '@smithy/core/serde';
import { isStructure, membersOf } from './schema.ts';

/** The members of `value`, without an element of its own around them. */
export function writeMembers(schema: NormalizedSchema, value: unknown): string {
  if (!schema.isStructSchema() || !isStructure(value)) return '';
  let xml = '';
  for (const member of membersOf(schema)) {
    const inner = value[member.name];
    if (inner === undefined || inner === null) continue;
    const name = member.schema.getMemberTraits().xmlName ?? member.name;
    xml += writeElement(name, member.schema, inner);
  }
  return xml;
}

function writeElement(name: string, schema: NormalizedSchema, value: unknown): string {
  if (!schema.isListSchema()) return element(name, writeValue(schema, value));
  if (!Array.isArray(value)) throw new TypeError(`${name} is not a list`);
  const item = schema.getValueSchema();
  const flat = Boolean(schema.getMergedTraits().xmlFlattened);
  const itemName = flat ? name : (item.getMergedTraits().xmlName ?? 'member');
  const items = value.map((inner) => writeElement(itemName, item, inner)).join('');
  return flat ? items : element(name, items);
}

function writeValue(schema: NormalizedSchema, value: unknown): string {
  if (schema.isStructSchema()) return writeMembers(schema, value);
  if (schema.isMapSchema()) return writeMap(schema, value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return toBase64(value);
  return escapeXml(String(value));
}

function writeMap(schema: NormalizedSchema, value: unknown): string {
  const key = schema.getKeySchema();
  const inner = schema.getValueSchema();
  const keyName = key.getMergedTraits().xmlName ?? 'key';
  const valueName = inner.getMergedTraits().xmlName ?? 'value';
  return Object.entries(value ?? {})
    .map(([name, content]) => {
      const pair = writeElement(keyName, key, name) + writeElement(valueName, inner, content);
      return element('entry', pair);
    })
    .join('');
}

export function element(name: string, content: string): string {
  return content === '' ? `<${name}/>` : `<${name}>${content}</${name}>`;
}

/**
 * XML parsers turn a bare CR LF into LF and may drop a control character, so user data with Windows line ends
 * would come back changed: https://www.w3.org/TR/xml/#sec-line-ends
 */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"'\p{Cc}]/gu, (character) => `&#x${character.charCodeAt(0).toString(16)};`);
}
