import type { ChatNotification } from '../model/roll-event.ts';
import { chatOf, cut } from '../text/events.ts';
import type { Advanced } from './advance.ts';
import { type MemberName, memberKey, type SequenceEvent } from './model.ts';
import type { StageView } from './views.ts';

/** What goes to the event bus: a release got on, or was halted. */
export interface SequenceBusEvent {
  readonly version: '1';
  readonly id: string;
  readonly kind: SequenceEvent['kind'];
  readonly at: string;
  /** A family with its architecture, or the owner's pattern or parameter. */
  readonly line: string;
  /** Absent where a release is halted because one of another architecture was. */
  readonly stage?: string;
  readonly release: string;
  readonly why?: string;
  /** One line for a person. */
  readonly text: string;
  readonly chat: ChatNotification;
}

/** By kind: its detail type on the bus, how a chat shows it, and what people read. */
const WORDS: Readonly<Record<SequenceEvent['kind'], readonly [string, string, string]>> = {
  ApprovalAwaited: ['Approval awaited', ':raised_hand:', 'waits for somebody to approve'],
  StageBegan: ['Stage began', ':arrow_forward:', 'begins'],
  StageCompleted: ['Stage completed', ':white_check_mark:', 'has completed, and now soaks'],
  ReleaseQualified: ['Release qualified', ':white_check_mark:', 'has qualified'],
  StageStarved: ['Stage starved', ':warning:', 'gets nothing through, and all other stages wait for it:'],
  ReleaseHalted: ['Release halted', ':octagonal_sign:', 'halts'],
};

/** Its detail type on the bus. */
export function sequenceDetailType(kind: SequenceEvent['kind']): string {
  return WORDS[kind][0];
}

const LONGEST_TEXT = 4000;

export function sequenceBusEvent(event: SequenceEvent, now: Date): SequenceBusEvent {
  const { kind, line, stage, release } = event;
  const at = now.toISOString();
  const [eventType, sign, does] = WORDS[kind];
  const place = stage === undefined ? line : `${stage}, ${line}`;
  const why = 'why' in event ? event.why : undefined;
  const text = cut(`${place}: ${does} ${release}${why === undefined ? '' : ` (${why})`}`, LONGEST_TEXT);
  const id = [line, stage ?? '*', release, kind, at].join('/');
  return {
    version: '1',
    id,
    kind,
    at,
    line,
    ...(stage !== undefined && { stage }),
    release,
    ...(why !== undefined && { why: cut(why, LONGEST_TEXT) }),
    text,
    chat: chatOf({ id, sign, eventType, place, text, threadId: `${line}/${release}` }),
  };
}

/** What goes to the event bus of a member: somebody rolls it whatever its sequence says. */
export type OutsideSequenceEvent = Omit<SequenceBusEvent, 'kind' | 'line' | 'stage' | 'release' | 'why'> &
  MemberName & { readonly kind: 'OutsideSequence'; readonly clusters: readonly string[] };

export const OUTSIDE_SEQUENCE = 'Roll outside sequence';

export function outsideSequenceEvent(
  member: MemberName,
  clusters: readonly string[],
  now: Date,
): OutsideSequenceEvent {
  const at = now.toISOString();
  const place = memberKey(member);
  const id = [place, at].join('/');
  const text = cut(`${place}: somebody rolls ${clusters.join(' and ')} outside its sequence`, LONGEST_TEXT);
  const chat = chatOf({
    id,
    sign: ':warning:',
    eventType: OUTSIDE_SEQUENCE,
    place,
    text,
    threadId: `${place}/outside`,
  });
  return { version: '1', id, kind: 'OutsideSequence', at, ...member, clusters, text, chat };
}

/** The log has it at every pass, for each line and stage. */
const LONGEST_WAIT = 2000;

/** One line for a person: how a stage stands. */
export function describeView({ line, stage, release, phase, waitsFor, until }: StageView): string {
  const what = [phase, ...(release === undefined ? [] : [release])].join(' ');
  const waits = waitsFor === '' ? '' : `, waits for ${cut(waitsFor, LONGEST_WAIT)}`;
  return `${stage}, ${line}: ${what}${waits}${until === undefined ? '' : `, until ${until.toISOString()}`}`;
}

/**
 * The members that a stage would have to wait for, or that failed. Once it is complete, it has left behind
 * who still could roll, or doesn't come to an end.
 */
export function lateIn({ members, phase }: StageView): {
  readonly late: string[];
  readonly failed: string[];
} {
  const keysOf = (is: (each: StageView['members'][number]) => boolean) =>
    members.filter(is).map(({ status }) => memberKey(status.member));
  const isBehind = phase === 'soaking' || phase === 'qualified';
  return {
    late: keysOf(({ standing, why }) =>
      isBehind
        ? standing === 'ready' || standing === 'rolling'
        : phase === 'rolling' && standing !== 'failed' && why !== undefined,
    ),
    failed:
      phase === 'rolling' || phase === 'soaking' || phase === 'halted'
        ? keysOf(({ standing }) => standing === 'failed')
        : [],
  };
}

/** So many of a kind: a member may see to any number, and the log has them at every pass. */
const MOST_REMARKS = 20;

/** What of the table counts for nothing, a sentence each. */
export function remarksOf({
  refused,
  strangers,
  crowdedOut,
  unreadable,
}: Pick<Advanced, 'refused' | 'strangers' | 'crowdedOut'> & {
  readonly unreadable: readonly string[];
}): string[] {
  const orders = refused.map(
    ({ order, why }) => `the order ${order.kind} of ${order.by} means nothing: ${why}`,
  );
  return [
    ...first(orders, 'orders'),
    ...first(
      strangers.map((each) => `${memberKey(each)} speaks, and no stage names it: it is ignored`),
      'stacks',
    ),
    ...first(
      crowdedOut.map((line) => `there is no room to remember ${line}: nothing is allowed in it`),
      'lines',
    ),
    ...first(
      unreadable.map((each) => `an item is ignored: ${each}`),
      'items',
    ),
  ];
}

function first(texts: readonly string[], noun: string): string[] {
  const left = texts.length - MOST_REMARKS;
  return left <= 0
    ? [...texts]
    : [...texts.slice(0, MOST_REMARKS), `${left} more ${noun} like these are ignored`];
}
