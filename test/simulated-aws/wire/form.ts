import type { NormalizedSchema } from '@smithy/core/schema';
import { fromBase64 } from '@smithy/core/serde';
import { InvalidInput } from './invalid-input.ts';
import { membersOf } from './schema.ts';

/** A form's dotted keys as a tree: `Tag.1.Key=a` is `{ Tag: { 1: { Key: 'a' } } }`. */
export type FormNode = string | { [key: string]: FormNode };

/** How the two query protocols differ in what they write. */
export interface FormDialect {
  /** The key of a structure's member. */
  memberKey(name: string, schema: NormalizedSchema): string;
  readonly flatLists: boolean;
}

export function parseForm(body: string): { [key: string]: FormNode } {
  // Without a prototype, so that no key of a request can be mistaken for a method.
  const form: { [key: string]: FormNode } = Object.create(null);
  for (const pair of body.split('&')) {
    const [key = '', value = ''] = pair.split('=', 2).map(decoded);
    if (key) insert(form, key.split('.'), value);
  }
  return form;
}

const decoded = (text: string) => decodeURIComponent(text.replaceAll('+', '%20'));

function insert(form: { [key: string]: FormNode }, path: readonly string[], value: string): void {
  let branch = form;
  for (const step of path.slice(0, -1)) {
    const next = branch[step];
    const found = typeof next === 'object' ? next : Object.create(null);
    branch[step] = found;
    branch = found;
  }
  branch[path.at(-1) ?? ''] = value;
}

/** The SDK's input shape from a form. Throws `InvalidInput` for a number, boolean or time that isn't one. */
export function readForm(dialect: FormDialect, schema: NormalizedSchema, node: FormNode, path = ''): unknown {
  if (schema.isStructSchema()) return readStructure(dialect, schema, node);
  if (schema.isListSchema()) return readList(dialect, schema, node, path);
  if (schema.isMapSchema()) return readMap(dialect, schema, node, path);
  if (typeof node !== 'string') throw new InvalidInput(path, 'malformed');
  return readScalar(schema, node, path);
}

function readStructure(dialect: FormDialect, schema: NormalizedSchema, node: FormNode): object {
  const value: { [member: string]: unknown } = {};
  if (typeof node === 'string') return value;
  for (const member of membersOf(schema)) {
    const key = dialect.memberKey(member.name, member.schema);
    const inner = node[key];
    if (inner !== undefined) value[member.name] = readForm(dialect, member.schema, inner, key);
  }
  return value;
}

function readList(dialect: FormDialect, schema: NormalizedSchema, node: FormNode, path: string): unknown[] {
  // An empty list is an empty value to awsQuery; ec2Query leaves it out.
  if (typeof node === 'string') return [];
  const item = schema.getValueSchema();
  const flat = dialect.flatLists || schema.getMergedTraits().xmlFlattened;
  const items = flat ? node : node[item.getMergedTraits().xmlName ?? 'member'];
  if (typeof items !== 'object') return [];
  // Keys that are whole numbers come in their order, whatever the request's was.
  return Object.values(items).map((inner) => readForm(dialect, item, inner, path));
}

function readMap(dialect: FormDialect, schema: NormalizedSchema, node: FormNode, path: string): object {
  const entries = typeof node === 'string' ? undefined : node.entry;
  if (typeof entries !== 'object') return {};
  const keyName = schema.getKeySchema().getMergedTraits().xmlName ?? 'key';
  const valueName = schema.getValueSchema().getMergedTraits().xmlName ?? 'value';
  return Object.fromEntries(
    Object.values(entries).map((entry) => {
      if (typeof entry === 'string') throw new InvalidInput(path, 'malformed');
      const value = entry[valueName] ?? '';
      return [entry[keyName], readForm(dialect, schema.getValueSchema(), value, path)];
    }),
  );
}

function readScalar(schema: NormalizedSchema, text: string, path: string): unknown {
  if (schema.isNumericSchema()) {
    const value = Number(text);
    if (text === '' || Number.isNaN(value)) throw new InvalidInput(path, 'malformed');
    return value;
  }
  if (schema.isBooleanSchema()) {
    // botocore writes `true`, people with curl write `True`; AWS takes both.
    const value = text.toLowerCase();
    if (value !== 'true' && value !== 'false') throw new InvalidInput(path, 'malformed');
    return value === 'true';
  }
  if (schema.isTimestampSchema()) {
    const value = new Date(text);
    if (Number.isNaN(value.getTime())) throw new InvalidInput(path, 'malformed');
    return value;
  }
  return schema.isBlobSchema() ? fromBase64(text) : text;
}
