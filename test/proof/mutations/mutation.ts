/** One rule that keeps the promise, deliberately broken: a check must tell. */
export interface Mutation {
  /** What holds, as a clause: `the tags stand before the detach`. */
  readonly rule: string;
  /** What would go wrong without it, as a sentence. */
  readonly harm: string;
  /** Below the root of the repository. */
  readonly file: string;
  /** The very text of the rule, which stands there once. */
  readonly find: string;
  readonly replace: string;
}

/** What became of one. */
export interface MutationResult extends Pick<Mutation, 'rule' | 'harm' | 'file'> {
  /** The test that failed first, and which invariant if it was one; undefined where nothing told. */
  readonly caughtBy: string | undefined;
  readonly seconds: number;
}

/**
 * The source with its rule broken.
 *
 * @throws Error when the text doesn't stand there exactly once: the table must follow the code
 */
export function mutate(source: string, { rule, file, find, replace }: Mutation): string {
  const count = source.split(find).length - 1;
  if (count !== 1) throw new Error(`${file} has the text of the rule "${rule}" ${count} times, not once`);
  return source.replace(find, () => replace);
}
