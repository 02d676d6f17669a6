import { keysOf, type Row, type Setting, TABLE, type Values } from './table.ts';

/** The settings that were given, as text. */
export type Texts = Readonly<Partial<Record<Setting, string>>>;

/** What faults call a setting: the name under which it was given. */
export type Naming = (setting: Setting) => string;

/** The texts that apply if none are given. */
export const DEFAULTS: Texts = Object.fromEntries(
  Object.entries<Row<unknown>>(TABLE).flatMap(([setting, row]) =>
    row.default === undefined ? [] : [[setting, row.default]],
  ),
);

/** The settings that a source has, trimmed. An empty one counts as not given. */
export function textsIn(
  source: Readonly<Record<string, string | undefined>>,
  settings: readonly Setting[],
  naming: Naming,
): Texts {
  const given = settings.map((setting) => [setting, source[naming(setting)]?.trim()] as const);
  return Object.fromEntries(given.filter(([, text]) => text));
}

/** Reads the texts. One that can't be read is left out. */
export function valuesIn(texts: Texts): Partial<Values> {
  const values: Partial<Values> = {};
  for (const setting of keysOf(texts)) put(values, TABLE, setting, texts[setting]);
  return values;
}

/**
 * The setting's name ties a value to its parser, which the compiler follows only through a type parameter.
 */
function put<S extends Setting>(
  values: { [Name in S]?: Values[Name] },
  rows: { readonly [Name in S]: Row<Values[Name]> },
  setting: S,
  text: string | undefined,
): void {
  const value = text === undefined ? undefined : rows[setting].parser.read(text);
  if (value !== undefined) values[setting] = value;
}

/** One sentence: what a setting was and what it may be. */
export function faultOf(name: string, was: string | undefined, may: string): string {
  return `${name} was "${was}"; ${may}`;
}

/** A sentence for each setting that can't be read. */
export function malformed(texts: Texts, naming: Naming): string[] {
  const values = valuesIn(texts);
  return keysOf(TABLE)
    .filter((setting) => setting in texts && !(setting in values))
    .map((setting) => faultOf(naming(setting), texts[setting], `it may be ${TABLE[setting].parser.may}`));
}
