import { cut } from '../text/events.ts';
import { isOneOf, type Standings, whyInVain } from './members.ts';
import { memberKey, type Slot, type Stage, type StageState } from './model.ts';
import type { Scene } from './scene.ts';

/** What is remembered of a stage has an end: see `room.ts`. */
const MOST_PASSED_OVER = 200;
const LONGEST_WHY = 100;

/** One stage of a line, whose members take turns. */
interface Turns extends Scene {
  readonly stage: Stage;
  readonly state: StageState;
  readonly members: readonly Standings[];
  /** Nothing more begins: there is no release, or it is halted. */
  readonly isOver: boolean;
}

/**
 * Gives slots to members that can begin, and takes those back that aren't used; one that could begin, and
 * hasn't for `silentAfterHours`, lets others go first. One that is taken back counts
 * until its member has read so: it may have begun meanwhile. Whoever had one in vain goes last.
 */
export function grantSlots(turns: Turns): ReadonlyMap<string, Slot> {
  const { stage, members, isOver, now } = turns;
  const slots = keptSlots(turns);
  if (isOver) return slots;
  const failed = members.filter(({ standing }) => standing === 'failed').length;
  const limit = Math.min(stage.maxConcurrent, stage.tolerate + 1 - failed);
  const holds = (each: Standings) =>
    counts(slots.get(keyOf(each))) || each.status.lines.get(turns.line)?.rolling !== undefined;
  const holders = members.filter(holds);
  const regions = new Set(holders.map(({ status }) => status.member.region));
  let left = limit - holders.length;
  for (const each of inTurn(turns, slots)) {
    if (left <= 0) break;
    const { region } = each.status.member;
    if (stage.apart === 'region' && regions.size > 0 && !regions.has(region)) continue;
    const why = whyInVain(slots.get(keyOf(each)));
    slots.set(keyOf(each), { since: now, ...(why !== undefined && { why }) });
    regions.add(region);
    left--;
  }
  return withoutOldest(slots);
}

const keyOf = ({ status }: Standings) => memberKey(status.member);

/** Whether the member may begin, or may have begun. */
export function counts(slot: Slot | undefined): boolean {
  return slot !== undefined && slot.passedOver === undefined;
}

/** For another release all are asked anew. */
export function openSlots(slots: ReadonlyMap<string, Slot>): ReadonlyMap<string, Slot> {
  return new Map([...slots].filter(([, slot]) => counts(slot)));
}

/** Those that go first, as long as one of them is left; then all others; last who had a slot in vain. */
function inTurn(
  { stage: { first = [] }, members }: Turns,
  slots: ReadonlyMap<string, Slot>,
): readonly Standings[] {
  const triedAt = (each: Standings) => {
    const { passedOver, since } = slots.get(keyOf(each)) ?? {};
    return passedOver === undefined ? 0 : (since?.getTime() ?? 0);
  };
  const waiting = members
    .filter((each) => each.standing === 'ready' && !counts(slots.get(keyOf(each))))
    .sort((a, b) => triedAt(a) - triedAt(b));
  const goesFirst = ({ status }: Standings) => isOneOf(status.member.stack, first);
  const isLeft = members.some(
    (each) =>
      goesFirst(each) &&
      (each.standing === 'rolling' ||
        (each.standing === 'ready' && whyInVain(slots.get(keyOf(each))) === undefined)),
  );
  return isLeft ? waiting.filter(goesFirst) : waiting;
}

function keptSlots(turns: Turns): Map<string, Slot> {
  const byKey = new Map(turns.members.map((each) => [keyOf(each), each]));
  return new Map(
    [...turns.state.slots].flatMap(([key, slot]) => {
      // Who isn't found has gone, or is left out.
      const member = byKey.get(key);
      const kept = member && keptSlot(slot, member, turns);
      return kept === undefined ? [] : [[key, kept] as const];
    }),
  );
}

/** @returns undefined if there is nothing to remember of it any more */
function keptSlot(slot: Slot, member: Standings, turns: Turns): Slot | undefined {
  const { standing, status } = member;
  if (status.lines.get(turns.line)?.rolling !== undefined) return counts(slot) ? slot : undefined;
  if (standing === 'done' || standing === 'failed') return undefined;
  if (!counts(slot)) return turns.isOver ? undefined : slot;
  if (slot.withdrawnBy === undefined) return withdrawn(slot, member, turns);
  if (status.generation < slot.withdrawnBy) return slot;
  return turns.isOver || slot.why === undefined
    ? undefined
    : { since: turns.now, withdrawnBy: slot.withdrawnBy, passedOver: slot.why };
}

/** Takes it back if it isn't used. */
function withdrawn(slot: Slot, member: Standings, turns: Turns): Slot {
  const { isOver, generation: withdrawnBy, sequence } = turns;
  const { standing, why = '' } = member;
  if (isOver) return { ...slot, withdrawnBy };
  if (standing !== 'ready') return { ...slot, withdrawnBy, why: cut(why, LONGEST_WHY) };
  return keepsOthers(slot, member, turns)
    ? { ...slot, withdrawnBy, why: `has not begun for ${sequence.silentAfterHours} hours` }
    : slot;
}

/**
 * It says that it can begin, and doesn't: whatever the reason is, others may. One that has announced its roll
 * has as long as its stage.
 */
function keepsOthers(slot: Slot, { status }: Standings, turns: Turns): boolean {
  const { stage, line, members, now, sequence, state } = turns;
  const { beginsAt = slot.since } = status.lines.get(line) ?? {};
  const last = slot.since.getTime() + stage.completeWithinHours * 3_600_000;
  const since = Math.max(slot.since.getTime(), Math.min(beginsAt.getTime(), last));
  const isWaiting = ({ standing, status: { member } }: Standings) =>
    standing === 'ready' && !counts(state.slots.get(memberKey(member)));
  return now.getTime() - since > sequence.silentAfterHours * 3_600_000 && members.some(isWaiting);
}

function withoutOldest(slots: ReadonlyMap<string, Slot>): ReadonlyMap<string, Slot> {
  const passed = [...slots]
    .filter(([, slot]) => !counts(slot))
    .sort(([, a], [, b]) => a.since.getTime() - b.since.getTime());
  const forgotten = new Set(
    passed.slice(0, Math.max(0, passed.length - MOST_PASSED_OVER)).map(([key]) => key),
  );
  return new Map([...slots].filter(([key]) => !forgotten.has(key)));
}
