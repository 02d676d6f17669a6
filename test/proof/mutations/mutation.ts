/** One rule that keeps the promise, deliberately broken: a check must tell. */
export interface Mutation {
  /** What holds, as a clause: `the tags stand before the detach`. */
  readonly rule: string;
  /** What would go wrong without it, as a sentence. */
  readonly harm: string;
  /** The name of its file, without folders; needed only where the same text stands in several. */
  readonly file?: string;
  /** The text of the rule, which stands there once, however it is broken into lines. */
  readonly find: string;
  readonly replace: string;
}

/** What became of one. */
export interface MutationResult extends Pick<Mutation, 'rule' | 'harm'> {
  /** Where it was broken, below the root of the repository. */
  readonly file: string;
  /** The test that failed first, and which invariant if it was one; undefined where nothing told. */
  readonly caughtBy: string | undefined;
  readonly seconds: number;
}
