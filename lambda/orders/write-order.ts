import { act } from '../act/act.ts';
import { type DescribedGroup, describeGroups, describeRollingGroups } from '../aws/autoscaling.ts';
import { explain, StaleObservation } from '../aws/errors.ts';
import { faultOf } from '../aws/faults.ts';
import { untagGroup } from '../aws/group-tag-changes.ts';
import { GROUP_TAGS, ORDERS } from '../contract.ts';
import type { Ordered } from '../core/model/group.ts';
import type { Order } from '../core/model/request.ts';
import type { Roll } from '../core/model/roll.ts';
import { describeUnheard } from '../core/reasons/clusters.ts';
import { sentenceOf } from '../core/reasons/reason.ts';
import { alwaysWrite, takeOrder } from '../core/take-order.ts';
import { describeDecision } from '../core/text/decision.ts';
import { type Command, EventError, parseEvent } from '../event.ts';
import type { Invocation } from '../invocation.ts';
import { belongingOf, NONE_SEEN } from '../look/belonging.ts';
import { discoverGroups } from '../look/discover.ts';
import { readNotice, readPausedSince, readRoll } from '../tags/roll-tags.ts';
import { concernsRolls, isAnswer, isOrder } from './order.ts';

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
interface OrderRun extends Pick<Invocation, 'aws' | 'settings' | 'clock' | 'remainingSeconds'> {
  readonly command: OrderCommand;
  readonly orderedAt: Date;
  /** By cluster and group. */
  readonly results: Map<string, OrderResult>;
  /** The images of the rolls it was written on, by cluster and group. */
  readonly written: Map<string, readonly string[]>;
  /** Whether something failed at the latest look that may succeed at the next. */
  retry: boolean;
  watchedSince: Date;
}

/**
 * After an abort or rollback is written the tags are watched for this long. If a write of another
 * invocation, such as one that begins a roll, loses its answer, the SDK may repeat it as late as that, and
 * overwrite ours.
 */
const WATCH_SECONDS = 25;
const LOOK_SECONDS = 5;
/** Enough for one more look with retries. */
const LAST_LOOK_SECONDS = 40;

/**
 * Writes an order on the tags of the groups it concerns, and nothing else: the invocation that rolls them
 * finds it at its next look. It may run beside that one, and be killed or repeated.
 *
 * @returns the outcome for every group, and for every cluster without any
 */
export async function writeOrder(
  invocation: Pick<OrderRun, 'aws' | 'settings' | 'clock' | 'remainingSeconds'>,
  command: OrderCommand,
): Promise<OrderResult[]> {
  const now = invocation.clock.now();
  const state = { orderedAt: now, watchedSince: now, results: new Map(), written: new Map() };
  const run: OrderRun = { ...invocation, ...state, command, retry: false };
  do {
    run.retry = false;
    for (const cluster of command.clusters) await orderCluster(run, cluster);
  } while (isOpen(run) && (await pause(run)));
  return [...run.results.values()];
}

/** Nobody overwrites a pause by accident: if it is gone, somebody ended it later. */
function isOpen({ command, clock, retry, watchedSince }: OrderRun): boolean {
  if (retry) return true;
  const watched = (clock.now().getTime() - watchedSince.getTime()) / 1000;
  return concernsRolls(command.action) && watched < WATCH_SECONDS;
}

async function pause({ clock, remainingSeconds }: OrderRun): Promise<boolean> {
  if (remainingSeconds() - LOOK_SECONDS < LAST_LOOK_SECONDS) return false;
  await clock.sleep(LOOK_SECONDS);
  return true;
}

async function orderCluster(run: OrderRun, cluster: string): Promise<void> {
  let groups: readonly DescribedGroup[];
  try {
    groups = await (concernsRolls(run.command.action)
      ? rollingGroupsIn(run, cluster)
      : ownGroupsIn(run, cluster));
  } catch (error) {
    return fail(run, cluster, '*', error);
  }
  recordClusterResult(run, cluster, groups);
  for (const described of groups) {
    try {
      await orderGroup(run, cluster, described);
    } catch (error) {
      fail(run, cluster, described.name, error);
    }
  }
}

