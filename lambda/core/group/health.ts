import type { Assessment } from '../model/assessment.ts';
import type { Service, UnhealthyTask } from '../model/cluster.ts';
import type { Group, Watch } from '../model/group.ts';
import type { Observation } from '../model/observation.ts';
import type { Settings } from '../model/settings.ts';
import { isOver, secondsBetween } from '../model/time.ts';
import type { Fault } from '../reasons/faults.ts';
import type { HoldUp } from '../reasons/hold-ups.ts';
import { replacementsOf } from './crashes.ts';

/** How long before the end of its drain's time an instance's services may still take to serve. */
const LEFT_SECONDS = 300;

/** How long an invocation must see services unsettled. */
const SEEN_SECONDS = 120;

/** The longest that it must see a task ill: Lambda stops it after 15 minutes. */
const ILL_SECONDS = 600;

export function unhealthyOf(
  { name }: Pick<Service, 'name'>,
  { details: { unhealthy = [] } = {} }: Observation,
): readonly UnhealthyTask[] {
  return unhealthy.filter(({ service }) => service === name);
}

/**
 * Services that run all their tasks while fewer serve than should: than are desired, or, of one that was ill
 * before, than served then. Daemons' counts follow the instances, so of them each that doesn't serve counts.
 */
export function unhealthyServices(
  { roll }: Group,
  observation: Observation,
  services: readonly Service[],
): { readonly what: Fault; readonly service: string; readonly deploys: boolean }[] {
  return services.flatMap((service) => {
    const { name, daemon, runningCount, desiredCount, deploying } = service;
    const unhealthy = unhealthyOf(service, observation);
    const [first] = unhealthy;
    if (first === undefined) return [];
    const before = roll?.unsteady.find((each) => each.name === name)?.runningCount;
    const serving = runningCount - unhealthy.length;
    const isEnough = daemon
      ? before !== undefined
      : serving >= Math.min(before ?? desiredCount, desiredCount);
    if (isEnough) return [];
    const what = {
      kind: 'service-unhealthy',
      service: name,
      count: unhealthy.length,
      says: first.says,
    } as const;
    return [{ what, service: name, deploys: deploying }];
  });
}

/** At a look that doesn't read health, nobody knows better. */
export function illSince(
  { now, details: { unhealthy } = {} }: Observation,
  before: Watch,
): Watch['illSince'] {
  if (unhealthy === undefined) return before.illSince;
  const ill = unhealthy.filter(({ ofNoImage }) => !ofNoImage);
  return new Map(ill.map(({ arn }) => [arn, before.illSince?.get(arn) ?? now]));
}

/**
 * Reports a task that has been ill on a replacement for so long that its image is to blame. How long it has
 * run doesn't tell: ECS starts another before it stops an old one that fails its checks for a moment.
 */
export function stayingUnhealthy(assessment: Assessment): HoldUp<'tasks-stay-unhealthy'> | undefined {
  const { observation, group } = assessment;
  const since = group.watch.unsettledSince;
  if (since === undefined || !isOver(since, SEEN_SECONDS, observation.now)) return undefined;
  return suspects(assessment).find(({ isIllForLong }) => isIllForLong)?.reason;
}

/** Whether a task may yet turn out to be ill for so long. */
export function isSuspected(assessment: Assessment): boolean {
  return suspects(assessment).some(({ isIllForLong }) => !isIllForLong);
}

interface Suspect {
  readonly reason: HoldUp<'tasks-stay-unhealthy'>;
  readonly isIllForLong: boolean;
}

/**
 * Tasks that don't serve and have run on a replacement for as long as a replacement may take to be ready, or
 * their service's grace period, in which ECS leaves them alone, as long as their drain isn't given up before.
 * A service that was ill before, that has such tasks on other instances too, or that is being deployed, is
 * ill itself.
 */
function suspects(assessment: Assessment): Suspect[] {
  const { group, observation, settings, classified } = assessment;
  const { now, containerInstances, details: { services = [], unhealthy = [] } = {} } = observation;
  const { roll, watch } = group;
  if (roll === undefined || unhealthy.length === 0) return [];
  const ids = new Set(replacementsOf(group, classified));
  const hostOf = ({ containerInstanceArn }: UnhealthyTask) =>
    containerInstances.find(({ arn }) => arn === containerInstanceArn)?.instanceId;
  return services.flatMap((service) => {
    const own = unhealthyOf(service, observation);
    const isIll = roll.unsteady.some(({ name }) => name === service.name) || service.deployment !== undefined;
    if (isIll || !own.every((task) => ids.has(hostOf(task) ?? ''))) return [];
    const seconds = limitOf(service, settings);
    const forSeconds = Math.min(seconds, ILL_SECONDS);
    return own.flatMap((task): Suspect[] => {
      const { arn, startedAt, ofNoImage, says } = task;
      const instanceId = hostOf(task);
      const isOld = startedAt !== undefined && isOver(startedAt, seconds, now);
      if (instanceId === undefined || ofNoImage || !isOld) return [];
      const since = watch.illSince?.get(arn) ?? now;
      const isIllForLong = secondsBetween(since, now) >= forSeconds;
      const code = 'tasks-stay-unhealthy';
      return [{ reason: { code, service: service.name, instanceId, says, forSeconds }, isIllForLong }];
    });
  });
}

function limitOf(
  { graceSeconds = 0 }: Service,
  { readyTimeoutSeconds, drainTimeoutSeconds }: Settings,
): number {
  return Math.max(readyTimeoutSeconds, Math.min(graceSeconds, drainTimeoutSeconds - LEFT_SECONDS));
}
