import type { Range } from '../core/model/forecast.ts';
import type { Order } from '../core/model/request.ts';
import type { ServicesHealth } from '../core/model/services-health.ts';
import type { GroupStatus, RunningFacts } from './images.ts';

/** What each order does. */
export const DOES: Readonly<Record<Order, string>> = {
  pause: 'finish the instance in hand, and begin nothing more',
  resume: 'lift a pause',
  skip: "call off rolls that are announced; their images aren't tried again until newer ones come",
  rollback: 'give groups whose roll has begun their old image back',
  abort: 'end rolls halfway; the groups keep launching the new image',
  approve: 'let a roll go on that has asked',
  refuse: 'stop a roll that has asked: after a trial it goes back, before a batch it stays halfway',
};

/** `2 instances on ami-1 (name, 40 days old, 1 release behind)`. */
export function runningText({ imageId, instances, name, ageDays, releasesBehind }: RunningFacts): string {
  const facts = [
    ...(name === undefined ? [] : [name]),
    ...(ageDays === undefined ? [] : [`${countOf(ageDays, 'day')} old`]),
    ...(releasesBehind === undefined ? [] : [`${countOf(releasesBehind, 'release')} behind`]),
  ];
  const about = facts.length > 0 ? ` (${facts.join(', ')})` : '';
  return `${countOf(instances, 'instance')} on ${imageId}${about}`;
}

/** `web runs 3 of 4 tasks (at least 2 needed); 11 others have theirs`. */
export function servicesText({ total, short, shortLeftOut }: ServicesHealth): string {
  const lacking = short.map(
    ({ name, running, desired, least }) => `${name} runs ${running} of ${desired} tasks (at least ${least})`,
  );
  const others = total - short.length - shortLeftOut;
  return [
    ...lacking,
    ...(shortLeftOut > 0 ? [`${shortLeftOut} more are short of tasks`] : []),
    ...(lacking.length === 0
      ? [total === 1 ? 'the only one has its tasks' : `all ${total} have their tasks`]
      : others > 0
        ? [`${others} have theirs`]
        : []),
  ].join('; ');
}

/** What is told of a group's instances in few words. */
export type HowFar = Pick<GroupStatus, 'state' | 'course' | 'instances'>;

/**
 * How far instances of groups are: `2 of 6 replaced, 4 still to drain; 3 of 4 outdated`. Detached ones are no
 * members any more, but run tasks until they are drained.
 */
export function standingText(groups: readonly HowFar[]): string {
  const [others, back, forward] = [[], [], []] as [HowFar[], HowFar[], HowFar[]];
  for (const each of groups) {
    const { state, course, instances } = each;
    const isUnderWay = state === 'in-progress' || instances.detached + instances.replaced > 0;
    if (course === 'rollback') back.push(each);
    else if (course === undefined && isUnderWay) forward.push(each);
    else others.push(each);
  }
  return [
    ...(forward.length === 0 ? [] : [replacedText(sumOf(forward))]),
    ...(back.length === 0 ? [] : [withLeft('going back', sumOf(back).left)]),
    // A sentence about a whole cluster counts nothing.
    ...(sumOf(others).total === 0 && others.length < groups.length ? [] : [outdatedText(others)]),
  ].join('; ');
}

/** `2 of 6 replaced, 4 still to drain`. */
export function replacedText({ replaced, total, left = 0 }: Replaced): string {
  return withLeft(`${replaced} of ${total} replaced`, left);
}

interface Replaced {
  readonly replaced: number;
  readonly total: number;
  /** Old instances that still run tasks. */
  readonly left?: number;
}

function outdatedText(groups: readonly HowFar[]): string {
  const { outdated, total, detached } = sumOf(groups);
  return withLeft(`${outdated} of ${total} outdated`, detached);
}

function withLeft(text: string, left: number): string {
  return left === 0 ? text : `${text}, ${left} still to drain`;
}

/** Until a group has launched what it replaces, it has fewer members. */
function sumOf(groups: readonly HowFar[]) {
  const sum = (count: (instances: HowFar['instances']) => number) =>
    groups.reduce((total, { instances }) => total + count(instances), 0);
  return {
    outdated: sum(({ drifted }) => drifted),
    detached: sum(({ detached }) => detached),
    left: sum(({ drifted, detached }) => drifted + detached),
    replaced: sum(({ replaced }) => replaced),
    total: sum(({ drifted, detached, replaced, total }) => Math.max(total, drifted + detached + replaced)),
  };
}

export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `12 to 16 min`. */
export function durationText({ least, most }: Range): string {
  const [unit, divisor] =
    most < 120 ? (['s', 1] as const) : most < 5400 ? (['min', 60] as const) : (['h', 3600] as const);
  return `${rangeText({ least: least / divisor, most: most / divisor }, unit === 'h' ? 1 : 0)} ${unit}`;
}

/** `0.2 to 0.7`, or the number itself if there is but one. */
export function rangeText({ least, most }: Range, digits: number): string {
  const [from, to] = [least, most].map((value) => String(Number(value.toFixed(digits))));
  return from === to ? String(to) : `${from} to ${to}`;
}
