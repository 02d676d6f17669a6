import { canRoll } from '../core/group/assess.ts';
import type { GroupDecision } from '../core/group-decision.ts';
import type { GroupAssessment } from '../core/model/assessment.ts';
import type { Group } from '../core/model/group.ts';
import type { Image, LaunchSource } from '../core/model/launch.ts';
import { later } from '../core/model/time.ts';
import { type CourseCause, isAsked, type RejectionCause, sentenceOf } from '../core/reasons/reason.ts';
import type { KnownRelease, LineStatus, MemberName, MemberStatus } from '../core/sequence/model.ts';
import { isNewer } from '../core/sequence/release.ts';
import { describeDecision } from '../core/text/decision.ts';
import { cut } from '../core/text/events.ts';

/** What a member knows when it speaks. */
export interface KnownOfMember {
  readonly member: MemberName;
  readonly now: Date;
  readonly generation: number;
  readonly acceptsRevert: boolean;
  /** What was decided last about each group. */
  readonly decided: readonly GroupDecision[];
  /** A sentence for each group or cluster of which nothing is known now. */
  readonly unknown: readonly string[];
  /** What it has said before. */
  readonly previous: MemberStatus | undefined;
}

/** A sentence may have so much room in the table. */
const LONGEST = 500;

/** What a member says of itself: by line, of all of its groups together. */
export function memberStatus(known: KnownOfMember): MemberStatus {
  const { member, now, generation, acceptsRevert, decided, previous } = known;
  const order = byAge(decided);
  const ofGroups = decided.flatMap((each) => linesOf(each, previous, order, now));
  const lines = new Map<string, LineStatus>();
  for (const [line, status] of ofGroups) {
    const other = lines.get(line);
    lines.set(line, other === undefined ? status : joined(other, status, order));
  }
  const alarmSince = alarmIn(decided);
  return {
    member,
    spokeAt: now,
    generation,
    ...(alarmSince && { alarmSince }),
    acceptsRevert,
    lines: new Map([...keptOf(known, lines), ...lines]),
  };
}

/** Some names say nothing of which is newer; whoever has the images knows. */
function byAge(decided: readonly GroupDecision[]): readonly KnownRelease[] {
  const images = decided.flatMap(({ assessment }) => [...assessment.observation.images.values()]);
  const all = new Map(images.map(({ name, createdAt }) => [name, { name, since: createdAt }]));
  return [...all.values()].sort((a, b) => a.since.getTime() - b.since.getTime());
}

/** Of a group that can't be read now, what was said before still holds: it can't begin anything. */
function keptOf(
  { decided, unknown, previous }: KnownOfMember,
  lines: ReadonlyMap<string, LineStatus>,
): [string, LineStatus][] {
  const obstacles = decided.flatMap(({ assessment, decision }) =>
    !canRoll(assessment) && isMeant(assessment) ? [describeDecision(decision)] : [],
  );
  const [hindered] = [...unknown, ...obstacles];
  if (hindered === undefined) return [];
  return [...(previous?.lines ?? [])]
    .filter(([line]) => !lines.has(line))
    .map(([line, status]) => [line, { ...status, hindered: cut(hindered, LONGEST) }]);
}

/** Nobody waits for a group that its owner leaves out, or that is another's. */
const isMeant = ({ group }: GroupAssessment) => !group.excluded && group.notOurs === undefined;

function linesOf(
  decided: GroupDecision,
  previous: MemberStatus | undefined,
  order: readonly KnownRelease[],
  now: Date,
): [string, LineStatus][] {
  const { assessment } = decided;
  if (!canRoll(assessment) || !isMeant(assessment)) return [];
  return assessment.launch.sources.flatMap((source) => {
    const { line } = source.inSequence ?? {};
    if (line === undefined) return [];
    const before = previous?.lines.get(line);
    const failed = failureOf(decided, source, before, now);
    return [[line, { ...lineStatus(decided, source, order, before), ...(failed && { failed }) }]];
  });
}

