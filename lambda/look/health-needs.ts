import { isOnTrial } from '../core/canary/trial.ts';
import { replacementsOf } from '../core/group/crashes.ts';
import { isServed } from '../core/group/steadiness.ts';
import type { Assessment } from '../core/model/assessment.ts';
import type { Service } from '../core/model/cluster.ts';
import type { Observation } from '../core/model/observation.ts';
import { registrationsOf } from '../core/model/registrations.ts';
import { isOver, secondsBetween } from '../core/model/time.ts';
import type { Memory } from './memory.ts';

/**
 * The services whose health decides about a group: all before its roll begins, as those that were ill before
 * don't hold it up, and during its trial; then those whose tasks have moved.
 */
export function servicesToCheck(
  concerned: readonly Assessment[],
  observation: Observation,
  memory: Memory,
): readonly Service[] {
  const { services = [], servicesOn } = observation.details ?? {};
  const asking = concerned.filter((each) => decidesByHealth(each, observation, memory));
  const moved = asking.map((each) => {
    const { roll } = each.group;
    if (roll === undefined || isOnTrial({ ...each, roll })) return [];
    const hosts = each.classified.leaving.flatMap(({ instanceId }) =>
      registrationsOf(observation, instanceId),
    );
    return hosts.flatMap(({ arn }) => [...(servicesOn?.get(arn) ?? [])]);
  });
  const ofAll = moved.some((names) => names.length === 0);
  const names = new Set(moved.flat());
  return services.filter(({ name, runningCount }) => runningCount > 0 && (ofAll || names.has(name)));
}

/** By their counts its services are as a next step, or the end of its trial, needs them. */
function decidesByHealth(assessment: Assessment, observation: Observation, { watches }: Memory): boolean {
  const { group, settings, classified } = assessment;
  const { roll, closed, pausedSince } = group;
  const { now } = observation;
  if (roll === undefined) return closed === undefined && pausedSince === undefined;
  if (roll.course.kind !== 'forward') return false;
  if (isOnTrial({ ...assessment, roll })) {
    if (roll.canary.kind === 'baking') return isOver(roll.canary.since, settings.bakeSeconds, now);
    // Those that drained in place are gone by now.
    if (classified.leaving.length === 0) return replacementsOf(group, classified).length > 0;
  }
  const begun = classified.leaving.flatMap(({ mark }) => mark.drainStartedAt ?? []);
  if (begun.length === 0) return false;
  if (begun.some((since) => isOver(since, settings.readyTimeoutSeconds, now))) return true;
  if (!isServed(observation, group, classified.leaving)) return false;
  const { servedSince = now } = watches.get(`${observation.cluster}/${group.name}`) ?? {
    servedSince: new Date(0),
  };
  return secondsBetween(servedSince, now) >= settings.stableSeconds;
}
