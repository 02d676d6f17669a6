import { servicesOf } from '../group/concerned-services.ts';
import type { Assessment } from '../model/assessment.ts';
import type { Movable, Service } from '../model/cluster.ts';
import type { Resources } from '../model/placement.ts';
import { bestOf, registrationsOf, takesTasks } from '../model/registrations.ts';
import type { Settings } from '../model/settings.ts';
import { serviceIn } from '../model/task-group.ts';
import type { Candidate } from './phase.ts';

/** The share of a service's tasks that may move at once: those that have just started are cold. */
const MOST_MOVING = 1 / 4;

/**
 * Which of those that wait may drain along with those that already do. By `auto`, as many as their services
 * allow (`mostMoving`) and the group's new instances have room for. ECS itself never lets a service fall
 * below its minimum, however many drain; but tasks without room elsewhere move to old instances and then
 * once more, or hold up their drains. Where any of that is unknown, one drains at a time.
 *
 * @param others how many drain that are no candidates
 */
export function drainAlong(
  assessment: Assessment,
  draining: readonly Candidate[],
  waiting: readonly Candidate[],
  others: number,
): Candidate[] {
  const { drainConcurrency } = assessment.settings;
  if (drainConcurrency !== 'auto')
    return waiting.slice(0, Math.max(0, drainConcurrency - others - draining.length));
  if (others > 0) return [];
  const room = roomIn(assessment);
  const begun = draining.map((each) => room.take(tasksOf(each, assessment)));
  const chosen: Candidate[] = [];
  for (const each of waiting) {
    const isFirst = draining.length + chosen.length === 0;
    const fits = begun.every(Boolean) && room.take(tasksOf(each, assessment));
    if (isFirst || fits) chosen.push(each);
    if (isFirst && !fits) break;
  }
  return chosen;
}

/** How many instances of a group that can't have more members for a time drain at once. */
export function drainsInPlace({ drainConcurrency }: Settings): number {
  return drainConcurrency === 'auto' ? 1 : drainConcurrency;
}

/**
 * How many tasks of a service may move at once: no more than may start beyond its desired count, or stop
 * below it, under its own percentages; and no more than a part of it.
 */
export function mostMoving({
  desiredCount,
  runningCount,
  minimumHealthyPercent,
  maximumPercent,
}: Service): number {
  const most = Math.floor((desiredCount * maximumPercent) / 100);
  const least = Math.ceil((desiredCount * minimumHealthyPercent) / 100);
  const lacking = Math.max(0, desiredCount - runningCount);
  return Math.max(0, Math.min(most - least - lacking, Math.ceil(desiredCount * MOST_MOVING)));
}

/** @returns undefined if they were not read */
function tasksOf({ containerInstances }: Candidate, { observation }: Assessment): Movable[] | undefined {
  const found = containerInstances.map(({ arn }) => observation.details?.movable?.get(arn));
  return found.every((each) => each !== undefined) ? found.flat() : undefined;
}

interface Room {
  /** Takes room for these tasks; returns false, and takes none, if there isn't enough or it is unknown. */
  readonly take: (tasks: readonly Movable[] | undefined) => boolean;
}

/** A service none of whose tasks moves yet may have all of one instance move, as with one drain at a time. */
function roomIn(assessment: Assessment): Room {
  const { group, observation } = assessment;
  const most = new Map(servicesOf(group, observation).map((each) => [each.name, mostMoving(each)]));
  const moving = movingElsewhere(assessment);
  let places = placesIn(assessment);
  const isSpared = ([service, count]: readonly [string, number]) => {
    const before = moving.get(service) ?? 0;
    return before === 0 || before + count <= (most.get(service) ?? 0);
  };
  return {
    take(tasks) {
      if (tasks === undefined || places === undefined) return false;
      const counts = countsOf(tasks);
      const left = [...counts].every(isSpared) ? settle(tasks, places) : undefined;
      if (left === undefined) return false;
      places = left;
      for (const [service, count] of counts) moving.set(service, (moving.get(service) ?? 0) + count);
      return true;
    },
  };
}

/** Tasks that have yet to move off draining instances of other groups, by service. */
function movingElsewhere({ observation, classified: { leaving } }: Assessment): Map<string, number> {
  const own = new Set(
    leaving.flatMap(({ instanceId }) => registrationsOf(observation, instanceId)).map(({ arn }) => arn),
  );
  const draining = new Set(
    observation.containerInstances.filter(({ status }) => status === 'DRAINING').map(({ arn }) => arn),
  );
  const moving = new Map<string, number>();
  for (const { containerInstanceArn: arn, group, stopping } of observation.details?.tasks ?? []) {
    const service = serviceIn(group);
    if (service !== undefined && !stopping && draining.has(arn) && !own.has(arn))
      moving.set(service, (moving.get(service) ?? 0) + 1);
  }
  return moving;
}

/** If an instance has room for one task of a service only, we don't know which still have it: one moves. */
function countsOf(tasks: readonly Movable[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { service, exclusive } of tasks)
    counts.set(service, exclusive ? Number.POSITIVE_INFINITY : (counts.get(service) ?? 0) + 1);
  return counts;
}

/** CPU units and MiB. */
interface Amount {
  readonly cpu: number;
  readonly memory: number;
}

/** What the group's new instances have left; undefined if it isn't known of all. */
function placesIn({ classified: { current }, observation }: Assessment): readonly Amount[] | undefined {
  const ready = current.filter(({ instance }) => takesTasks(observation, instance.instanceId));
  const places = ready.map(({ instance: { instanceId } }) =>
    amountOf(bestOf(registrationsOf(observation, instanceId))?.remaining),
  );
  return places.every((place) => place !== undefined) ? places : undefined;
}

/** What is left once each task took its needs from the first place that has them; undefined if none has. */
function settle(tasks: readonly Movable[], places: readonly Amount[]): readonly Amount[] | undefined {
  const left = [...places];
  for (const { needs } of tasks) {
    const amount = amountOf(needs);
    const index = left.findIndex((place) => amount !== undefined && holds(place, amount));
    const place = left[index];
    if (place === undefined || amount === undefined) return undefined;
    left[index] = { cpu: place.cpu - amount.cpu, memory: place.memory - amount.memory };
  }
  return left;
}

function holds(place: Amount, amount: Amount): boolean {
  return place.cpu >= amount.cpu && place.memory >= amount.memory;
}

function amountOf({ cpu, memory }: Resources = {}): Amount | undefined {
  return cpu === undefined || memory === undefined ? undefined : { cpu, memory };
}
