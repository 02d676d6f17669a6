import type { Foreseen } from './foreseen.ts';

/** Everything that core knows of one kind of action, beside its data. What it does to AWS stands in `act/`. */
export interface Definition<Action> {
  /** What it is called, as a sentence: plans, logs and tests show this. */
  readonly describe: (action: Action) => string;
  /** The observation once it has taken effect, as far as the next decision asks; left out where that asks for none of it. */
  readonly foresee?: (observation: Foreseen, action: Action) => Foreseen;
  /** It changes nothing but what is written down, and may be done to any group at any time. */
  readonly onlyRecords?: true;
  /**
   * Ids of the instances that it ends. None where it is only a step on the way there, as a drain is; undefined where it is no
   * step of an ending at all.
   */
  readonly ends?: (action: Action, observation: Foreseen) => readonly string[] | undefined;
}

/** Definitions by kind, for the data that each kind has. */
export type Definitions<Data> = {
  readonly [Kind in keyof Data]: Definition<{ readonly kind: Kind } & Data[Kind]>;
};
