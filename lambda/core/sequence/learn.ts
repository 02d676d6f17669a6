import { NEW_LINE } from './line.ts';
import type { Placed } from './members.ts';
import type { Halt, KnownRelease, LineState, MemberStatus, SequenceState } from './model.ts';
import { isNewer } from './release.ts';

/** Anybody in an account of a member may tell of ever new lines and releases. See also `room.ts`. */
const MOST_LINES = 100;
const MOST_KNOWN = 50;
const MOST_HALTED = 20;

type Tellers = ReadonlyMap<string, readonly MemberStatus[]>;

/** The lines that members tell of, or have: those of the most accounts first, as not all may have room. */
export function learnLines(
  { lines }: SequenceState,
  { byStage }: Placed,
  now: Date,
): (readonly [string, LineState])[] {
  const [first = []] = byStage.values();
  const [tellers, ofFirst] = [tellersOf([...byStage.values()].flat()), tellersOf(first)];
  return inRank(lines, tellers)
    .slice(0, MOST_LINES)
    .map((name) => [
      name,
      learn(lines.get(name) ?? NEW_LINE, name, ofFirst.get(name) ?? tellers.get(name) ?? [], now),
    ]);
}

/** The lines that members tell of. */
export function linesTold({ byStage }: Placed): string[] {
  return [...tellersOf([...byStage.values()].flat()).keys()];
}

function tellersOf(members: readonly MemberStatus[]): Tellers {
  const tellers = new Map<string, MemberStatus[]>();
  for (const member of members)
    for (const line of member.lines.keys()) {
      const others = tellers.get(line) ?? [];
      others.push(member);
      tellers.set(line, others);
    }
  return tellers;
}

function inRank(lines: SequenceState['lines'], tellers: Tellers): string[] {
  const accountsOf = (name: string) => [
    ...new Set((tellers.get(name) ?? []).map(({ member: { account } }) => account)),
  ];
  const told = new Map<string, number>();
  for (const account of [...tellers.keys()].flatMap(accountsOf))
    told.set(account, (told.get(account) ?? 0) + 1);
  return [...new Set([...lines.keys(), ...tellers.keys()])]
    .filter((name) => tellers.has(name) || isRemembered(lines.get(name)))
    .map((name) => {
      const accounts = accountsOf(name);
      // One that tells of many takes no room from another.
      const fewest = Math.min(...accounts.map((account) => told.get(account) ?? 0));
      return { name, accounts: accounts.length, fewest, isKnown: Number(lines.has(name)) };
    })
    .sort(
      (a, b) =>
        b.accounts - a.accounts || a.fewest - b.fewest || b.isKnown - a.isKnown || (a.name < b.name ? -1 : 1),
    )
    .map(({ name }) => name);
}

/** Something follows from it even if nobody tells of it now. */
function isRemembered({ halts, stages }: LineState = NEW_LINE): boolean {
  return halts.length > 0 || [...stages.values()].some(({ release }) => release !== undefined);
}

/** @param members those that tell of the line: of the first stage, from which releases come, if any is */
function learn(line: LineState, name: string, members: readonly MemberStatus[], now: Date): LineState {
  const courses = members.map(({ lines }) => {
    const { newest, runs } = lines.get(name) ?? {};
    return [runs?.oldest, runs?.newest, newest].flatMap((each) => each ?? []);
  });
  const told = new Set(courses.flat());
  const all = inOrder(line.known, courses, now);
  const halts = lastOf(line.halts);
  const taken = new Set(
    [...line.stages.values()].flatMap(({ release, qualified, before, asked }) => [
      release,
      qualified,
      before,
      asked,
    ]),
  );
  const isTaken = (each: KnownRelease) =>
    taken.has(each.name) || halts.some(({ release }) => release === each.name);
  const known = withinRoom(
    withinRoom(all, (each) => isTaken(each) || told.has(each.name)),
    isTaken,
  );
  return { ...line, known, halts };
}

/**
 * Notes the releases that are told of for the first time after all others, but before what a member that runs
 * them would choose instead.
 *
 * @param courses what each member runs and would choose, the oldest first
 */
function inOrder(
  known: readonly KnownRelease[],
  courses: readonly (readonly string[])[],
  now: Date,
): readonly KnownRelease[] {
  const before = new Set(known.map(({ name }) => name));
  const told = new Set(mostTold(courses.flat().filter((each) => !before.has(each))));
  if (told.size === 0) return known;
  const pairs = courses.flatMap((course) =>
    course.slice(1).map((newer, index) => [course[index], newer] as const),
  );
  const newerThan = new Map<string, Set<string>>();
  for (const [older = '', newer] of pairs)
    if (told.has(older) && older !== newer)
      newerThan.set(older, (newerThan.get(older) ?? new Set()).add(newer));
  const all = [...known];
  for (const name of inSteps([...told].sort(byNumbers), newerThan)) {
    const newer = newerThan.get(name);
    const at = newer === undefined ? -1 : all.findIndex((each) => newer.has(each.name));
    all.splice(at < 0 ? all.length : at, 0, { name, since: now });
  }
  return all;
}

/** More than there is room for is somebody's mischief, and would take long to put in order. */
function mostTold(names: readonly string[]): string[] {
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  const all = [...times].sort(([a, often], [b, oftener]) => oftener - often || (a < b ? -1 : 1));
  return all.slice(0, 2 * MOST_KNOWN).map(([name]) => name);
}

const byNumbers = (a: string, b: string) => (isNewer(a, b, []) ? 1 : isNewer(b, a, []) ? -1 : a < b ? -1 : 1);

/** First what nobody has anything newer than, then what that is chosen instead of. Liars tell of circles. */
function inSteps(names: readonly string[], newerThan: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const done = new Set<string>();
  let left = names;
  while (left.length > 0) {
    const open = new Set(left);
    const next = left.filter((name) => ![...(newerThan.get(name) ?? [])].some((each) => open.has(each)));
    for (const name of next.length > 0 ? next : left) done.add(name);
    left = left.filter((name) => !done.has(name));
  }
  return [...done];
}

/** Old releases that nobody runs say nothing any more. */
function withinRoom(known: readonly KnownRelease[], isUsed: (each: KnownRelease) => boolean): KnownRelease[] {
  const unused = known.filter((each) => !isUsed(each)).slice(0, Math.max(0, known.length - MOST_KNOWN));
  return known.filter((each) => !unused.includes(each));
}

/** One that is older than so many others can't come again: stages only take newer ones. */
function lastOf(halts: readonly Halt[]): readonly Halt[] {
  return halts.length <= MOST_HALTED ? halts : halts.slice(-MOST_HALTED);
}
