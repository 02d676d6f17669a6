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
  abort:
    'end rolls halfway; groups keep launching the new image, or the old one that a rollback gave them back',
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
  const isForward = ({ state, course, instances: { detached, replaced } }: HowFar) =>
    course === undefined && (state === 'in-progress' || detached + replaced > 0);
  const forward = groups.filter(isForward);
  const isBack = ({ state }: HowFar) => state === 'rolled-back';
  const back = groups.filter(({ course }) => course === 'rollback');
  const others = groups.filter((each) => !forward.includes(each) && !back.includes(each));
  const { outdated, detached, members } = sumOf(others);
  return [
    ...(forward.length === 0 ? [] : [replacedText(sumOf(forward))]),
    ...(back.length === 0
      ? []
      : [`${back.every(isBack) ? 'gone' : 'going'} back${leftBackText(sumOf(back))}`]),
    // A sentence about a whole cluster counts nothing.
    ...(members === 0 && others.length < groups.length
      ? []
      : [`${outdated} of ${members} outdated${leftText(detached)}`]),
  ].join('; ');
}

/**
 * `2 of 6 replaced, 4 still to drain`.
 *
 * @param it `left` old instances still run tasks
 */
export function replacedText(it: { replaced: number; total: number; left?: number }): string {
  return `${it.replaced} of ${it.total} replaced${leftText(it.left)}`;
}

const leftText = (left = 0) => (left === 0 ? '' : `, ${left} still to drain`);

/** Failed members and old instances together are more than the group has members. */
const leftBackText = ({ left, detached }: { left: number; detached: number }) =>
  `${leftText(left)}${detached === 0 || detached === left ? '' : `, ${detached} of them detached`}`;

/** Until a group has launched what it replaces, it has fewer members than a roll's `total`. */
function sumOf(groups: readonly HowFar[]) {
  const sum = { outdated: 0, detached: 0, left: 0, replaced: 0, members: 0, total: 0 };
  for (const { instances } of groups) {
    const { drifted, detached, replaced, total } = instances;
    sum.outdated += drifted;
    sum.detached += detached;
    sum.left += drifted + detached;
    sum.replaced += replaced;
    sum.members += total;
    sum.total += Math.max(total, drifted + detached + replaced);
  }
  return sum;
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
