import type { Allowed } from '../model/permit.ts';
import { learnLines } from './learn.ts';
import { type Placed, place, type Standings, standingsOf } from './members.ts';
import {
  type Allowance,
  type Halt,
  type LineState,
  type MemberName,
  memberKey,
  type Sequence,
  type SequenceSeen,
  type SequenceState,
  type Stage,
  type StageState,
} from './model.ts';
import { isNewer, isSibling } from './release.ts';
import { counts, grantSlots, openSlots, type Turns } from './slots.ts';
import { halt, isHalted, type RefusedOrder, stageIn, takeOrders, withStage } from './take-orders.ts';

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
  /** Lines that members tell of, and that there is no room to remember: nothing is allowed in them. */
  readonly crowdedOut: readonly string[];
}

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
  const { lines: learnt, crowdedOut } = learnLines(ordered, placed, now);
  const judged = [...learnt].map(([line, state]) => [line, judge(state, sceneOf(line))] as const);
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
    crowdedOut,
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

function membersOf(stage: Stage, state: LineState, { sequence, placed, line, now }: Scene): Standings[] {
  const members = placed.byStage.get(stage.name) ?? [];
  return standingsOf(members, line, state, stageIn(state, stage.name), sequence.silentAfterHours, now);
}

/**
 * Halts what was withdrawn, or fails in more members of a stage than it tolerates, even after it was
 * qualified there.
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

/** Whoever looks for images finds older ones than that which the stage took, and which isn't through all. */
function isWithdrawn(line: LineState, stage: Stage, { sequence, placed, line: name }: Scene): boolean {
  const { release, isBack } = stageIn(line, stage.name);
  const last = sequence.stages.at(-1);
  const isThrough = last !== undefined && stageIn(line, last.name).qualified === release;
  if (release === undefined || isBack || isThrough) return false;
  // Somebody has resumed it all the same.
  if ([...line.stages.values()].some((each) => each.release === release && each.forgivenAt)) return false;
  const own = [...placed.byStage.values()].flat().flatMap(({ lines }) => lines.get(name) ?? []);
  const found = new Set(own.flatMap(({ newest }) => newest ?? []));
  // While it goes back, a member doesn't look.
  const isUnsure = own.some(({ newest, rolling }) => newest === undefined && rolling !== undefined);
  return !isUnsure && found.size > 0 && [...found].every((each) => isNewer(release, each, line.known));
}

type NamedLine = readonly [string, LineState];

/**
 * Halts a release where the same one was in another line, or one of another architecture; but once: whoever
 * resumes it isn't overruled.
 */
