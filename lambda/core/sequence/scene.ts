import { stageIn } from './line.ts';
import { type Placed, type Standings, standingsOf } from './members.ts';
import type { Allowance, LineState, Sequence, SequenceEvent, Stage } from './model.ts';

/** Everything that deciding about one line needs. */
export interface Scene {
  readonly sequence: Sequence;
  readonly placed: Placed;
  readonly allowances: ReadonlyMap<string, Allowance>;
  /** Of what changes now. */
  readonly generation: number;
  readonly line: string;
  readonly now: Date;
  readonly events: SequenceEvent[];
}

export function membersOf(
  stage: Stage,
  state: LineState,
  { sequence, placed, line, now }: Scene,
): Standings[] {
  const members = placed.byStage.get(stage.name) ?? [];
  return standingsOf(members, line, state, stageIn(state, stage.name), sequence.silentAfterHours, now);
}

export function overdueAt({ completeWithinHours }: Stage, since: Date): Date {
  return hoursAfter(since, completeWithinHours);
}

export function hoursAfter(at: Date, hours: number): Date {
  return new Date(at.getTime() + hours * 3_600_000);
}

export function isExpedited({ known }: LineState, release: string): boolean {
  return known.some(({ name, isExpedited: is }) => name === release && is);
}