function lineStatus(
  decided: GroupDecision,
  source: LaunchSource,
  order: readonly KnownRelease[],
  before: LineStatus | undefined,
): LineStatus {
  const { assessment } = decided;
  const { group, settings } = assessment;
  const { newest } = source.inSequence ?? {};
  const runs = runsOf(assessment, source);
  const rolling = isRolling(decided) ? rollingOf(assessment, source, before) : undefined;
  const hindered = rolling === undefined ? hindranceOf(decided, source, runs, order) : stopOf(decided);
  // One that is pinned chooses for no other group.
  const isChosen = newest !== undefined && settings.image.kind !== 'id';
  const beginsAt = rolling === undefined ? beginningOf(group) : undefined;
  return {
    ...(isChosen && { newest }),
    ...(runs && { runs }),
    ...(rolling !== undefined && { rolling }),
    ...(beginsAt && { beginsAt }),
    ...(hindered !== undefined && { hindered: cut(hindered, LONGEST) }),
  };
}

/** What it was about to record may be, whatever became of the call. */
function isRolling({ assessment, decision }: GroupDecision): boolean {
  const begins =
    decision.kind === 'act' && decision.actions.some((each) => each.kind === 'record-roll' && each.begins);
  return begins || (assessment.group.roll !== undefined && decision.kind !== 'finish');
}

/** Why a roll under way does nothing more. */
function stopOf({ decision }: GroupDecision): string | undefined {
  return decision.kind === 'paused' || decision.kind === 'blocked' ? describeDecision(decision) : undefined;
}

/** When a roll begins that is announced. */
function beginningOf({ notice, closed }: Group): Date | undefined {
  if (notice === undefined) return undefined;
  const opensAt = openingOf(closed);
  return opensAt === undefined ? notice.until : later(notice.until, opensAt);
}

const openingOf = (closed: Group['closed']): Date | undefined =>
  closed !== undefined && 'opensAt' in closed ? closed.opensAt : undefined;

/** Of those that may have been launched there: of its architecture, or of one that nobody knows now. */
function runsOf({ group, observation: { images } }: GroupAssessment, { target }: LaunchSource) {
  const ids = new Set(group.members.map(({ instanceId }) => instanceId));
  const run = group.instances.filter(({ instanceId, alive }) => alive && ids.has(instanceId));
  const own = run
    .map(({ imageId }) => images.get(imageId) ?? gone(imageId))
    .filter(
      ({ architecture }) => !architecture || !target.architecture || architecture === target.architecture,
    )
    .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  const [oldest, newest] = [own[0], own.at(-1)];
  // A group without members has nothing to be rolled, and launches what it may.
  if (oldest === undefined || newest === undefined) return undefined;
  return { oldest: oldest.name, newest: newest.name };
}

/** Older than any other. */
const gone = (imageId: string): Pick<Image, 'name' | 'architecture' | 'createdAt'> => ({
  name: imageId,
  architecture: '',
  createdAt: new Date(0),
});

/** What its roll is onto, also while it goes back. */
function rollingOf(
  { group, observation: { images } }: GroupAssessment,
  { target }: LaunchSource,
  before: LineStatus | undefined,
): string {
  const { imageIds = [] } = group.roll ?? {};
  if (imageIds.includes(target.imageId)) return target.name;
  const names = imageIds.flatMap((imageId) => {
    const image = images.get(imageId);
    return image?.architecture === target.architecture ? [image.name] : [];
  });
  const goesBack = group.roll !== undefined && group.roll.course.kind !== 'forward';
  const said = goesBack ? (before?.rolling ?? before?.failed?.release) : undefined;
  return names[0] ?? said ?? target.name;
}

function hindranceOf(
  { assessment, decision }: GroupDecision,
  { inSequence, rejected }: LaunchSource,
  runs: LineStatus['runs'],
  order: readonly KnownRelease[],
): string | undefined {
  const { settings } = assessment;
  const { image, mode, drift } = settings;
  if (decision.kind === 'paused' || decision.kind === 'blocked' || rejected !== undefined)
    return describeDecision(decision);
  const closed = closedFor(assessment);
  if (closed !== undefined) return sentenceOf(closed);
  if (mode === 'plan') return 'begins no roll by itself, by MODE=plan';
  if (image.kind === 'id') return `is pinned to ${image.imageId} by IMAGE`;
  if (!drift.includes('image')) return 'replaces nothing for an image, by DRIFT';
  const { unfound } = inSequence ?? {};
  const isMissed = unfound !== undefined && runs !== undefined && isNewer(unfound, runs.oldest, order);
  return isMissed ? `finds no image ${unfound} that it would launch` : undefined;
}

