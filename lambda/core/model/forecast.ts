export interface Range {
  readonly least: number;
  readonly most: number;
}

/** What a roll takes, as far as it can be told before it begins. */
export interface Forecast {
  readonly seconds: Range;
  /** What it would take with `DRAIN_CONCURRENCY=auto`, where that saves a third or more. */
  readonly autoSeconds?: Range;
  /** Of instances beyond those that the group has before and after. */
  readonly instanceHours: Range;
  /** What waits for windows beside that; absent if nothing does. */
  readonly waits?: WindowWaits;
}

/** How long the group's windows are open, and from one opening to the next. */
export interface Openings {
  readonly seconds: number;
  readonly everySeconds: number;
}

export interface WindowWaits {
  /** How long one is open. */
  readonly windowSeconds: number;
  /** How many more it takes. */
  readonly windows: number;
  /** Of replacements, as long as the old instances wait for their turn. */
  readonly instanceHours: number;
}
