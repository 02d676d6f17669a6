export interface Range {
  readonly least: number;
  readonly most: number;
}

/** What a roll takes, as far as it can be told before it begins. */
export interface Forecast {
  readonly seconds: Range;
  /** What it would take with `DRAIN_CONCURRENCY=auto`, where that is half of it or less. */
  readonly autoSeconds?: Range;
  /** Of instances beyond those that the group has before and after. */
  readonly instanceHours: Range;
}
