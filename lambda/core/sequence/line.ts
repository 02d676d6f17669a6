import { cut } from '../text/events.ts';
import { type Halt, type LineState, NEW_STAGE, type StageState } from './model.ts';

export const NEW_LINE: LineState = { known: [], halts: [], stages: new Map() };

export function stageIn({ stages }: LineState, name: string): StageState {
  return stages.get(name) ?? NEW_STAGE;
}

export function withStage(line: LineState, name: string, stage: StageState): LineState {
  return { ...line, stages: new Map(line.stages).set(name, stage) };
}

export function isHalted({ halts }: Pick<LineState, 'halts'>, release: string): boolean {
  return halts.some((each) => each.release === release);
}

/** A member's own words are in it, which may be long: what is remembered must be readable again. */
const LONGEST_WHY = 500;

export function halt(line: LineState, halts: readonly Halt[]): LineState {
  const names = halts.map(({ release }) => release);
  const cutOff = halts.map((each) => ({ ...each, why: cut(each.why, LONGEST_WHY) }));
  return { ...line, halts: [...line.halts.filter(({ release }) => !names.includes(release)), ...cutOff] };
}

export function isKnown({ known }: LineState, release: string): boolean {
  return known.some(({ name }) => name === release);
}
