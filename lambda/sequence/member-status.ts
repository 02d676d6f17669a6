import { canRoll } from '../core/group/assess.ts';
import type { GroupDecision } from '../core/group-decision.ts';
import type { GroupAssessment } from '../core/model/assessment.ts';
import type { Image, LaunchSource } from '../core/model/launch.ts';
import { type CourseCause, isAsked, type RejectionCause, sentenceOf } from '../core/reasons/reason.ts';
import type { LineStatus, MemberName, MemberStatus } from '../core/sequence/model.ts';
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
  const ofGroups = decided.flatMap((each) => linesOf(each, previous, now));
  const lines = new Map<string, LineStatus>();
  for (const [line, status] of ofGroups) {
    const other = lines.get(line);
    lines.set(line, other === undefined ? status : joined(other, status));
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
  now: Date,
): [string, LineStatus][] {
  const { assessment } = decided;
  if (!canRoll(assessment) || !isMeant(assessment)) return [];
  return assessment.launch.sources.flatMap((source) => {
    const { line } = source.inSequence ?? {};
    if (line === undefined) return [];
    const before = previous?.lines.get(line);
    const failed = failureOf(decided, source, before, now);
    return [[line, { ...lineStatus(decided, source, before), ...(failed && { failed }) }]];
  });
}

function lineStatus(
  decided: GroupDecision,
  source: LaunchSource,
  before: LineStatus | undefined,
): LineStatus {
  const { assessment, decision } = decided;
  const isRolling = assessment.group.roll !== undefined && decision.kind !== 'finish';
  const { newest } = source.inSequence ?? {};
  const runs = runsOf(assessment, source);
  const rolling = isRolling ? rollingOf(assessment, source, before) : undefined;
  const hindered = rolling === undefined ? hindranceOf(decided, source) : undefined;
  return {
    ...(newest !== undefined && { newest }),
    ...(runs && { runs }),
    ...(rolling !== undefined && { rolling }),
    ...(hindered !== undefined && { hindered: cut(hindered, LONGEST) }),
  };
}

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
  const said =
    group.roll?.course.kind === 'forward' ? undefined : (before?.rolling ?? before?.failed?.release);
  return names[0] ?? said ?? target.name;
}

function hindranceOf({ assessment, decision }: GroupDecision, source: LaunchSource): string | undefined {
  const { group, settings } = assessment;
  const { image, mode, drift } = settings;
  if (decision.kind === 'paused' || decision.kind === 'blocked' || source.rejected !== undefined)
    return describeDecision(decision);
  if (group.closed !== undefined) return sentenceOf(group.closed);
  if (mode === 'plan') return 'begins no roll by itself, by MODE=plan';
  if (image.kind === 'id') return `is pinned to ${image.imageId} by IMAGE`;
  return drift.includes('image') ? undefined : 'replaces nothing for an image, by DRIFT';
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
function joined(one: LineStatus, other: LineStatus): LineStatus {
  const runs = [one.runs, other.runs].flatMap((each) => each ?? []);
  const newest = laterOf([one.newest, other.newest]);
  const oldest = runs.map((each) => each.oldest).reduce(earlierOf, runs[0]?.oldest ?? '');
  const latest = laterOf(runs.map((each) => each.newest));
  const rolling = one.rolling ?? other.rolling;
  const hindered = isReady(one) || isReady(other) ? undefined : (one.hindered ?? other.hindered);
  const failed = one.failed ?? other.failed;
  return {
    ...(newest !== undefined && { newest }),
    ...(latest !== undefined && { runs: { oldest, newest: latest } }),
    ...(rolling !== undefined && { rolling }),
    ...(hindered !== undefined && { hindered }),
    ...(failed && { failed }),
  };
}

const isReady = ({ hindered, runs, newest }: LineStatus) => hindered === undefined && runs?.oldest !== newest;

const earlierOf = (one: string, other: string) => (isNewer(one, other, []) ? other : one);

function laterOf(names: readonly (string | undefined)[]): string | undefined {
  return names.reduce(
    (one, other) => (one === undefined || (other !== undefined && isNewer(other, one, [])) ? other : one),
    undefined,
  );
}
