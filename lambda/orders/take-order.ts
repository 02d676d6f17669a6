import { type DescribedGroup, describeBegunGroups, describeGroups } from '../aws/autoscaling.ts';
import { explain } from '../aws/errors.ts';
import { faultOf } from '../aws/faults.ts';
import { EventError, parseEvent } from '../event.ts';
import { belongingOf, NONE_SEEN } from '../look/belonging.ts';
import { discoverGroups } from '../look/discover.ts';
import { isCourse, isOrder, ORDERS, unheard } from './given-order.ts';
import { inGroup, keyOf, type OrderCommand, type Taken, type Taking } from './order-in-group.ts';

/**
 * The course of a roll is watched for so long once it is noted: after a lost answer the SDK repeats, as late as that, a
 * write of another invocation that began before, such as that of a roll which begins.
 */
const WATCH_SECONDS = 25;
const LOOK_SECONDS = 5;
/** One look fits in, and its calls repeated. */
const LAST_LOOK_SECONDS = 40;

/**
 * Writes an order on the tags of the groups that it is for, and nothing else: the invocation that rolls them finds it there
 * at its next look. It may run beside that one, and be killed or repeated.
 *
 * @returns for every group, and every cluster that has none, what became of it
 */
export async function takeOrder(
  invocation: Pick<Taking, 'aws' | 'settings' | 'clock' | 'remainingSeconds'>,
  command: OrderCommand,
): Promise<Taken[]> {
  const now = invocation.clock.now();
  const state = { orderedAt: now, watchedSince: now, taken: new Map(), written: new Set<string>() };
  const taking: Taking = { ...invocation, ...state, command, retry: false };
  do {
    taking.retry = false;
    for (const cluster of command.clusters) await inCluster(taking, cluster);
  } while (isOpen(taking) && (await pause(taking)));
  return [...taking.taken.values()];
}

/** A pause is overwritten by nobody: what takes it away is somebody's later word. */
function isOpen({ command, clock, retry, watchedSince }: Taking): boolean {
  if (retry) return true;
  const watched = (clock.now().getTime() - watchedSince.getTime()) / 1000;
  return isCourse(command.action) && watched < WATCH_SECONDS;
}

async function pause({ clock, remainingSeconds }: Taking): Promise<boolean> {
  if (remainingSeconds() - LOOK_SECONDS < LAST_LOOK_SECONDS) return false;
  await clock.sleep(LOOK_SECONDS);
  return true;
}

async function inCluster(taking: Taking, cluster: string): Promise<void> {
  let records: readonly DescribedGroup[];
  try {
    records = await (isCourse(taking.command.action) ? rolledIn(taking, cluster) : ownIn(taking, cluster));
  } catch (error) {
    return fail(taking, cluster, '*', error);
  }
  tellOfCluster(taking, cluster, records);
  for (const record of records) {
    try {
      await inGroup(taking, cluster, record);
    } catch (error) {
      fail(taking, cluster, record.name, error);
    }
  }
}

/** Those whose roll has begun, and those in which it has ended since the order was put there. */
async function rolledIn({ aws, written }: Taking, cluster: string): Promise<DescribedGroup[]> {
  const begun = await describeBegunGroups(aws, [cluster]);
  const names = [...written].flatMap((key) => (key.startsWith(`${cluster}/`) ? [groupIn(key)] : []));
  const ended = names.filter((name) => begun.every((record) => record.name !== name));
  return [...begun, ...(ended.length > 0 ? await describeGroups(aws, ended) : [])];
}

/** All that are the cluster's; of the others it is told why they aren't. */
async function ownIn(taking: Taking, cluster: string): Promise<DescribedGroup[]> {
  const { aws, settings, clock, taken } = taking;
  const { groups, registered, providers } = await discoverGroups(aws, cluster);
  const known = { registered: new Map([[cluster, registered]]), providers: new Map([[cluster, providers]]) };
  const begun = (await describeBegunGroups(aws, [cluster])).map(({ name }) => name);
  const named = settings.groups.flatMap((each) => (each.cluster === cluster ? [each.group] : []));
  const own: DescribedGroup[] = [];
  for (const record of await describeGroups(aws, [...new Set([...groups, ...begun, ...named])])) {
    const belongs = await belongingOf(aws, record, { cluster, settings, now: clock.now() }, NONE_SEEN, known);
    if (belongs.kind === 'ours' || belongs.kind === 'contested') own.push(record);
    else taken.set(keyOf(cluster, record.name), leftAlone(cluster, record, belongs.reason));
  }
  return own;
}

function leftAlone(cluster: string, { name }: DescribedGroup, reason: string): Taken {
  return { cluster, group: name, state: 'nothing-to-do', reason };
}

function tellOfCluster(taking: Taking, cluster: string, records: readonly DescribedGroup[]): void {
  const key = keyOf(cluster, '*');
  taking.taken.delete(key);
  if (records.length > 0) return;
  const { action } = taking.command;
  const told = isCourse(action)
    ? ({ state: 'nothing-to-do', reason: 'no roll has begun' } as const)
    : ({ state: 'failed', reason: unheard(action) } as const);
  taking.taken.set(key, { cluster, group: '*', ...told });
}

function fail(taking: Taking, cluster: string, group: string, error: unknown): void {
  if (faultOf(error).retryable) taking.retry = true;
  taking.taken.set(keyOf(cluster, group), { cluster, group, state: 'failed', reason: explain(error) });
}

function groupIn(key: string): string {
  return key.slice(key.indexOf('/') + 1);
}

/** @throws EventError where it is none */
export function orderOf(event: unknown, configured: readonly string[], functionArn: string): OrderCommand {
  const { action, clusters } = parseEvent(event, configured, functionArn);
  if (!isOrder(action)) throw new EventError([`action was ${action}; here it may be ${ORDERS.join(', ')}`]);
  return { action, clusters };
}
