import { halt, isHalted, isKnown, withStage } from './line.ts';
import {
  type Halt,
  type LineOrder,
  type LineState,
  memberKey,
  type SequenceOrder,
  type SequenceState,
  type StageState,
} from './model.ts';
import { isNewer } from './release.ts';
import { openSlots } from './slots.ts';

/** An order that could not be taken, and why. */
export interface RefusedOrder {
  readonly order: SequenceOrder;
  readonly why: string;
}

export interface TakenOrders {
  readonly state: SequenceState;
  readonly refused: readonly RefusedOrder[];
}

/** Takes each order once, in the order of their times, whoever reads the table how often. */
export function takeSequenceOrders(
  state: SequenceState,
  orders: readonly SequenceOrder[],
  stageNames: readonly string[],
  now: Date,
): TakenOrders {
  const open = orders.filter(({ id }) => !state.taken.includes(id)).sort(byTime);
  const refused: RefusedOrder[] = [];
  let next = state;
  for (const order of open) {
    const taken = take(next, order, stageNames, now);
    if (typeof taken === 'string') refused.push({ order, why: taken });
    else next = taken;
  }
  // An order whose item is gone can't be taken again.
  return { state: { ...next, taken: orders.map(({ id }) => id).sort() }, refused };
}

function byTime(a: SequenceOrder, b: SequenceOrder): number {
  return a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1);
}

/** @returns the state that follows, or why the order can't be taken */
function take(
  state: SequenceState,
  order: SequenceOrder,
  stageNames: readonly string[],
  now: Date,
): SequenceState | string {
  if ('member' in order) {
    const key = memberKey(order.member);
    const others = state.leftOut.filter((each) => each !== key);
    return { ...state, leftOut: order.kind === 'leave-out' ? [...others, key] : others };
  }
  if ('stage' in order && !stageNames.includes(order.stage)) return `there is no stage ${order.stage}`;
  const lines = new Map(state.lines);
  let isMeant = false;
  for (const [line, before] of state.lines) {
    if (order.line !== undefined && order.line !== line) continue;
    const after = takeInLine(before, order, now);
    if (after === undefined) continue;
    isMeant = true;
    lines.set(line, after);
  }
  return isMeant ? { ...state, lines } : 'no line has what it names';
}

/** @returns undefined if the line has nothing that the order could mean */
function takeInLine(line: LineState, order: LineOrder, now: Date): LineState | undefined {
  switch (order.kind) {
    case 'halt': {
      const releases = order.release === undefined ? underWay(line) : [order.release];
      const meant = releases.filter((each) => isKnown(line, each));
      const why = `${order.by} says so`;
      const isNow = order.isNow && { isNow: order.isNow };
      const halted = meant.map((release): Halt => ({ release, at: now, why, ...isNow }));
      return halted.length === 0 ? undefined : halt(line, halted);
    }
    case 'resume': {
      const { release } = order;
      if (!isHalted(line, release)) return undefined;
      const halts = line.halts.filter((each) => each.release !== release);
      const forgiven = inStages(line, (stage) =>
        stage.release === release ? { ...stage, forgivenAt: now } : stage,
      );
      return { ...forgiven, halts };
    }
    case 'expedite': {
      if (!isKnown(line, order.release)) return undefined;
      const known = line.known.map((each) =>
        each.name === order.release ? ({ ...each, isExpedited: true } as const) : each,
      );
      return { ...line, known };
    }
    case 'skip-soak': {
      const stage = line.stages.get(order.stage);
      if (stage?.completedAt === undefined || stage.qualified === stage.release) return undefined;
      return withStage(line, order.stage, { ...stage, skipsSoak: true });
    }
    case 'approve': {
      const stage = line.stages.get(order.stage);
      if (stage?.asked !== order.release) return undefined;
      return withStage(line, order.stage, { ...stage, approved: order.release });
    }
    case 'revert':
      return revert(line, order.stage, order.release, order.by, now);
  }
}

/** The stage goes back to the release; what it took since is halted, or it would come again at once. */
function revert(
  line: LineState,
  stageName: string,
  release: string,
  by: string,
  now: Date,
): LineState | undefined {
  const stage = line.stages.get(stageName);
  if (stage?.release === undefined || stage.release === release || !isKnown(line, release)) return undefined;
  // Forward a release goes stage by stage, whoever orders it.
  if (isNewer(release, stage.release, line.known)) return undefined;
  const left = [...new Set([stage.release, ...(stage.qualified === undefined ? [] : [stage.qualified])])];
  const halts = left
    .filter((each) => each !== release)
    .map((each) => ({ release: each, at: now, why: `${by} has ${stageName} go back` }));
  const back: StageState = { release, since: now, isBack: true, slots: openSlots(stage.slots) };
  return withStage(halt({ ...line, halts: unhalted(line, release) }, halts), stageName, back);
}

function unhalted({ halts }: LineState, release: string): readonly Halt[] {
  return halts.filter((each) => each.release !== release);
}

/** What some stage takes that isn't through it. */
function underWay({ stages }: LineState): string[] {
  const open = [...stages.values()].filter(({ release, qualified }) => release !== qualified);
  return [...new Set(open.flatMap(({ release }) => release ?? []))];
}

function inStages(line: LineState, change: (stage: StageState) => StageState): LineState {
  return { ...line, stages: new Map([...line.stages].map(([name, stage]) => [name, change(stage)])) };
}
