/** A table of reasons: each code with its sentence, whose parameter is what the reason tells. */
type Sentences = Readonly<Record<string, (it: never) => string>>;

type Facts<Sentence> = Sentence extends (it: infer It) => string
  ? unknown extends It
    ? unknown
    : Readonly<It>
  : never;

/** A reason of a table as data: its code, and what its sentence tells. */
export type ReasonOf<Table, Code extends keyof Table = keyof Table, Key extends string = 'code'> = {
  [Each in Code]: { readonly [Name in Key]: Each } & Facts<Table[Each]>;
}[Code];

/** The same where the code is called a kind. */
export type KindOf<Table, Kind extends keyof Table = keyof Table> = ReasonOf<Table, Kind, 'kind'>;

/** The sentence that a table has for a code. */
export function say<Table extends Sentences, Code extends keyof Table>(
  table: Table,
  code: Code,
  it: Facts<Table[Code]>,
): string {
  const sentence = table[code] as (it: unknown) => string;
  return sentence(it);
}
