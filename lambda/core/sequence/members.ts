import { isOver } from '../model/time.ts';
import { isLike, MANY } from '../model/wildcards.ts';
import {
  type KnownRelease,
  type LineState,
  type LineStatus,
  type MemberName,
  type MemberStatus,
  memberKey,
  type Sequence,
  type SequenceState,
  type Slot,
  type StageMembers,
  type StageState,
} from './model.ts';
import { isNewer } from './release.ts';

/** The members of each stage, by its name, in a lasting order; and statuses of stacks that no stage names. */
export interface Placed {
  readonly byStage: ReadonlyMap<string, readonly MemberStatus[]>;
  readonly leftOut: readonly MemberName[];
  readonly strangers: readonly MemberName[];
}

export function place(
  { stages }: Sequence,
  { leftOut }: SequenceState,
  statuses: readonly MemberStatus[],
): Placed {
  const sorted = [...statuses].sort((a, b) => (memberKey(a.member) < memberKey(b.member) ? -1 : 1));
  const stageOf = ({ member }: MemberStatus) =>
    stages.find(({ members }) => members.some((each) => isNamedBy(member, each)))?.name;
  const out = new Set(leftOut);
  const isIn = ({ member }: MemberStatus) => !out.has(memberKey(member));
  const byStage = new Map(
    stages.map(({ name }) => [name, sorted.filter((each) => isIn(each) && stageOf(each) === name)]),
  );
  const strangers = sorted.filter((each) => stageOf(each) === undefined).map(({ member }) => member);
  const left = sorted.filter((each) => !isIn(each)).map(({ member }) => member);
  return { byStage, leftOut: left, strangers };
}

function isNamedBy(member: MemberName, { account, regions, stacks }: StageMembers): boolean {
  return (
    member.account === account &&
    (regions === undefined || regions.includes(member.region)) &&
    (stacks === undefined || isOneOf(member.stack, stacks))
  );
}

export function isOneOf(stack: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) =>
    isLike(
      stack,
      [...pattern].map((each) => (each === '*' ? MANY : each)),
    ),
  );
}

/** How a member stands to the release that its stage takes. Whoever can begin is `ready`. */
export type Standing = 'done' | 'failed' | 'rolling' | 'ready' | 'hindered' | 'silent';

export interface Standings {
  readonly status: MemberStatus;
  readonly standing: Standing;
  /** Why it is hindered, silent or failed, doesn't go on, or had a slot in vain. */
  readonly why?: string;
}

/** How the members of a stage stand to its release; those that run nothing of the line aren't of it. */
export function standingsOf(
  members: readonly MemberStatus[],
  line: string,
  { known }: Pick<LineState, 'known'>,
  state: StageState,
  silentAfterHours: number,
  now: Date,
): Standings[] {
  return members
    .filter(({ lines }) => lines.get(line)?.runs !== undefined)
    .map((status) => ({ status, ...standingOf(status, line, known, state, silentAfterHours, now) }));
}

function standingOf(
  status: MemberStatus,
  line: string,
  known: readonly KnownRelease[],
  state: StageState,
  silentAfterHours: number,
  now: Date,
): Omit<Standings, 'status'> {
  const { release, since, isBack = false } = state;
  const own = status.lines.get(line);
  if (own?.runs === undefined || release === undefined || since === undefined) return { standing: 'ready' };
  const why = whyFailed(status, own, state);
  if (why !== undefined) return { standing: 'failed', why };
  if (own.rolling === undefined && isThere(own.runs, release, known, isBack)) return { standing: 'done' };
  if (isOver(status.spokeAt, silentAfterHours * 3600, now))
    return { standing: 'silent', why: `has said nothing since ${status.spokeAt.toISOString()}` };
  if (own.rolling === release)
    return { standing: 'rolling', ...(own.hindered !== undefined && { why: own.hindered }) };
  const hindered = whyHindered(status, own, release, known, isBack);
  if (hindered !== undefined) return { standing: 'hindered', why: hindered };
  const inVain = whyInVain(state.slots.get(memberKey(status.member)));
  return { standing: 'ready', ...(inVain !== undefined && { why: `had its turn: ${inVain}` }) };
}

/** Why the member has had a slot in vain; undefined if it hasn't. */
export function whyInVain({ passedOver, why }: Partial<Slot> = {}): string | undefined {
  return passedOver ?? why;
}

function whyFailed(
  { alarmSince }: MemberStatus,
  { failed, runs, rolling }: LineStatus,
  { release, since, forgivenAt, qualified }: StageState,
): string | undefined {
  const isMeant = (at: Date) =>
    since !== undefined && at >= since && (forgivenAt === undefined || at > forgivenAt);
  if (failed?.release === release && failed !== undefined && isMeant(failed.at)) return failed.why;
  // An alarm before it had anything of the release says nothing of it, nor does one after its soak.
  const isAtIt = [runs?.newest, runs?.oldest, rolling].includes(release);
  const isTried = isAtIt && qualified !== release;
  return alarmSince !== undefined && isTried && isMeant(alarmSince) ? 'an alarm of its own is on' : undefined;
}

function whyHindered(
  { acceptsRevert }: MemberStatus,
  { rolling, hindered, readyFrom, newest, failed }: LineStatus,
  release: string,
  known: readonly KnownRelease[],
  isBack: boolean,
): string | undefined {
  if (rolling !== undefined) return `rolls onto ${rolling}`;
  const isReady = readyFrom !== undefined && (isBack || isNewer(release, readyFrom, known));
  if (hindered !== undefined && !isReady) return hindered;
  // Forgiven, it is no failure of the release any more; the member itself doesn't try that again.
  if (failed?.release === release) return `doesn't try it again: ${failed.why}`;
  if (isBack) return acceptsRevert ? undefined : 'accepts no revert, by its settings';
  const hasIt = newest !== undefined && !isNewer(release, newest, known);
  return hasIt ? undefined : 'has no such image yet';
}

function isThere(
  { oldest, newest }: { readonly oldest: string; readonly newest: string },
  release: string,
  known: readonly KnownRelease[],
  isBack: boolean,
): boolean {
  return isBack ? !isNewer(newest, release, known) : !isNewer(release, oldest, known);
}
