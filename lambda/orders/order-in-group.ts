import { act } from '../act/act.ts';
import type { DescribedGroup } from '../aws/autoscaling.ts';
import { untagGroup } from '../aws/autoscaling-changes.ts';
import { GROUP_TAGS } from '../contract.ts';
import type { Action, Decision } from '../core/actions/decision.ts';
import type { Ordered } from '../core/model/group.ts';
import type { Order } from '../core/model/request.ts';
import { recordOrder } from '../core/orders.ts';
import type { Command } from '../event.ts';
import type { Invocation } from '../invocation.ts';
import { readPausedSince, readRejection, readRoll } from '../tags/tags.ts';
import { isCourse } from './given-order.ts';

/** What became of an order in one group. */
export interface Taken {
  readonly cluster: string;
  /** `*` where it is about the cluster as a whole. */
  readonly group: string;
  readonly state: 'noted' | 'nothing-to-do' | 'failed';
  /** A sentence for a person. */
  readonly reason: string;
}

/** An order, as the command of an invocation. */
export type OrderCommand = Pick<Command, 'clusters'> & { readonly action: Order };

/** The work on one order. */
export interface Taking extends Pick<Invocation, 'aws' | 'settings' | 'clock' | 'remainingSeconds'> {
  readonly command: OrderCommand;
  readonly orderedAt: Date;
  /** By cluster and group. */
  readonly taken: Map<string, Taken>;
  /** Groups on whose tags it was put, by cluster and group. */
  readonly written: Set<string>;
  /** Whether something failed at the latest look that may go well at the next. */
  retry: boolean;
  watchedSince: Date;
}

/** Writes it on one group's tags, unless it stands there or the group has nothing to do with it. */
export async function inGroup(taking: Taking, cluster: string, record: DescribedGroup): Promise<void> {
  const { aws, command, orderedAt, clock, taken } = taking;
  const { name, tags } = record;
  const now = clock.now();
  const group: Ordered = {
    name,
    pausedSince: readPausedSince(tags, now),
    roll: readRoll(tags, cluster, now),
    rejection: readRejection(tags),
  };
  const { action } = command;
  // Another's failed at the latest look; what somebody has said of this one since stands.
  if (!isCourse(action) && taken.get(keyOf(cluster, name))?.state === 'noted') return;
  const decision = isCourse(action)
    ? recordOrder(group, { begin: false, order: action, orderedAt }, { now })
    : byAllMeans(group, action, now);
  if (decision === undefined) return leave(taking, cluster, record, group);
  const key = keyOf(cluster, name);
  if (!('actions' in decision)) {
    taken.set(key, { cluster, group: name, state: 'failed', reason: decision.reason });
    return;
  }
  taking.written.add(key);
  const target = { cluster, group: name, uuid: record.uuid };
  for (const each of decision.actions) if (!isRejection(each)) await act(aws, target, each);
  taking.watchedSince = clock.now();
  taken.set(key, { cluster, group: name, state: 'noted', reason: decision.reason });
}

/**
 * The roll itself notes, as it ends, that its images are not to be tried again. Noted here, and the roll being over
 * meanwhile, it would be said of what the group runs.
 */
function isRejection({ kind }: Action): boolean {
  return kind === 'record-rejection';
}

/** A read may lag behind somebody's opposite word, so that it is written whatever the tags say. */
function byAllMeans(
  { name, pausedSince }: Ordered,
  order: 'pause' | 'resume',
  now: Date,
): Extract<Decision, { kind: 'act' }> {
  const action: Action =
    order === 'pause'
      ? { kind: 'pause', group: name, since: pausedSince ?? now }
      : { kind: 'resume', group: name };
  const reason = order === 'pause' ? 'is paused, as somebody asks' : 'may go on, as somebody asks';
  return { kind: 'act', reason, actions: [action] };
}

/** Nothing is to be written, or written again. */
async function leave(
  { aws, taken, command, written }: Taking,
  cluster: string,
  { name, tags }: DescribedGroup,
  { roll }: Ordered,
): Promise<void> {
  const key = keyOf(cluster, name);
  const tell = (state: Taken['state'], reason: string) =>
    taken.set(key, { cluster, group: name, state, reason });
  if (roll === undefined) {
    // What came too late would be left there.
    if (written.has(key) && tags[GROUP_TAGS.course]?.startsWith(command.action))
      await untagGroup(aws, name, [GROUP_TAGS.course, GROUP_TAGS.because]);
    tell('nothing-to-do', 'its roll has ended');
    return;
  }
  const { course } = roll;
  if (course.kind === 'forward') return;
  const says = `its tags say ${course.kind} since ${course.since.toISOString()} (${course.because})`;
  tell(course.kind === command.action ? 'noted' : 'nothing-to-do', says);
}

export function keyOf(cluster: string, group: string): string {
  return `${cluster}/${group}`;
}
