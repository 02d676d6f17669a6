/** What has been told of a roll on the event bus, as its group's tag says. */
export interface Told {
  /** What is told only once. */
  readonly milestones: readonly Milestone[];
  /** Since when a batch that has been seen, and isn't done yet, is in hand. */
  readonly batchSince?: Date;
  /** What the roll was last told to be stopped by, until it was told to go on. */
  readonly stop?: Stop;
  /** How often it was told to be stopped, or to go on: it tells one stop from the next. */
  readonly turns: number;
  /** Images that its members ran when it began; members that are gone no longer tell. */
  readonly from: readonly string[];
}

export const MILESTONES = ['announced', 'begun', 'trial-passed', 'aborting', 'rolling-back'] as const;
export type Milestone = (typeof MILESTONES)[number];

/** Why nothing more happens. */
export interface Stop {
  readonly kind: 'held' | 'blocked';
  /** Of the decision's reason. */
  readonly code: string;
}

export const NOTHING_TOLD: Told = { milestones: [], turns: 0, from: [] };
