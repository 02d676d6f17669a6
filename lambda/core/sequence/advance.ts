import type { Allowed } from '../model/permit.ts';
import { isOneOf, type Placed, place, type Standings, standingsOf } from './members.ts';
import {
  type Allowance,
  type KnownRelease,
  type LineState,
  type MemberName,
  type MemberStatus,
  memberKey,
  type Sequence,
  type SequenceSeen,
  type SequenceState,
  type Slot,
  type Stage,
  type StageState,
} from './model.ts';
import { isNewer, isSibling } from './release.ts';
import {
  halt,
  isHalted,
  NEW_LINE,
  type RefusedOrder,
  stageIn,
  takeOrders,
  withStage,
} from './take-orders.ts';

/** How a stage stands to the release that it takes, and what it waits for: somebody reads it. */
export interface StageView {
  readonly line: string;
  readonly stage: string;
  readonly release?: string;
  readonly phase: 'idle' | 'asking' | 'rolling' | 'soaking' | 'qualified' | 'halted';
  /** Who or what is waited for; empty where nothing is. */
  readonly waitsFor: string;
  /** When it goes on by itself, whoever is waited for. */
  readonly until?: Date;
  /** It is the first, and has got nothing through for too long. */
  readonly isStarved?: true;
  readonly members: readonly Standings[];
}

export type SequenceEvent =
  | {
      readonly kind:
        | 'ApprovalAwaited'
        | 'StageBegan'
        | 'StageCompleted'
        | 'ReleaseQualified'
        | 'StageStarved';
      readonly line: string;
      readonly stage: string;
      readonly release: string;
    }
  | {
      readonly kind: 'ReleaseHalted';
      readonly line: string;
      readonly stage?: string;
      readonly release: string;
      readonly why: string;
    };

export interface Advanced {
  readonly state: SequenceState;
  /** Of every member that is named, by its key; the generation of one that changes is raised. */
  readonly allowances: ReadonlyMap<string, Allowance>;
  readonly events: readonly SequenceEvent[];
  readonly views: readonly StageView[];
  readonly refused: readonly RefusedOrder[];
  /** They speak, and no stage names them. */
  readonly strangers: readonly MemberName[];
}

/** Old releases that nobody runs say nothing any more. */
const MOST_KNOWN = 100;

/** Everything that deciding about one line needs. */
interface Scene {
  readonly sequence: Sequence;
  readonly placed: Placed;
  readonly allowances: ReadonlyMap<string, Allowance>;
  /** Of what changes now. */
  readonly generation: number;
  readonly line: string;
  readonly now: Date;
  readonly events: SequenceEvent[];
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
  const { state: ordered, refused } = takeOrders(seen.state, seen.orders, stageNames, now);
  const placed = place(sequence, ordered, seen.statuses);
  const events: SequenceEvent[] = haltsBetween(seen.state, ordered);
  const { allowances, generation } = seen;
  const common = { sequence, placed, allowances, generation, now, events };
  const sceneOf = (line: string): Scene => ({ ...common, line });
  const learnt = [...learnLines(ordered, placed, now)];
  const judged = learnt.map(([line, state]) => [line, judge(state, sceneOf(line))] as const);
  const halted = sequence.haltsSiblings ? haltSiblings(judged, common) : judged;
  const advanced = halted.map(([line, state]) => [line, advanceLine(state, sceneOf(line))] as const);
  const lines = new Map(advanced);
  return {
    state: { ...ordered, lines },
    allowances: allowancesFrom(lines, common),
    events,
    views: advanced.flatMap(([line, state]) => viewsOf(state, sceneOf(line))),
    refused,
    strangers: placed.strangers,
  };
}

/** What orders have halted. */
function haltsBetween(before: SequenceState, after: SequenceState): SequenceEvent[] {
  return [...after.lines].flatMap(([line, { halts }]) =>
    halts
      .filter((each) => !before.lines.get(line)?.halts.includes(each))
      .map(({ release, why }) => ({ kind: 'ReleaseHalted', line, release, why }) as const),
  );
}

