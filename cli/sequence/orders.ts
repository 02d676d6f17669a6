import { PARTITIONS } from '../../lambda/contract.ts';
import { isHalted, stageIn } from '../../lambda/core/sequence/line.ts';
import {
  type LineState,
  type MemberName,
  memberKey,
  type Sequence,
  type SequenceOrder,
  type SequenceSeen,
  type SequenceState,
} from '../../lambda/core/sequence/model.ts';
import { isNewer } from '../../lambda/core/sequence/release.ts';
import { takeSequenceOrders } from '../../lambda/core/sequence/sequence-orders.ts';
import { ItemUnreadable, memberIn } from '../../lambda/sequence/items.ts';
import { Complaint } from '../session.ts';

export type OrderKind = SequenceOrder['kind'];

type GivenInLine = { readonly line?: string | undefined } & (
  | { readonly kind: 'halt'; readonly release?: string | undefined; readonly isNow?: boolean | undefined }
  | { readonly kind: 'resume' | 'expedite'; readonly release: string }
  | { readonly kind: 'skip-soak'; readonly stage: string }
  | { readonly kind: 'approve'; readonly stage: string; readonly release?: string | undefined }
  | { readonly kind: 'revert'; readonly stage: string; readonly release: string }
);

/** An order as somebody types it. */
export type GivenOrder =
  | GivenInLine
  | {
      readonly kind: 'leave-out' | 'take-in';
      /** `<account>#<Region>#<stack>`, or the stack's name alone. */
      readonly stack: string;
    };

type Signature = Pick<SequenceOrder, 'id' | 'by' | 'at'>;

/** What each order does. */
export const ORDERED: Readonly<Record<OrderKind, string>> = {
  halt: 'nobody else begins a roll onto it; rolls under way end by themselves',
  resume: 'lift a halt, and forgive the failures that there have been',
  expedite: 'let a release through all stages without soaks, still in their order',
  'skip-soak': "end a stage's soak now",
  approve: 'let a stage begin the release that it asks about',
  revert: 'take a stage back to an older release, where its stacks accept that',
  'leave-out': 'have nobody wait for a stack, and it begin nothing',
  'take-in': 'take back a stack that was left out',
};

/** As somebody would type it. */
export function orderText(order: SequenceOrder): string {
  if ('member' in order) return `${order.kind} ${memberKey(order.member)}`;
  const { kind, line } = order;
  return [
    kind,
    ...('stage' in order ? [order.stage] : []),
    ...('release' in order && order.release !== undefined ? [order.release] : []),
    ...(kind === 'halt' && order.isNow ? ['--now'] : []),
    ...(line === undefined ? [] : [`--line ${line}`]),
  ].join(' ');
}

/**
 * The order, once it is sure to mean something to the next pass, which takes it after those that wait.
 *
 * @throws Complaint with what it may be
 */
export function makeOrder(
  given: GivenOrder,
  signature: Signature,
  sequence: Sequence,
  seen: SequenceSeen,
): SequenceOrder {
  const names = sequence.stages.map(({ name }) => name);
  const { state } = takeSequenceOrders(seen.state, seen.orders, names, signature.at);
  if ('stack' in given) {
    const { kind, stack } = given;
    return { ...signature, kind, member: memberMeant(kind, stack, sequence, seen, state) };
  }
  if ('stage' in given) oneOf('stage', given.stage, names);
  const lines = linesIn(state, given.line);
  return { ...signature, ...(given.line !== undefined && { line: given.line }), ...inLines(given, lines) };
}

type InLines = SequenceOrder extends infer Order
  ? Order extends { readonly member: MemberName }
    ? never
    : Omit<Order, keyof Signature | 'line'>
  : never;

function inLines(given: GivenInLine, lines: readonly LineState[]): InLines {
  switch (given.kind) {
    case 'halt': {
      const { kind, release, isNow } = given;
      if (release === undefined) demandUnderWay(lines);
      else demandHaltable(release, isNow ?? false, lines);
      return { kind, ...(release !== undefined && { release }), ...(isNow && { isNow }) };
    }
    case 'resume': {
      const halted = lines.flatMap(({ halts }) => halts.map(({ release }) => release));
      return { kind: given.kind, release: oneOf('halted release', given.release, halted) };
    }
    case 'expedite':
      demandExpeditable(given.release, lines);
      return { kind: given.kind, release: given.release };
    case 'skip-soak': {
      const { kind, stage } = given;
      if (!lines.some((line) => soaksIn(line, stage))) throw new Complaint(`no release soaks in ${stage}`);
      return { kind, stage };
    }
    case 'approve': {
      const { kind, stage } = given;
      const asked = [...new Set(lines.flatMap((line) => askedIn(line, stage)))];
      const [only, ...others] = asked;
      if (only === undefined) throw new Complaint(`${stage} asks about no release`);
      const release = given.release ?? (others.length === 0 ? only : undefined);
      return { kind, stage, release: oneOf('release asked about', release, asked) };
    }
    case 'revert': {
      const { kind, stage } = given;
      const older = lines.flatMap((line) => olderIn(line, stage));
      return { kind, stage, release: oneOf(`release before that of ${stage}`, given.release, older) };
    }
  }
}