function haltSiblings(lines: readonly NamedLine[], { now, events }: Omit<Scene, 'line'>): NamedLine[] {
  const halts = lines.flatMap(([, line]) => line.halts);
  return lines.map(([name, line]) => {
    const own = line.known.flatMap((each): Halt[] => {
      const before = line.halts.find(({ release }) => release === each.name);
      const causes = halts.filter(
        (cause) =>
          cause !== before &&
          (cause.at >= now || each.since >= now) &&
          (cause.release === each.name || isSibling(each.name, cause.release)),
      );
      const cause = causes.find(({ isNow }) => isNow) ?? causes[0];
      // One that is halted already can only be stopped, too.
      if (cause === undefined || (before !== undefined && (before.isNow || !cause.isNow))) return [];
      const why = `${cause.release} was halted`;
      return [{ release: each.name, at: now, why, ...(cause.isNow && { isNow: true }) }];
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
  if (previous !== undefined) return qualifiedIn(line, previous);
  const own = placed.byStage.get(stage.name) ?? [];
  const isEmpty = own.every(({ lines }) => lines.get(name)?.runs === undefined);
  // Nobody in it could tell of any release.
  const members = isEmpty && stage.whenEmpty === 'pass' ? [...placed.byStage.values()].flat() : own;
  const told = members.flatMap(({ lines }) => lines.get(name)?.newest ?? []);
  const open = told.filter((each) => !isHalted(line, each));
  return open.reduce<string | undefined>(
    (newest, each) => (newest === undefined || isNewer(each, newest, line.known) ? each : newest),
    undefined,
  );
}

/** The last release that a stage has qualified and that nobody has halted since. */
function qualifiedIn(line: LineState, stage: Stage): string | undefined {
  const { qualified, before } = stageIn(line, stage.name);
  return [qualified, before].find((each) => each !== undefined && !isHalted(line, each));
}

/** Takes a newer release once the stage is through with what it took before, or that was halted. */
function take(line: LineState, stage: Stage, previous: Stage | undefined, scene: Scene): LineState {
  const state = stageIn(line, stage.name);
  const { release, asked, approved, slots, tryingSince, starvedAt } = state;
  const candidate = candidateFor(line, stage, previous, scene);
  if (candidate === undefined || candidate === release) return line;
  if (isUnderWay(line, stage, state, scene.now) && !isExpedited(line, candidate)) return line;
  const qualified = qualifiedIn(line, stage);
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
  return withStage(line, stage.name, {
    release: candidate,
    since: now,
    ...(release !== state.qualified && { tryingSince, starvedAt }),
    slots: openSlots(slots),
    ...(qualified !== undefined && { qualified, before: qualified }),
  });
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
  if (members.length === 0) return stage.whenEmpty === 'pass' ? undefined : emptiness(stage);
  const left = members.filter(({ standing }) => standing !== 'done' && standing !== 'failed');
  const isOverdue = overdueAt(stage, since) <= scene.now;
  if (left.length > 0 && !isOverdue) return whoIsLeft(left, scene.line);
  const accounts = new Set(
    members.flatMap(({ standing, status }) => (standing === 'done' ? [status.member.account] : [])),
  );
  if (accounts.size >= stage.quorum) return undefined;
  const proof = `it has been rolled in ${accounts.size} of ${stage.quorum} accounts`;
  return left.length > 0 ? `${proof}; ${whoIsLeft(left, scene.line)}` : proof;
}

const emptiness = ({ name }: Stage) => `no member of ${name} runs it: see whenEmpty`;

/** Somebody reads it, and the log has it at every pass. */
const MOST_NAMED = 10;

/** First those for whom somebody may have to do something. */
function whoIsLeft(left: readonly Standings[], line: string): string {
  const named = [...left]
    .sort((a, b) => Number(a.why === undefined) - Number(b.why === undefined))
    .slice(0, MOST_NAMED)
    .map((each) => `${memberKey(each.status.member)} ${each.why ?? whatItDoes(each, line)}`);
  const others = left.length - named.length;
  return [...named, ...(others > 0 ? [`${others} more`] : [])].join('; ');
}

function whatItDoes({ status, standing }: Standings, line: string): string {
  const { beginsAt } = status.lines.get(line) ?? {};
  return standing === 'ready' && beginsAt !== undefined
    ? `has announced that it begins at ${beginsAt.toISOString()}`
    : `is ${standing}`;
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
  const { release = newestOf(line), qualified, starvedAt } = state;
  if (release === undefined || starvedAt !== undefined || release === qualified) return line;
  if (state.release === undefined && membersOf(stage, line, scene).length > 0) return line;
  const since = state.tryingSince ?? state.since ?? scene.now;
  const trying =
    state.tryingSince === undefined ? withStage(line, stage.name, { ...state, tryingSince: since }) : line;
  if (hoursAfter(overdueAt(stage, since), stage.soakHours) >= scene.now) return trying;
  scene.events.push({ kind: 'StageStarved', line: scene.line, stage: stage.name, release });
  return withStage(trying, stage.name, { ...stageIn(trying, stage.name), starvedAt: scene.now });
}

function newestOf({ known }: LineState): string | undefined {
  return known
    .map(({ name }) => name)
    .reduce<string | undefined>(
      (newest, each) => (newest === undefined || isNewer(each, newest, known) ? each : newest),
      undefined,
    );
}

function grant(line: LineState, stage: Stage, scene: Scene): StageState {
  const state = stageIn(line, stage.name);
  const { sequence, generation, now } = scene;
  const turns: Turns = {
    stage,
    state,
    line: scene.line,
    members: membersOf(stage, line, scene),
    isOver: state.release === undefined || isHalted(line, state.release),
    patienceHours: sequence.silentAfterHours,
    generation,
    now,
  };
  return { ...state, slots: grantSlots(turns) };
}

function allowancesFrom(
  lines: ReadonlyMap<string, LineState>,
  common: Omit<Scene, 'line'>,
): ReadonlyMap<string, Allowance> {
  const { sequence, placed, allowances, generation } = common;
  const nothing = new Map();
  // What they were allowed before they were of no stage any more.
  const ofNoStage = [...placed.leftOut, ...placed.strangers].flatMap((member) => {
    const key = memberKey(member);
    const before = allowances.get(key);
    return before === undefined ? [] : [[key, nextAllowance(before, nothing, 0, generation)] as const];
  });
  return new Map([
    ...ofNoStage,
    ...sequence.stages.flatMap((stage) => {
      const allowed = allowedInStage(lines, stage, common);
      return (placed.byStage.get(stage.name) ?? []).map(({ member }) => {
        const key = memberKey(member);
        const own = new Map(allowed.flatMap(([line, by]) => keyed(line, by.get(key))));
        const withdrawn = withdrawnBy(lines, stage, key);
        return [key, nextAllowance(allowances.get(key), own, withdrawn, generation)] as const;
      });
    }),
  ]);
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
  const isGranted = slot !== undefined && counts(slot) && slot.withdrawnBy === undefined;
  if (release !== undefined && (isGranted || standing === 'done' || standing === 'rolling')) {
    const stops = standing === 'rolling' && isStopped;
    return { release, ...(isBack && { isBack }), ...(stops && { stops }) };
  }
  const oldest = runs?.oldest;
  const hasHad = before !== undefined && oldest !== undefined && !isNewer(before, oldest, line.known);
  return hasHad && !isHalted(line, before) ? { release: before } : undefined;
}

function viewsOf(line: LineState, scene: Scene): StageView[] {
  return scene.sequence.stages.map((stage, index, stages) => viewOf(line, stage, stages[index - 1], scene));
}

function viewOf(line: LineState, stage: Stage, previous: Stage | undefined, scene: Scene): StageView {
  const state = stageIn(line, stage.name);
  const { release, since, completedAt, qualified, asked, approved } = state;
  const members = membersOf(stage, line, scene);
  const isStarved = state.starvedAt !== undefined && (release === undefined || release !== qualified);
  const about = { line: scene.line, stage: stage.name, members, ...(isStarved && { isStarved }) };
  if (asked !== undefined && asked !== approved && asked !== release && !isHalted(line, asked))
    return { ...about, release: asked, phase: 'asking', waitsFor: 'somebody who approves it' };
  if (release === undefined || since === undefined)
    return { ...about, phase: 'idle', waitsFor: sourceOf(stage, previous, members) };
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

/** Where the first release of a stage will come from. */
function sourceOf(stage: Stage, previous: Stage | undefined, members: readonly Standings[]): string {
  if (previous !== undefined) return `a release that is through ${previous.name}`;
  return members.length === 0 ? emptiness(stage) : 'a release that its members find';
}