/** How the stages stand by what is remembered, before the next pass takes orders and goes on. */
export function viewsNow(
  sequence: Sequence,
  { state, statuses, allowances, generation }: SequenceSeen,
  now: Date,
): Pick<Advanced, 'views' | 'strangers'> {
  const placed = place(sequence, state, statuses);
  const common = { sequence, placed, allowances, generation, now, events: [] };
  return {
    views: [...state.lines].flatMap(([line, each]) => viewsOf(each, { ...common, line })),
    strangers: placed.strangers,
  };
}

function learnLines(
  { lines }: SequenceState,
  { byStage }: Placed,
  now: Date,
): ReadonlyMap<string, LineState> {
  const members = [...byStage.values()].flat();
  const names = new Set([...lines.keys(), ...members.flatMap((each) => [...each.lines.keys()])]);
  return new Map(
    [...names].sort().map((name) => [name, learn(lines.get(name) ?? NEW_LINE, name, members, now)]),
  );
}

/** Notes the releases that are told of for the first time, in the order of their versions. */
function learn(line: LineState, name: string, members: readonly MemberStatus[], now: Date): LineState {
  const told = members.flatMap(({ lines }) => {
    const { newest, runs } = lines.get(name) ?? {};
    return [newest, runs?.oldest, runs?.newest].flatMap((each) => each ?? []);
  });
  const before = new Set(line.known.map((each) => each.name));
  const fresh = [...new Set(told)].filter((each) => !before.has(each)).sort();
  fresh.sort((a, b) => (isNewer(a, b, []) ? 1 : isNewer(b, a, []) ? -1 : 0));
  const known: KnownRelease[] = [...line.known, ...fresh.map((each) => ({ name: each, since: now }))];
  const isUsed = (each: KnownRelease) =>
    told.includes(each.name) ||
    isHalted(line, each.name) ||
    [...line.stages.values()].some(({ release, qualified }) => [release, qualified].includes(each.name));
  const unused = known.filter((each) => !isUsed(each)).slice(0, Math.max(0, known.length - MOST_KNOWN));
  return { ...line, known: known.filter((each) => !unused.includes(each)) };
}

function membersOf(stage: Stage, state: LineState, { sequence, placed, line, now }: Scene): Standings[] {
  const members = placed.byStage.get(stage.name) ?? [];
  return standingsOf(members, line, state, stageIn(state, stage.name), sequence.silentAfterHours, now);
}

/**
 * Halts what was withdrawn, or fails in more members of a stage than it tolerates, even after it was qualified
 * there.
 */
function judge(before: LineState, scene: Scene): LineState {
  let line = before;
  for (const stage of scene.sequence.stages) {
    const { release } = stageIn(line, stage.name);
    if (release === undefined || isHalted(line, release)) continue;
    const why = whyToHalt(line, stage, scene);
    if (why === undefined) continue;
    scene.events.push({ kind: 'ReleaseHalted', line: scene.line, stage: stage.name, release, why });
    line = halt(line, [{ release, at: scene.now, why }]);
  }
  return line;
}

function whyToHalt(line: LineState, stage: Stage, scene: Scene): string | undefined {
  if (isWithdrawn(line, stage, scene)) return 'nobody finds its image any more';
  const failed = membersOf(stage, line, scene).filter(({ standing }) => standing === 'failed');
  if (failed.length <= stage.tolerate) return undefined;
  const [first] = failed;
  const name = first ? memberKey(first.status.member) : '';
  return `${failed.length} failed in ${stage.name}, the first: ${name} (${first?.why ?? ''})`;
}

