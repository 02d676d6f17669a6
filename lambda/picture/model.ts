/** A roll as its picture shows it. Times are seconds since it began. */
export interface RollPicture {
  readonly cluster: string;
  readonly group: string;
  /** What to know of it, each with its label. */
  readonly facts: readonly (readonly [label: string, text: string])[];
  /** How long the picture's time is. */
  readonly seconds: number;
  /** What the roll waits for now, as a sentence; absent once it is over. */
  readonly waitsFor?: string;
  readonly services: readonly ServiceCourse[];
  readonly instances: readonly InstanceCourse[];
  readonly moments: readonly Moment[];
}

/** How many healthy tasks a service had. */
export interface ServiceCourse {
  readonly name: string;
  readonly desired: number;
  /** It must never have fewer. */
  readonly least: number;
  /** Each holds until the next. */
  readonly points: readonly { readonly at: number; readonly healthy: number }[];
}

export interface InstanceCourse {
  readonly instanceId: string;
  /** It was there before the roll. */
  readonly isOld: boolean;
  /** One after the other; where none is, the instance is gone or not there yet. */
  readonly stretches: readonly Stretch[];
}

/** What an instance does for a while. */
export interface Stretch {
  readonly phase: InstancePhase;
  readonly from: number;
  readonly to: number;
}

export const INSTANCE_PHASES = ['launched', 'registered', 'serving', 'draining'] as const;
export type InstancePhase = (typeof INSTANCE_PHASES)[number];

/** Something that happened to the whole roll. */
export interface Moment {
  readonly at: number;
  readonly text: string;
  readonly isTrouble: boolean;
}