/**
 * Groups with a roll, and those whose roll has ended since the order was written; of an answer only the group
 * that it is for.
 */
async function rollingGroupsIn(
  { aws, written, command: { answers } }: OrderRun,
  cluster: string,
): Promise<DescribedGroup[]> {
  const begun = (await describeRollingGroups(aws, [cluster])).filter(
    ({ name }) => answers === undefined || name === answers.group,
  );
  const names = [...written.keys()].flatMap((key) => (key.startsWith(`${cluster}/`) ? [groupIn(key)] : []));
  const ended = names.filter((name) => begun.every((described) => described.name !== name));
  return [...begun, ...(ended.length > 0 ? await describeGroups(aws, ended) : [])];
}

/** All groups of the cluster; for the others, records why they aren't. */
async function ownGroupsIn(run: OrderRun, cluster: string): Promise<DescribedGroup[]> {
  const { aws, settings, clock, results } = run;
  const { groups, registered, providers } = await discoverGroups(aws, cluster);
  const known = { registered: new Map([[cluster, registered]]), providers: new Map([[cluster, providers]]) };
  const begun = (await describeRollingGroups(aws, [cluster])).map(({ name }) => name);
  const named = settings.groups.flatMap((each) => (each.cluster === cluster ? [each.group] : []));
  const own: DescribedGroup[] = [];
  for (const described of await describeGroups(aws, [...new Set([...groups, ...begun, ...named])])) {
    const belongs = await belongingOf(
      aws,
      described,
      { cluster, settings, now: clock.now() },
      NONE_SEEN,
      known,
    );
    if (belongs.kind === 'ours' || belongs.kind === 'contested') own.push(described);
    else
      results.set(keyOf(cluster, described.name), leftAlone(cluster, described, sentenceOf(belongs.reason)));
  }
  return own;
}

function leftAlone(cluster: string, { name }: DescribedGroup, reason: string): OrderResult {
  return { cluster, group: name, state: 'nothing-to-do', reason };
}

function recordClusterResult(run: OrderRun, cluster: string, groups: readonly DescribedGroup[]): void {
  const key = keyOf(cluster, '*');
  run.results.delete(key);
  if (groups.length > 0) return;
  const { action, answers } = run.command;
  const reason = answers === undefined ? 'no roll has begun' : `no roll of group ${answers.group} has begun`;
  const told = concernsRolls(action)
    ? ({ state: 'nothing-to-do', reason } as const)
    : ({ state: 'failed', reason: describeUnheard(action) } as const);
  run.results.set(key, { cluster, group: '*', ...told });
}

function fail(run: OrderRun, cluster: string, group: string, error: unknown): void {
  // AWS has changed since the look: the next one tells what the order comes to.
  if (error instanceof StaleObservation || faultOf(error).retryable) run.retry = true;
  const reason = `${explain(error)}; give it again`;
  run.results.set(keyOf(cluster, group), { cluster, group, state: 'failed', reason });
}

function groupIn(key: string): string {
  return key.slice(key.indexOf('/') + 1);
}

