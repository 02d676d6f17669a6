import type { FaultCounts } from './fault-counts.ts';
import type { Weather } from './weather.ts';

/** The parts of the proof that play rolls. */
export const SECTIONS = ['sweep', 'storm', 'groups', 'interleavings'] as const;
export type Section = (typeof SECTIONS)[number];

/** The result of one roll. */
export interface RollOutcome {
  readonly section: Section;
  /** Of the scenario, or of the kind of group, with all that was drawn of a random one. */
  readonly name: string;
  /** What `--replay` takes to play it again. */
  readonly replay: string;
  readonly weathers: readonly Weather[];
  /** How often each thing happened to it. */
  readonly faults: FaultCounts;
  /** Such as `completed`. */
  readonly endedIn: string;
  /** Checks of invariants that were made. */
  readonly checked: number;
  /** A sentence each; empty if everything held. */
  readonly broken: readonly string[];
  /** Everything that happened, a line each. */
  readonly log: readonly string[];
}

/** How the last of its rolls ended; `nothing` if none did. */
export const lastEnding = (endings: readonly string[]) => endings.at(-1) ?? 'nothing';
