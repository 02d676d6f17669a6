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

/** Throws `InvalidInput` where a key comes twice. */
export function parseForm(body: string): { [key: string]: FormNode } {
  // Without a prototype, so that no key of a request can be mistaken for a method.
  const form: { [key: string]: FormNode } = Object.create(null);
  for (const pair of body.split('&')) {
    const [key = '', ...value] = pair.split('=').map(decoded);
    if (key) insert(form, key, value.join('='));
  }
  return form;
}

const decoded = (text: string) => decodeURIComponent(text.replaceAll('+', '%20'));

function insert(form: { [key: string]: FormNode }, key: string, value: string): void {
  const path = key.split('.');
  let branch = form;
  for (const step of path.slice(0, -1)) {
    const next = branch[step] ?? Object.create(null);
    if (typeof next === 'string') throw new InvalidInput(key, 'malformed');
    branch[step] = next;
    branch = next;
  }
  const last = path.at(-1) ?? '';
  if (branch[last] !== undefined) throw new InvalidInput(key, 'malformed');
  branch[last] = value;
}

/**
 * The SDK's input shape from a form.
 * @param path the key of `node`
 * @throws InvalidInput for a number, boolean or time that isn't one, and for any key that has no place in the
 * shape
 */
export function readForm(dialect: FormDialect, schema: NormalizedSchema, node: FormNode, path = ''): unknown {
  if (schema.isStructSchema()) return readStructure(dialect, schema, branchesOf(node, path), path);
  if (schema.isListSchema()) return readList(dialect, schema, branchesOf(node, path), path);
  if (schema.isMapSchema()) return readMap(dialect, schema, branchesOf(node, path), path);
  if (typeof node !== 'string') throw new InvalidInput(path, 'malformed');
  return readScalar(schema, node, path);
}

type Branches = Readonly<Record<string, FormNode>>;

/** An empty list, structure or map is an empty value to awsQuery; ec2Query leaves it out. */
function branchesOf(node: FormNode, path: string): Branches {
  if (node === '') return {};
  if (typeof node === 'string') throw new InvalidInput(path, 'malformed');
  return node;
}

/** Throws `InvalidInput` at the first branch by a key that isn't `known`. */
export function demandKeys(node: Branches, known: (key: string) => boolean, path = ''): void {
  const stray = Object.keys(node).find((key) => !known(key));
  if (stray !== undefined) throw new InvalidInput(within(path, stray), 'unknown');
}

const within = (path: string, key: string) => (path ? `${path}.${key}` : key);

function readStructure(dialect: FormDialect, schema: NormalizedSchema, node: Branches, path: string): object {
  const value: { [member: string]: unknown } = {};
  const known = new Set<string>();
  for (const member of membersOf(schema)) {
    const key = dialect.memberKey(member.name, member.schema);
    known.add(key);
    const inner = node[key];
    if (inner !== undefined) value[member.name] = readForm(dialect, member.schema, inner, within(path, key));
  }
  demandKeys(node, (key) => known.has(key), path);
  return value;
}

function readList(dialect: FormDialect, schema: NormalizedSchema, node: Branches, path: string): unknown[] {
  const item = schema.getValueSchema();
  const flat = dialect.flatLists || schema.getMergedTraits().xmlFlattened;
  const [items, itemsPath] = flat
    ? [node, path]
    : wrapped(node, item.getMergedTraits().xmlName ?? 'member', path);
  demandKeys(items, isPosition, itemsPath);
  // Keys that are whole numbers come in their order, whatever the request's was.
  return Object.entries(items).map(([key, inner]) => readForm(dialect, item, inner, within(itemsPath, key)));
}

const isPosition = (key: string) => /^\d+$/.test(key);

function readMap(dialect: FormDialect, schema: NormalizedSchema, node: Branches, path: string): object {
  const [entries, entriesPath] = wrapped(node, 'entry', path);
  const keyName = schema.getKeySchema().getMergedTraits().xmlName ?? 'key';
  const valueName = schema.getValueSchema().getMergedTraits().xmlName ?? 'value';
  return Object.fromEntries(
    Object.entries(entries).map(([position, entry]) => {
      const entryPath = within(entriesPath, position);
      const branches = branchesOf(entry, entryPath);
      demandKeys(branches, (key) => key === keyName || key === valueName, entryPath);
      const value = readForm(dialect, schema.getValueSchema(), branches[valueName] ?? '', entryPath);
      return [branches[keyName], value];
    }),
  );
}

/** The items, or entries, that a key of their own leads to. */
function wrapped(node: Branches, name: string, path: string): readonly [Branches, string] {
  demandKeys(node, (key) => key === name, path);
  const inner = node[name];
  return inner === undefined ? [{}, path] : [branchesOf(inner, within(path, name)), within(path, name)];
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
