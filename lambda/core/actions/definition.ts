import type { Foreseen } from './foreseen.ts';

/** Everything the core knows of one kind of action except its data. `act/` has what it does to AWS. */
export interface Definition<Action> {
  /** The action as a sentence, for plans, logs and tests. */
  readonly describe: (action: Action) => string;
  /**
   * The observation once it has taken effect, as far as the next decision needs it; absent if it needs
   * nothing.
   */
  readonly foresee?: (observation: Foreseen, action: Action) => Foreseen;
  /** It changes only our records, and may be done to any group at any time. */
  readonly onlyRecords?: true;
  /** It begins something that takes AWS seconds at least: looking again at once would show nothing. */
  readonly takesTime?: true;
  /**
   * Ids of the instances it ends. Empty if it is only a step towards that, such as a drain; undefined if it
   * ends nothing.
   */
  readonly ends?: (action: Action, observation: Foreseen) => readonly string[] | undefined;
}

/** Definitions by kind, for the data that each kind has. */
export type Definitions<Data> = {
  readonly [Kind in keyof Data]: Definition<{ readonly kind: Kind } & Data[Kind]>;
};
