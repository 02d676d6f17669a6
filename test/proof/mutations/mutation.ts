/** One rule behind our promise, deliberately broken: a check must notice. */
export interface Mutation {
  /** What holds, as a clause: `the tags are written before the detach`. */
  readonly rule: string;
  /** What would go wrong without it, as a sentence. */
  readonly harm: string;
  /** Its file's name, without folders; needed only if the same text occurs in several. */
  readonly file?: string;
  /** The rule's text, which occurs there once, however its lines are broken. */
  readonly find: string;
  readonly replace: string;
}

/** The result for one of them. */
export interface MutationResult extends Pick<Mutation, 'rule' | 'harm'> {
  /** Where it was broken, below the root of the repository. */
  readonly file: string;
  /** The test that failed first, and the invariant if it was one; undefined if nothing noticed. */
  readonly caughtBy: string | undefined;
  /** That test's file; undefined too where all came to no end. */
  readonly test: string | undefined;
  /** Of the ladder, where that test ran. */
  readonly stage: string | undefined;
  readonly seconds: number;
}