/** A roll that must be announced may be so before its window opens, or would never begin in a short one. */
function closedFor({ group: { closed }, settings, observation: { now } }: GroupAssessment): Group['closed'] {
  const opensAt = openingOf(closed);
  const isSoon =
    opensAt !== undefined && opensAt.getTime() - now.getTime() <= settings.announceMinutes * 60_000;
  return isSoon && settings.announceMinutes > 0 ? undefined : closed;
}

/** A rollback or rejection that nobody has ordered. */
function failureOf(
  { assessment }: GroupDecision,
  source: LaunchSource,
  before: LineStatus | undefined,
  now: Date,
): LineStatus['failed'] {
  const { roll, rejection } = assessment.group;
  const { failed } = before ?? {};
  const failure = (release: string, cause: RejectionCause | CourseCause, since?: Date) => {
    if (isByOrder(cause)) return undefined;
    // Tried again, it fails again, however soon: what was forgiven before isn't this.
    const isTold = failed?.release === release && !(since !== undefined && since > failed.at);
    return { release, at: isTold ? failed.at : now, why: cut(sentenceOf(cause), LONGEST) };
  };
  if (roll !== undefined && roll.course.kind !== 'forward')
    return failure(rollingOf(assessment, source, before), roll.course.because, roll.course.since);
  const { release } = source.inSequence ?? {};
  if (source.rejected !== undefined && release !== undefined)
    return failure(release, rejection?.because ?? { code: 'cause-lost' });
  // What failed isn't allowed any more: that it is rejected shows only in the group's own memory.
  return rejection === undefined ? undefined : failed;
}

function isByOrder(cause: RejectionCause | CourseCause): boolean {
  const isOfRoll = cause.code === 'aborted' || cause.code === 'rolled-back';
  return isAsked(isOfRoll ? cause.because : cause);
}

/** Since when an alarm of any group is on. */
function alarmIn(decided: readonly GroupDecision[]): Date | undefined {
  const since = decided.flatMap(({ assessment: { observation, settings } }) =>
    (observation.details?.alarms ?? []).flatMap((alarm) =>
      alarm.inAlarm && settings.alarmNames?.includes(alarm.name) ? [alarm.since.getTime()] : [],
    ),
  );
  return since.length === 0 ? undefined : new Date(Math.min(...since));
}

/** Of two groups in a line: it is done once both are, and can begin while one of them can. */
function joined(one: LineStatus, other: LineStatus, order: readonly KnownRelease[]): LineStatus {
  const runs = [one.runs, other.runs].flatMap((each) => each ?? []);
  const newest = latest([one.newest, other.newest], order);
  const oldest = earliest(
    runs.map((each) => each.oldest),
    order,
  );
  const last = latest(
    runs.map((each) => each.newest),
    order,
  );
  const rolling = one.rolling ?? other.rolling;
  const beginsAt = one.beginsAt ?? other.beginsAt;
  const hindered = one.hindered ?? other.hindered;
  const readyFrom = hindered === undefined ? undefined : earliest([one, other].map(readyIn), order);
  const failed = [one.failed, other.failed]
    .flatMap((each) => each ?? [])
    .reduce<LineStatus['failed']>((a, b) => (a === undefined || b.at > a.at ? b : a), undefined);
  return {
    ...(newest !== undefined && { newest }),
    ...(oldest !== undefined && last !== undefined && { runs: { oldest, newest: last } }),
    ...(rolling !== undefined && { rolling }),
    ...(beginsAt && { beginsAt }),
    ...(hindered !== undefined && { hindered }),
    ...(readyFrom !== undefined && { readyFrom }),
    ...(failed && { failed }),
  };
}

const readyIn = ({ hindered, readyFrom, runs }: LineStatus): string | undefined =>
  hindered === undefined ? runs?.oldest : readyFrom;

const earliest = (names: readonly (string | undefined)[], order: readonly KnownRelease[]) =>
  chosen(names, (name, than) => isNewer(than, name, order));

const latest = (names: readonly (string | undefined)[], order: readonly KnownRelease[]) =>
  chosen(names, (name, than) => isNewer(name, than, order));

function chosen(
  names: readonly (string | undefined)[],
  isBetter: (name: string, than: string) => boolean,
): string | undefined {
  return names
    .flatMap((each) => each ?? [])
    .reduce<string | undefined>(
      (one, other) => (one === undefined || isBetter(other, one) ? other : one),
      undefined,
    );
}