/** Writes the order on a group's tags, unless it is there already or doesn't concern the group. */
async function orderGroup(run: OrderRun, cluster: string, described: DescribedGroup): Promise<void> {
  const { aws, command, orderedAt, clock, results } = run;
  const { name, tags } = described;
  const now = clock.now();
  const group: Ordered = {
    name,
    pausedSince: readPausedSince(tags, now),
    roll: readRoll(tags, cluster, now),
    notice: readNotice(tags, cluster, now),
  };
  const { action, answers } = command;
  const key = keyOf(cluster, name);
  const { imageIds = [] } = group.roll ?? group.notice ?? {};
  const begun = group.roll?.startedAt ?? group.notice?.givenAt;
  const meant = run.written.get(key);
  // Another roll. One onto the same images is the one that was meant, begun at that very moment.
  if (meant && begun && begun > orderedAt && !imageIds.some((each) => meant.includes(each))) return;
  // This look may only be a retry for another group. If this group's order was written, a later one stands.
  if (!concernsRolls(action) && results.get(key)?.state === 'noted') return;
  const decision = concernsRolls(action)
    ? takeOrder(group, { begin: false, order: action, orderedAt, ...(answers && { answers }) }, { now })
    : alwaysWrite(group, action, now);
  if (decision === undefined) return writeNothing(run, cluster, described, group);
  if (!('actions' in decision)) {
    results.set(key, { cluster, group: name, state: 'failed', reason: describeDecision(decision) });
    return;
  }
  run.written.set(key, meant ?? imageIds);
  const target = { cluster, group: name, uuid: described.uuid, begun };
  for (const each of decision.actions) await act(aws, target, each, clock.now());
  run.watchedSince = clock.now();
  results.set(key, { cluster, group: name, state: 'noted', reason: describeDecision(decision) });
}

/** There is nothing to write, or to write again. */
async function writeNothing(
  { aws, results, command, written }: OrderRun,
  cluster: string,
  { name, tags }: DescribedGroup,
  { roll, notice }: Ordered,
): Promise<void> {
  const key = keyOf(cluster, name);
  const record = (state: OrderResult['state'], reason: string): void => {
    results.set(key, { cluster, group: name, state, reason });
  };
  const isNoted = results.get(key)?.state === 'noted';
  // Whoever gave it knows what it said as it was written.
  const recordOnce: typeof record = (state, reason) =>
    state === 'noted' && isNoted ? undefined : record(state, reason);
  if (roll === undefined) {
    const isLeft = tags[GROUP_TAGS.course]?.startsWith(courseOf(command.action));
    // A roll removes its tags as it ends, so it had this one.
    if (isNoted && !isLeft) return record('noted', 'its roll has ended since');
    // It came too late, and nothing else would remove it.
    if (written.has(key) && isLeft) await untagGroup(aws, name, [GROUP_TAGS.course, GROUP_TAGS.because]);
    record('nothing-to-do', notice ? 'its roll is only announced yet' : 'its roll has ended');
    return;
  }
  if (isAnswer(command.action))
    return recordOnce(...answered(roll, command.action, command.answers?.question));
  const { course } = roll;
  if (roll.onlyAnnounced) return recordOnce('noted', 'it is skipped already');
  if (course.kind === 'forward') {
    if (command.action === 'skip') record('nothing-to-do', 'its roll has begun; an abort ends it halfway');
    return;
  }
  const says = `its tags say ${course.kind} since ${course.since.toISOString()} (${sentenceOf(course.because)})`;
  recordOnce(course.kind === command.action ? 'noted' : 'nothing-to-do', says);
}

/** What became of an answer that isn't written, or not again. */
function answered(
  { hook }: Roll,
  order: 'approve' | 'refuse',
  question = '',
): [state: OrderResult['state'], reason: string] {
  const isOurs = hook?.answer === (order === 'approve' ? 'go' : 'refuse');
  if (hook?.key === question && hook.answer !== 'asked')
    return [
      isOurs ? 'noted' : 'nothing-to-do',
      `it is ${hook.answer === 'go' ? 'approved' : 'refused'} already`,
    ];
  const other = hook?.answer === 'asked' ? `; it asks about ${hook.key}` : '';
  return ['nothing-to-do', `it asks nobody about ${question}${other}`];
}

/** The course that the order sets. */
function courseOf(order: Order): string {
  return order === 'skip' ? 'abort' : order;
}

function keyOf(cluster: string, group: string): string {
  return `${cluster}/${group}`;
}

/** @throws EventError if the event isn't an order */
export function orderOf(event: unknown, configured: readonly string[], functionArn: string): OrderCommand {
  const { action, clusters, answers } = parseEvent(event, configured, functionArn);
  if (!isOrder(action)) throw new EventError([`action was ${action}; here it may be ${ORDERS.join(', ')}`]);
  return { action, clusters, ...(answers && { answers }) };
}
