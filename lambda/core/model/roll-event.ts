import type { ServicesHealth } from './services-health.ts';

/** A change of a roll's state. */
export type RollEventKind =
  | 'announced'
  | 'begun'
  | 'trial-passed'
  | 'batch-done'
  | 'held'
  | 'blocked'
  | 'continued'
  | 'aborting'
  | 'rolling-back'
  | 'completed'
  | 'aborted'
  | 'rolled-back';

/** What goes to the event bus; docs/events.schema.json describes it to others. All times are ISO 8601. */
export interface RollEvent {
  readonly version: '1';
  /** The same however often it is published: by it doubles are told. It is sealed when it is published. */
  readonly id: string;
  readonly kind: RollEventKind;
  readonly at: string;
  readonly cluster: string;
  readonly group: string;
  /** When the roll began; absent before. */
  readonly startedAt?: string;
  /** Seconds since then. */
  readonly seconds?: number;
  readonly images: { readonly from: readonly string[]; readonly to: readonly string[] };
  /** `reason` as a code for programs. */
  readonly code: string;
  readonly reason: string;
  /** Why the roll stopped, if it goes back or is aborted. */
  readonly because?: string;
  readonly counts: RollEventCounts;
  /** How the services of the cluster fare; absent where they weren't read. */
  readonly services?: ServicesHealth;
  readonly instances: readonly RollEventInstance[];
  /** Instances beyond those that are listed. */
  readonly instancesLeftOut: number;
  /** One line for a person. */
  readonly text: string;
  readonly chat: ChatNotification;
}

export interface RollEventCounts {
  /** Members still to be replaced. */
  readonly outdated: number;
  /** Old instances that are detached and still run. */
  readonly detached: number;
  /** Members that the roll launched. */
  readonly replaced: number;
  /** Members of the group. */
  readonly total: number;
}

/** What was known of an instance then. */
export interface RollEventInstance {
  readonly instanceId: string;
  readonly imageId: string;
  /** Whether it is replaced, or is a replacement. */
  readonly role: 'old' | 'new';
  readonly launchedAt: string;
  readonly detachStartedAt?: string;
  readonly drainStartedAt?: string;
  readonly drainGivenUpAt?: string;
}

/** As Amazon Q Developer in chat applications takes it, to post it to Slack or Teams. */
export interface ChatNotification {
  readonly version: '1.0';
  readonly source: 'custom';
  readonly id: string;
  readonly content: {
    readonly textType: 'client-markdown';
    readonly title: string;
    readonly description: string;
  };
  readonly metadata: {
    /** Those of one roll come in one thread. */
    readonly threadId: string;
    readonly summary: string;
    readonly eventType: string;
  };
}

/** A line of the log group that keeps events. */
export interface KeptLine {
  readonly message: string;
  /** When CloudWatch Logs took it in, in ms. Whoever writes a line sets its timestamp, but not this. */
  readonly ingestedAt: number;
}
