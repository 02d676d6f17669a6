import { type DescribedGroup, describeGroups, describeRollingGroups } from '../aws/autoscaling.ts';
import { explain, StaleObservation } from '../aws/errors.ts';
import { faultOf } from '../aws/faults.ts';
import { ORDERS } from '../contract.ts';
import { describeUnheard } from '../core/reasons/clusters.ts';
import { sentenceOf } from '../core/reasons/reason.ts';
import { EventError, parseEvent } from '../event.ts';
import { belongingOf, NONE_SEEN } from '../look/belonging.ts';
import { discoverGroups } from '../look/discover.ts';
import { concernsRolls, isOrder } from './order.ts';
import { keyOf, type OrderCommand, type OrderResult, type OrderRun, orderGroup } from './write-order.ts';

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
export async function takeOrder(
  invocation: Pick<OrderRun, 'aws' | 'settings' | 'clock' | 'remainingSeconds'>,
  command: OrderCommand,
): Promise<OrderResult[]> {
  const now = invocation.clock.now();
  const state = { orderedAt: now, watchedSince: now, results: new Map(), written: new Set<string>() };
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
  const names = [...written].flatMap((key) => (key.startsWith(`${cluster}/`) ? [groupIn(key)] : []));
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
  run.results.set(keyOf(cluster, group), { cluster, group, state: 'failed', reason: explain(error) });
}

function groupIn(key: string): string {
  return key.slice(key.indexOf('/') + 1);
}

/** @throws EventError if the event isn't an order */
export function orderOf(event: unknown, configured: readonly string[], functionArn: string): OrderCommand {
  const { action, clusters, answers } = parseEvent(event, configured, functionArn);
  if (!isOrder(action)) throw new EventError([`action was ${action}; here it may be ${ORDERS.join(', ')}`]);
  return { action, clusters, ...(answers && { answers }) };
}
