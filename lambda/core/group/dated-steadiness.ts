import type { Assessment } from '../model/assessment.ts';
import type { DatedTask, Service } from '../model/cluster.ts';
import type { Watch } from '../model/group.ts';
import { later } from '../model/time.ts';
import { servicesOf } from './concerned-services.ts';
import { drainingAmongLeaving, isServed, NOT_WATCHED } from './steadiness.ts';

/** Whether services are as they have to be for the next step, so that it matters since when. */
export function isServedNow({ group, observation, classified }: Assessment): boolean {
  return classified.leaving.length > 0 && isServed(observation, group, classified.leaving);
}

/**
 * What another invocation would have watched until now, as far as AWS dates it: services that are whole have
 * been so since the last of their tasks started, or began to stop. ECS tells of stopped tasks for an hour,
 * and what was before doesn't matter.
 *
 * @param tasks all tasks of the cluster's services, also those that have stopped
 * @returns nothing watched if a date is missing, or the tasks aren't those that the services count
 */
export function watchedBefore(assessment: Assessment, tasks: readonly DatedTask[]): Watch {
  const { group, observation, classified } = assessment;
  if (!isServedNow(assessment)) return NOT_WATCHED;
  const dates = servicesOf(group, observation).map((service) => steadySince(service, tasks));
  if (dates.length === 0 || !dates.every((date) => date !== undefined)) return NOT_WATCHED;
  const draining = drainingAmongLeaving(observation, classified.leaving).map(({ arn }) => arn);
  return { ...NOT_WATCHED, draining, servedSince: dates.reduce(later) };
}

function steadySince(
  { name, runningCount, deployment }: Service,
  all: readonly DatedTask[],
): Date | undefined {
  const tasks = all.filter(({ service }) => service === name);
  // A list may lack what ECS has just placed.
  if (tasks.filter(({ runs }) => runs).length !== runningCount) return undefined;
  const dates = tasks.map(({ startedAt, stoppingAt, stops }) => (stops ? stoppingAt : startedAt));
  if (!dates.every((date) => date !== undefined)) return undefined;
  return dates.reduce(later, deployment?.begunAt ?? new Date(0));
}
