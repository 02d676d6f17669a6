import type { FaultCounts } from './fault-counts.ts';
import type { Weather } from './weather.ts';

/** The parts of the proof in which rolls are made. */
export const SECTIONS = ['sweep', 'storm', 'interleavings'] as const;
export type Section = (typeof SECTIONS)[number];

/** What one roll came to. */
export interface RollOutcome {
  readonly section: Section;
  /** Of the scenario, or of the kind of group. */
  readonly name: string;
  /** What `--replay` takes to do it once more. */
  readonly replay: string;
  readonly weathers: readonly Weather[];
  /** How often something befell it. */
  readonly faults: FaultCounts;
  /** Such as `completed`. */
  readonly endedIn: string;
  /** Checks of invariants that were made. */
  readonly checked: number;
  /** A sentence each; nothing when all held. */
  readonly broken: readonly string[];
  /** Everything that happened, a line each. */
  readonly log: readonly string[];
}

/** What the last of its rolls ended in; `nothing` where none did. */
export const lastEnding = (endings: readonly string[]) => endings.at(-1) ?? 'nothing';
