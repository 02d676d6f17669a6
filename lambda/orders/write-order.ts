import { act } from '../act/act.ts';
import type { DescribedGroup } from '../aws/autoscaling.ts';
import { untagGroup } from '../aws/autoscaling-changes.ts';
import { GROUP_TAGS } from '../contract.ts';
import type { Action } from '../core/actions/decision.ts';
import type { Ordered } from '../core/model/group.ts';
import type { Order } from '../core/model/request.ts';
import type { Roll } from '../core/model/roll.ts';
import { sentenceOf } from '../core/reasons/reason.ts';
import { alwaysWrite, recordOrder } from '../core/record-order.ts';
import { describeDecision } from '../core/text/decision.ts';
import type { Command } from '../event.ts';
import type { Invocation } from '../invocation.ts';
import { readNotice, readPausedSince, readRejection, readRoll } from '../tags/roll-tags.ts';
import { concernsRolls, isAnswer } from './order.ts';

/** The outcome of an order in a group. */
export interface OrderResult {
  readonly cluster: string;
  /** `*` if it is about the whole cluster. */
  readonly group: string;
  readonly state: 'noted' | 'nothing-to-do' | 'failed';
  /** A sentence for a person. */
  readonly reason: string;
}

/** An order as an invocation's command. */
export type OrderCommand = Pick<Command, 'clusters' | 'answers'> & { readonly action: Order };

/** The state of taking one order. */
export interface OrderRun extends Pick<Invocation, 'aws' | 'settings' | 'clock' | 'remainingSeconds'> {
  readonly command: OrderCommand;
  readonly orderedAt: Date;
  /** By cluster and group. */
  readonly results: Map<string, OrderResult>;
  /** Groups whose tags it was written on, by cluster and group. */
  readonly written: Set<string>;
  /** Whether something failed at the latest look that may succeed at the next. */
  retry: boolean;
  watchedSince: Date;
}

/** Writes the order on a group's tags, unless it is there already or doesn't concern the group. */
export async function orderGroup(run: OrderRun, cluster: string, described: DescribedGroup): Promise<void> {
  const { aws, command, orderedAt, clock, results } = run;
  const { name, tags } = described;
  const now = clock.now();
  const group: Ordered = {
    name,
    pausedSince: readPausedSince(tags, now),
    roll: readRoll(tags, cluster, now),
    notice: readNotice(tags, cluster, now),
    rejection: readRejection(tags),
  };
  const { action, answers } = command;
  // This look may only be a retry for another group. If this group's order was written, a later one stands.
  if (!concernsRolls(action) && results.get(keyOf(cluster, name))?.state === 'noted') return;
  const decision = concernsRolls(action)
    ? recordOrder(group, { begin: false, order: action, orderedAt, ...(answers && { answers }) }, { now })
    : alwaysWrite(group, action, now);
  if (decision === undefined) return writeNothing(run, cluster, described, group);
  const key = keyOf(cluster, name);
  if (!('actions' in decision)) {
    results.set(key, { cluster, group: name, state: 'failed', reason: describeDecision(decision) });
    return;
  }
  run.written.add(key);
  const begun = group.roll?.startedAt ?? group.notice?.givenAt;
  const target = { cluster, group: name, uuid: described.uuid, begun };
  for (const each of decision.actions) if (!isRejection(each)) await act(aws, target, each, clock.now());
  run.watchedSince = clock.now();
  results.set(key, { cluster, group: name, state: 'noted', reason: describeDecision(decision) });
}

/**
 * The roll itself records, when it ends, that its images aren't to be tried again. If we recorded it and
 * the roll ended meanwhile, we would reject the images that the group runs.
 */
function isRejection({ kind }: Action): boolean {
  return kind === 'record-rejection';
}

/** There is nothing to write, or to write again. */
async function writeNothing(
  { aws, results, command, written }: OrderRun,
  cluster: string,
  { name, tags }: DescribedGroup,
  { roll }: Ordered,
): Promise<void> {
  const key = keyOf(cluster, name);
  const record = (state: OrderResult['state'], reason: string): void => {
    results.set(key, { cluster, group: name, state, reason });
  };
  if (roll === undefined) {
    const isLeft = tags[GROUP_TAGS.course]?.startsWith(courseOf(command.action));
    // A roll removes its tags as it ends, so it had this one.
    if (results.get(key)?.state === 'noted' && !isLeft) return record('noted', 'its roll has ended since');
    // It came too late, and nothing else would remove it.
    if (written.has(key) && isLeft) await untagGroup(aws, name, [GROUP_TAGS.course, GROUP_TAGS.because]);
    record('nothing-to-do', 'its roll has ended');
    return;
  }
  if (isAnswer(command.action)) return record(...answered(roll, command.action, command.answers?.question));
  const { course } = roll;
  if (course.kind === 'forward') {
    if (command.action === 'skip') record('nothing-to-do', 'its roll has begun; an abort ends it halfway');
    return;
  }
  const wanted = roll.onlyAnnounced ? course.kind : courseOf(command.action);
  const says = `its tags say ${course.kind} since ${course.since.toISOString()} (${sentenceOf(course.because)})`;
  record(course.kind === wanted ? 'noted' : 'nothing-to-do', says);
}

/** What became of an answer that isn't written, or not again. */
function answered(
  { hook }: Roll,
  order: 'approve' | 'refuse',
  question = '',
): [state: OrderResult['state'], reason: string] {
  const isOurs = hook?.answer === (order === 'approve' ? 'go' : 'refuse');
  if (hook?.key === question && hook.answer !== 'asked')
    return [isOurs ? 'noted' : 'nothing-to-do', `its tags say ${hook.answer} to ${question}`];
  const other = hook?.answer === 'asked' ? `; it asks about ${hook.key}` : '';
  return ['nothing-to-do', `it asks nobody about ${question}${other}`];
}

/** The course that the order sets. */
function courseOf(order: Order): string {
  return order === 'skip' ? 'abort' : order;
}

export function keyOf(cluster: string, group: string): string {
  return `${cluster}/${group}`;
}
