/** A line of a log group. */
export interface KeptLine {
  readonly message: string;
  /** When CloudWatch Logs took it in, in ms. Whoever writes a line sets its timestamp, but not this. */
  readonly ingestedAt: number;
}
