export interface Range {
  readonly least: number;
  readonly most: number;
}

/** What a roll takes, as far as it can be told before it begins. */
export interface Forecast {
  readonly seconds: Range;
  /** Of instances beyond those that the group has before and after. */
  readonly instanceHours: Range;
}