/** Every member's settings choose an older image than the one that the stage took, and isn't through with. */
function isWithdrawn(line: LineState, stage: Stage, { sequence, placed, line: name }: Scene): boolean {
  const { release, isBack, qualified } = stageIn(line, stage.name);
  const isOver = stage === sequence.stages.at(-1) && release === qualified;
  if (release === undefined || isBack || isOver) return false;
  // Somebody has resumed it all the same.
  if ([...line.stages.values()].some((each) => each.release === release && each.forgivenAt)) return false;
  const members = [...placed.byStage.values()].flat();
  const newest = members.flatMap(({ lines }) => lines.get(name)?.newest ?? []);
  return newest.length > 0 && newest.every((each) => isNewer(release, each, line.known));
}

type NamedLine = readonly [string, LineState];

/** Halts a release where one of another architecture was, but once: whoever resumes it isn't overruled. */
function haltSiblings(lines: readonly NamedLine[], { now, events }: Omit<Scene, 'line'>): NamedLine[] {
  const halts = lines.flatMap(([, line]) => line.halts);
  return lines.map(([name, line]) => {
    const open = line.known.filter((each) => !isHalted(line, each.name));
    const own = open.flatMap((each) => {
      const cause = halts.find(({ release }) => isSibling(each.name, release));
      if (cause === undefined || (cause.at < now && each.since < now)) return [];
      return [{ release: each.name, at: now, why: `${cause.release} was halted` }];
    });
    events.push(
      ...own.map(({ release, why }) => ({ kind: 'ReleaseHalted', line: name, release, why }) as const),
    );
    return [name, halt(line, own)] as const;
  });
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

/** Takes, completes and qualifies until nothing is left to: each release it takes is newer than the last. */
function settle(before: LineState, stage: Stage, previous: Stage | undefined, scene: Scene): LineState {
  const taken = take(before, stage, previous, scene);
  const line = qualify(complete(taken, stage, scene), stage, scene);
  return line === before ? line : settle(line, stage, previous, scene);
}

/** What a stage would take next: the newest that isn't halted and has got so far. */
function candidateFor(
  line: LineState,
  stage: Stage,
  previous: Stage | undefined,
  { line: name, placed }: Scene,
): string | undefined {
  if (previous !== undefined) {
    const { qualified } = stageIn(line, previous.name);
    return qualified === undefined || isHalted(line, qualified) ? undefined : qualified;
  }
  const members = placed.byStage.get(stage.name) ?? [];
  const told = members.flatMap(({ lines }) => lines.get(name)?.newest ?? []);
  const open = told.filter((each) => !isHalted(line, each));
  return open.reduce<string | undefined>(
    (newest, each) => (newest === undefined || isNewer(each, newest, line.known) ? each : newest),
    undefined,
  );
}

/** Takes a newer release once the stage is through with what it took before, or that was halted. */
function take(line: LineState, stage: Stage, previous: Stage | undefined, scene: Scene): LineState {
  const state = stageIn(line, stage.name);
  const { release, qualified, asked, approved, slots } = state;
  const candidate = candidateFor(line, stage, previous, scene);
  if (candidate === undefined || candidate === release) return line;
  if (isUnderWay(line, stage, state, scene.now) && !isExpedited(line, candidate)) return line;
  const latest = release !== undefined && !isHalted(line, release) ? release : qualified;
  if (latest !== undefined && !isNewer(candidate, latest, line.known)) return line;
  const { line: name, events, now } = scene;
  const about = { line: name, stage: stage.name, release: candidate };
  if (stage.beforeStage === 'approval' && approved !== candidate) {
    if (asked === candidate) return line;
    events.push({ kind: 'ApprovalAwaited', ...about });
    return withStage(line, stage.name, { ...state, asked: candidate });
  }
  events.push({ kind: 'StageBegan', ...about });
  const before = qualified === undefined ? {} : { qualified, before: qualified };
  return withStage(line, stage.name, { release: candidate, since: now, slots, ...before });
}

/** A stage is through with a release once it is qualified or halted, or its time is over without a proof. */
function isUnderWay(line: LineState, stage: Stage, state: StageState, now: Date): boolean {
  const { release, since, completedAt, qualified } = state;
  if (release === undefined || since === undefined || release === qualified) return false;
  return !isHalted(line, release) && (completedAt !== undefined || overdueAt(stage, since) > now);
}

function isExpedited({ known }: LineState, release: string): boolean {
  return known.some(({ name, isExpedited: is }) => name === release && is);
}

function overdueAt({ completeWithinHours }: Stage, since: Date): Date {
  return hoursAfter(since, completeWithinHours);
}

function hoursAfter(at: Date, hours: number): Date {
  return new Date(at.getTime() + hours * 3_600_000);
}

function complete(line: LineState, stage: Stage, scene: Scene): LineState {
  const state = stageIn(line, stage.name);
  const { release, since } = state;
  if (release === undefined || since === undefined || state.completedAt !== undefined) return line;
  if (isHalted(line, release) || obstacleToComplete(line, stage, scene) !== undefined) return line;
  scene.events.push({ kind: 'StageCompleted', line: scene.line, stage: stage.name, release });
  return withStage(line, stage.name, { ...state, completedAt: scene.now });
}

/** @returns who or what keeps the stage from being complete; undefined if it is */
function obstacleToComplete(line: LineState, stage: Stage, scene: Scene): string | undefined {
  const members = membersOf(stage, line, scene);
  const { since = scene.now } = stageIn(line, stage.name);
  if (members.length === 0)
    return stage.whenEmpty === 'pass' ? undefined : `no member of ${stage.name} runs it: see whenEmpty`;
  const left = members.filter(({ standing }) => standing !== 'done' && standing !== 'failed');
  const isOverdue = overdueAt(stage, since) <= scene.now;
  if (left.length > 0 && !isOverdue) return whoIsLeft(left);
  const accounts = new Set(
    members.flatMap(({ standing, status }) => (standing === 'done' ? [status.member.account] : [])),
  );
  if (accounts.size >= stage.quorum) return undefined;
  const proof = `it has been rolled in ${accounts.size} of ${stage.quorum} accounts`;
  return left.length > 0 ? `${proof}; ${whoIsLeft(left)}` : proof;
}

/** Somebody reads it, and the log has it at every pass. */
const MOST_NAMED = 10;

/** First those for whom somebody may have to do something. */
function whoIsLeft(left: readonly Standings[]): string {
  const named = [...left]
    .sort((a, b) => Number(a.why === undefined) - Number(b.why === undefined))
    .slice(0, MOST_NAMED)
    .map(({ status, standing, why }) => `${memberKey(status.member)} ${why ?? `is ${standing}`}`);
  const others = left.length - named.length;
  return [...named, ...(others > 0 ? [`${others} more`] : [])].join('; ');
}

/** A completed release soaks by the sequence's own clock. */
function qualify(line: LineState, stage: Stage, scene: Scene): LineState {
  const state = stageIn(line, stage.name);
  const { release, completedAt, qualified, skipsSoak } = state;
  if (release === undefined || completedAt === undefined || release === qualified) return line;
  if (isHalted(line, release)) return line;
  const isShort = skipsSoak || isExpedited(line, release) || state.isBack;
  if (!isShort && hoursAfter(completedAt, stage.soakHours) > scene.now) return line;
  scene.events.push({ kind: 'ReleaseQualified', line: scene.line, stage: stage.name, release });
  return withStage(line, stage.name, { ...state, qualified: release });
}

/** A first stage that gets nothing through leaves all others as they are: somebody must know. */
function starve(line: LineState, stage: Stage, scene: Scene): LineState {
  const state = stageIn(line, stage.name);
  const { release, since, qualified, starvedAt } = state;
  if (release === undefined || since === undefined || starvedAt !== undefined) return line;
  if (release === qualified) return line;
  const limit = hoursAfter(overdueAt(stage, since), stage.soakHours);
  if (limit >= scene.now) return line;
  scene.events.push({ kind: 'StageStarved', line: scene.line, stage: stage.name, release });
  return withStage(line, stage.name, { ...state, starvedAt: scene.now });
}

/**
 * Gives slots to members that can begin, and takes those back that can't be used. One that is taken back
 * counts until its member has read so: it may have begun meanwhile.
 */
function grant(line: LineState, stage: Stage, scene: Scene): StageState {
  const state = stageIn(line, stage.name);
  const members = membersOf(stage, line, scene);
  const slots = keptSlots(line, state, members, scene);
  if (state.release === undefined || isHalted(line, state.release)) return { ...state, slots };
  const failed = members.filter(({ standing }) => standing === 'failed').length;
  const limit = Math.min(stage.maxConcurrent, stage.tolerate + 1 - failed);
  const waiting = members.filter(
    ({ standing, status }) => standing === 'ready' && !slots.has(memberKey(status.member)),
  );
  for (const { status } of inTurn(waiting, members, stage)) {
    if (slots.size >= limit) break;
    const holders = members.filter(({ status: { member } }) => slots.has(memberKey(member)));
    const isApart = holders.every((each) => each.status.member.region === status.member.region);
    if (stage.apart === 'region' && !isApart) continue;
    slots.set(memberKey(status.member), { since: scene.now });
  }
  return { ...state, slots };
}

/** Those that go first, as long as one of them is left; then all others. */
function inTurn(
  waiting: readonly Standings[],
  members: readonly Standings[],
  { first = [] }: Stage,
): readonly Standings[] {
  const goesFirst = ({ status }: Standings) => isOneOf(status.member.stack, first);
  const isLeft = members.some(
    (each) => goesFirst(each) && (each.standing === 'ready' || each.standing === 'rolling'),
  );
  return isLeft ? waiting.filter(goesFirst) : waiting;
}

function keptSlots(
  line: LineState,
  { release, slots }: StageState,
  members: readonly Standings[],
  scene: Scene,
): Map<string, Slot> {
  const isOver = release === undefined || isHalted(line, release);
  return new Map(
    [...slots].flatMap(([key, slot]) => {
      // Who isn't found has gone, or is left out.
      const member = members.find(({ status }) => memberKey(status.member) === key);
      const kept = member && keptSlot(slot, member, isOver, scene);
      return kept === undefined ? [] : [[key, kept] as const];
    }),
  );
}

/** @returns undefined if the slot is free */
function keptSlot(
  slot: Slot,
  { status, standing }: Standings,
  isOver: boolean,
  { generation, line }: Scene,
): Slot | undefined {
  const { withdrawnBy } = slot;
  if (status.lines.get(line)?.rolling !== undefined) return slot;
  if (standing === 'done' || standing === 'failed') return undefined;
  if (withdrawnBy !== undefined) return status.generation < withdrawnBy ? slot : undefined;
  if (!isOver && standing === 'ready') return slot;
  return { ...slot, withdrawnBy: generation };
}

function allowancesFrom(
  lines: ReadonlyMap<string, LineState>,
  common: Omit<Scene, 'line'>,
): ReadonlyMap<string, Allowance> {
  const { sequence, placed, allowances, generation } = common;
  return new Map(
    sequence.stages.flatMap((stage) => {
      const allowed = allowedInStage(lines, stage, common);
      return (placed.byStage.get(stage.name) ?? []).map(({ member }) => {
        const key = memberKey(member);
        const own = new Map(allowed.flatMap(([line, by]) => keyed(line, by.get(key))));
        const withdrawn = withdrawnBy(lines, stage, key);
        return [key, nextAllowance(allowances.get(key), own, withdrawn, generation)] as const;
      });
    }),
  );
}

/** By line, what each member of the stage may have, by its key. */
function allowedInStage(
  lines: ReadonlyMap<string, LineState>,
  stage: Stage,
  common: Omit<Scene, 'line'>,
): (readonly [string, ReadonlyMap<string, Allowed>])[] {
  return [...lines].map(([line, state]) => {
    const scene = { ...common, line };
    const members = membersOf(stage, state, scene);
    const allowed = members.flatMap((each) =>
      keyed(memberKey(each.status.member), allowedIn(state, stage, each, scene)),
    );
    return [line, new Map(allowed)];
  });
}

const keyed = <Value>(key: string, value: Value | undefined) =>
  value === undefined ? [] : [[key, value] as const];

/** Raised even if nothing else changes where the last grant was never written: a slot waits to be read. */
function nextAllowance(
  before: Allowance = { generation: 0, lines: new Map() },
  lines: Allowance['lines'],
  withdrawn: number,
  generation: number,
): Allowance {
  const isSame = JSON.stringify([...before.lines].sort()) === JSON.stringify([...lines].sort());
  return isSame && before.generation >= withdrawn ? before : { generation, lines };
}

function withdrawnBy(lines: ReadonlyMap<string, LineState>, stage: Stage, key: string): number {
  return Math.max(
    0,
    ...[...lines.values()].map((line) => stageIn(line, stage.name).slots.get(key)?.withdrawnBy ?? 0),
  );
}

/** What a member may have: what its stage takes, once it has a slot; until then what it had before. */
function allowedIn(
  line: LineState,
  stage: Stage,
  { standing, status }: Standings,
  scene: Scene,
): Allowed | undefined {
  const { release, before, slots, isBack } = stageIn(line, stage.name);
  const { rolling, runs } = status.lines.get(scene.line) ?? {};
  const isStopped = line.halts.some((each) => each.release === rolling && each.isNow);
  // A newer release that the stage takes meanwhile doesn't let it go on.
  if (rolling !== undefined && rolling !== release && isStopped) return { release: rolling, stops: true };
  const slot = slots.get(memberKey(status.member));
  const isGranted = slot !== undefined && slot.withdrawnBy === undefined;
  if (release !== undefined && (isGranted || standing === 'done' || standing === 'rolling')) {
    const stops = standing === 'rolling' && isStopped;
    return { release, ...(isBack && { isBack }), ...(stops && { stops }) };
  }
  const oldest = runs?.oldest;
  const hasHad = before !== undefined && oldest !== undefined && !isNewer(before, oldest, line.known);
  return hasHad && !isHalted(line, before) ? { release: before } : undefined;
}

function viewsOf(line: LineState, scene: Scene): StageView[] {
  return scene.sequence.stages.map((stage) => viewOf(line, stage, scene));
}

function viewOf(line: LineState, stage: Stage, scene: Scene): StageView {
  const state = stageIn(line, stage.name);
  const { release, since, completedAt, qualified, asked, approved } = state;
  const members = membersOf(stage, line, scene);
  const isStarved = state.starvedAt !== undefined && release !== qualified;
  const about = { line: scene.line, stage: stage.name, members, ...(isStarved && { isStarved }) };
  if (asked !== undefined && asked !== approved && asked !== release)
    return { ...about, release: asked, phase: 'asking', waitsFor: 'somebody who approves it' };
  if (release === undefined || since === undefined)
    return { ...about, phase: 'idle', waitsFor: 'a release that has got so far' };
  const halted = line.halts.find((each) => each.release === release);
  if (halted !== undefined)
    return { ...about, release, phase: 'halted', waitsFor: `a newer release, or a resume: ${halted.why}` };
  if (release === qualified) return { ...about, release, phase: 'qualified', waitsFor: '' };
  if (completedAt !== undefined) {
    const until = hoursAfter(completedAt, stage.soakHours);
    return { ...about, release, phase: 'soaking', waitsFor: 'the end of its soak', until };
  }
  const waitsFor = obstacleToComplete(line, stage, scene) ?? '';
  return { ...about, release, phase: 'rolling', waitsFor, until: overdueAt(stage, since) };
}