function linesIn({ lines }: SequenceState, line: string | undefined): LineState[] {
  if (lines.size === 0) throw new Complaint('the sequence knows no release yet: no stack has named any');
  if (line !== undefined) oneOf('line', line, [...lines.keys()]);
  return [...lines].flatMap(([name, each]) => (line === undefined || line === name ? [each] : []));
}

/** The latest: nobody reads a hundred names. */
const MOST_NAMED = 8;

/** @throws Complaint unless it is one of them */
function oneOf(what: string, was: string | undefined, may: readonly string[]): string {
  if (was !== undefined && may.includes(was)) return was;
  const given = was === undefined ? `there are several of ${what}: name one` : `the ${what} was "${was}"`;
  const named = [...new Set(may)].slice(-MOST_NAMED).join(' or ');
  throw new Complaint(`${given}; ${may.length === 0 ? 'there is none' : `it may be ${named}`}`);
}

/** Of each line that knows the release. @throws Complaint if none does */
function withRelease(release: string, lines: readonly LineState[]): LineState[] {
  const isKnown = ({ known }: LineState) => known.some(({ name }) => name === release);
  oneOf(
    'release',
    release,
    lines.flatMap(({ known }) => known.map(({ name }) => name)),
  );
  return lines.filter(isKnown);
}

function demandUnderWay(lines: readonly LineState[]): void {
  const isUnderWay = (line: LineState) =>
    [...line.stages.values()].some(
      ({ release, qualified }) => release !== undefined && release !== qualified && !isHalted(line, release),
    );
  if (!lines.some(isUnderWay)) throw new Complaint('no release is under way; name the one to halt');
}

function demandHaltable(release: string, isNow: boolean, lines: readonly LineState[]): void {
  const isDone = ({ halts }: LineState) =>
    halts.some((each) => each.release === release && (each.isNow || !isNow));
  if (withRelease(release, lines).every(isDone)) throw new Complaint(`${release} is halted already`);
}

function demandExpeditable(release: string, lines: readonly LineState[]): void {
  const its = withRelease(release, lines);
  if (its.every((line) => isHalted(line, release)))
    throw new Complaint(`${release} is halted; resume it first`);
  const known = its.flatMap((line) => line.known.filter(({ name }) => name === release));
  if (known.every(({ isExpedited }) => isExpedited)) throw new Complaint(`${release} is expedited already`);
}

function soaksIn(line: LineState, stage: string): boolean {
  const { release, completedAt, qualified, skipsSoak } = stageIn(line, stage);
  const isOpen = release !== undefined && release !== qualified && !isHalted(line, release);
  return isOpen && completedAt !== undefined && !skipsSoak;
}

function askedIn(line: LineState, stage: string): string[] {
  const { asked, approved, release } = stageIn(line, stage);
  return asked === undefined || asked === approved || asked === release ? [] : [asked];
}

function olderIn(line: LineState, stage: string): string[] {
  const { release } = stageIn(line, stage);
  if (release === undefined) return [];
  return line.known.flatMap(({ name }) => (isNewer(release, name, line.known) ? [name] : []));
}

/** One that hasn't spoken yet may be left out, too, if it is named in full. */
function memberMeant(
  kind: 'leave-out' | 'take-in',
  stack: string,
  { stages }: Sequence,
  { statuses }: SequenceSeen,
  { leftOut }: SequenceState,
): MemberName {
  const spoken = statuses.map(({ member }) => memberKey(member));
  const may = kind === 'take-in' ? leftOut : spoken.filter((key) => !leftOut.includes(key));
  const meant = may.filter((key) => key === stack || key.endsWith(`#${stack}`));
  if (meant.length > 1) throw new Complaint(`there are several; name ${meant.join(' or ')}`);
  const named = meant[0] === undefined ? undefined : memberNamed(meant[0]);
  if (named !== undefined) return named;
  const silent = kind === 'leave-out' && !leftOut.includes(stack) ? memberNamed(stack) : undefined;
  const isOurs = stages.some(({ members }) => members.some(({ account }) => account === silent?.account));
  if (silent !== undefined && isOurs) return silent;
  const choice = may.length === 0 ? 'there is none' : `it may be ${may.slice(0, MOST_NAMED).join(' or ')}`;
  throw new Complaint(`the stack was "${stack}"; ${choice}`);
}

function memberNamed(key: string): MemberName | undefined {
  const [account = '', ...rest] = key.split('#');
  try {
    return memberIn({ pk: PARTITIONS.status(account), sk: rest.join('#') });
  } catch (error) {
    if (error instanceof ItemUnreadable) return undefined;
    throw error;
  }
}
