import { allowancesFrom } from './allowances.ts';
import { haltSiblings, haltsBetween, judge } from './halts.ts';
import { learnLines, linesTold } from './learn.ts';
import { isHalted, stageIn, withStage } from './line.ts';
import { place } from './members.ts';
import type {
  Allowance,
  LineState,
  MemberName,
  Sequence,
  SequenceEvent,
  SequenceSeen,
  SequenceState,
  Stage,
  StageState,
} from './model.ts';
import { withinRoom } from './room.ts';
import { membersOf, type Scene } from './scene.ts';
import { type RefusedOrder, takeSequenceOrders } from './sequence-orders.ts';
import { grantSlots } from './slots.ts';
import { settle, starve } from './stage.ts';
import { type StageView, viewsOf } from './views.ts';

export interface Advanced {
  readonly state: SequenceState;
  /** Of every member that is named, by its key; the generation of one that changes is raised. */
  readonly allowances: ReadonlyMap<string, Allowance>;
  readonly events: readonly SequenceEvent[];
  readonly views: readonly StageView[];
  readonly refused: readonly RefusedOrder[];
  /** They speak, and no stage names them. */
  readonly strangers: readonly MemberName[];
  /** Lines that members tell of, and that there is no room to remember: nothing is allowed in them. */
  readonly crowdedOut: readonly string[];
}

/**
 * Decides what may be rolled where. It is pure, and level-triggered: what it is told is what is in the table
 * now, so that a killed pass, a second one at once or a day asleep change nothing but when it comes.
 *
 * A release goes through the stages in order. In each it
 *
 *   1. is taken once the stage before has qualified it, and the stage has finished with what it took before;
 *   2. is allowed to a few members at once, to whoever can begin;
 *   3. is complete once nobody is left who could roll it, or the time for that is over;
 *   4. soaks, and is qualified for the next stage.
 *
 * Once more members fail than the stage tolerates, it is halted everywhere.
 */
export function advance(sequence: Sequence, seen: SequenceSeen, now: Date): Advanced {
  const stageNames = sequence.stages.map(({ name }) => name);
  const { state: ordered, refused } = takeSequenceOrders(seen.state, seen.orders, stageNames, now);
  const placed = place(sequence, ordered, seen.statuses);
  const events: SequenceEvent[] = haltsBetween(seen.state, ordered);
  const { allowances, generation } = seen;
  const common = { sequence, placed, allowances, generation, now, events };
  const sceneOf = (line: string): Scene => ({ ...common, line });
  const learnt = learnLines(ordered, placed, now);
  const judged = learnt.map(([line, state]) => [line, judge(state, sceneOf(line))] as const);
  const halted = sequence.haltsSiblings ? haltSiblings(judged, common) : judged;
  const advanced = halted.map(([line, state]) => [line, advanceLine(state, sceneOf(line))] as const);
  const remembered = [...withinRoom(advanced)].sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = new Map(remembered);
  return {
    state: { ...ordered, lines },
    allowances: allowancesFrom(lines, common),
    // What isn't remembered would be told again and again.
    events: events.filter(({ line }) => lines.has(line)),
    views: remembered.flatMap(([line, state]) => viewsOf(state, sceneOf(line))),
    refused,
    strangers: placed.strangers,
    crowdedOut: linesTold(placed).filter((line) => !lines.has(line)),
  };
}

function advanceLine(before: LineState, scene: Scene): LineState {
  let line = before;
  scene.sequence.stages.forEach((stage, index) => {
    line = settle(line, stage, scene.sequence.stages[index - 1], scene);
    if (index === 0) line = starve(line, stage, scene);
    line = withStage(line, stage.name, grant(line, stage, scene));
  });
  return line;
}

function grant(line: LineState, stage: Stage, scene: Scene): StageState {
  const state = stageIn(line, stage.name);
  const isOver = state.release === undefined || isHalted(line, state.release);
  const members = membersOf(stage, line, scene);
  return { ...state, slots: grantSlots({ ...scene, stage, state, members, isOver }) };
}
