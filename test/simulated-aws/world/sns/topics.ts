/** A standard topic, and what was published to it, first to last. */
export interface Topic {
  readonly arn: string;
  /** As JSON. Default: what a new topic has. */
  readonly policy?: string;
  readonly notifications: Notification[];
  /** Are told at once. */
  readonly subscribers: ((notification: Notification) => void)[];
}

/** A message as subscribers get it, apart from its envelope. */
export interface Notification {
  readonly id: string;
  readonly atMs: number;
  readonly subject?: string;
  readonly message: string;
}
