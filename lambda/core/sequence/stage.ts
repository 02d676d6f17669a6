import { isHalted, stageIn, withStage } from './line.ts';
import type { Standings } from './members.ts';
import { type LineState, memberKey, type Stage, type StageState } from './model.ts';
import { isNewer } from './release.ts';
import { hoursAfter, isExpedited, membersOf, overdueAt, type Scene } from './scene.ts';
import { openSlots } from './slots.ts';

/** Takes, completes and qualifies until nothing is left to: each release it takes is newer than the last. */
export function settle(
  before: LineState,
  stage: Stage,
  previous: Stage | undefined,
  scene: Scene,
): LineState {
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

function complete(line: LineState, stage: Stage, scene: Scene): LineState {
  const state = stageIn(line, stage.name);
  const { release, since } = state;
  if (release === undefined || since === undefined || state.completedAt !== undefined) return line;
  if (isHalted(line, release) || obstacleToComplete(line, stage, scene) !== undefined) return line;
  scene.events.push({ kind: 'StageCompleted', line: scene.line, stage: stage.name, release });
  return withStage(line, stage.name, { ...state, completedAt: scene.now });
}

/** @returns who or what keeps the stage from being complete; undefined if it is */
export function obstacleToComplete(line: LineState, stage: Stage, scene: Scene): string | undefined {
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

export const emptiness = ({ name }: Stage) => `no member of ${name} runs it: see whenEmpty`;

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
export function starve(line: LineState, stage: Stage, scene: Scene): LineState {
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
