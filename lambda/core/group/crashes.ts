import { imagesOfRoll } from '../launch-spec/previous.ts';
import type { Assessment, Classification } from '../model/assessment.ts';
import type { Crash, Host, Service } from '../model/cluster.ts';
import { derived } from '../model/derived.ts';
import type { Group } from '../model/group.ts';
import type { Observation } from '../model/observation.ts';
import { countedOn, instanceIdsOf, registrationsOf, zoneOf } from '../model/registrations.ts';
import type { Roll } from '../model/roll.ts';
import type { Settings } from '../model/settings.ts';
import { groupOfService, serviceIn } from '../model/task-group.ts';
import { isOver, secondsBetween } from '../model/time.ts';
import type { CrashFacts } from '../reasons/faults.ts';
import type { HoldUp } from '../reasons/hold-ups.ts';
import { exonerationOf, isOfUnprovenDeployment } from './blame.ts';

/** ECS reports a stopped task for an hour: anything older is unknown. */
const SEEN_SECONDS = 3000;

/** Without a bake time, a fault counts as past after this long. */
const LEAST_QUIET_SECONDS = 120;

/** Crash rate on replacements, relative to old instances, above which the image is blamed. */
const OFTENER = 2;

/**
 * Service tasks that failed on the roll's replacements, latest last. A service that was unsteady before, or
 * whose tasks crash about as often on old instances, is ill itself, and standalone tasks may end as they
 * like. Failures that ECS attributes to something other than the image, of a deployment that never succeeded,
 * or of one that is over, don't count either; nor do those of one that began in the roll once nothing old is
 * left, which might have failed there as well.
 */
export const crashesOnReplacements = derived((assessment: Assessment): readonly Crash[] => {
  const { group, observation, classified } = assessment;
  const { roll } = group;
  const { services = [], crashes: all = [] } = observation.details ?? {};
  if (roll === undefined || all.length === 0) return [];
  const replacements = replacementsOf(group, classified);
  const hosts = hostsOf(replacements, observation);
  const crashes = all.filter(({ at }) => at >= roll.startedAt);
  const ours = crashes.filter(({ containerInstanceArn: arn }) => hosts.has(arn));
  // An instance that is gone, or runs the new image for another group, says nothing about the image.
  const isOld = oldTo(roll);
  const hostIds = oldHosts(observation, isOld);
  const newSince = hostIds.length > 0 ? undefined : roll.startedAt;
  const onOld = crashes.filter(({ host }) => host !== undefined && isOld(host));
  const isIll = (service: string) => {
    if (roll.unsteady.some(({ name }) => service === groupOfService(name))) return true;
    const old = onOld.filter((crash) => crash.group === service);
    if (old.length === 0) return false;
    const fresh = ours.filter((crash) => crash.group === service);
    const zone = zoneOfAll([...old, ...fresh].map(arnOf), observation);
    const isThere = (id: string) => registrationsOf(observation, id).some((host) => zoneOf(host) === zone);
    // What crashes in a zone alone says nothing of those elsewhere.
    const isOfZone = zone !== undefined && hostIds.some(isThere);
    const comparable = isOfZone ? hostIds.filter(isThere) : hostIds;
    const compared = isOfZone ? replacements.filter(isThere) : replacements;
    const oldCount = Math.max(comparable.length, new Set(old.map(arnOf)).size);
    return comparable.length === 0 || (old.length * OFTENER) / oldCount >= fresh.length / compared.length;
  };
  // Thousands of tasks may crash within the hour, of a few services.
  const named = new Set(ours.map((crash) => crash.group));
  const well = new Set([...named].filter((each) => serviceIn(each) !== undefined && !isIll(each)));
  return ours
    .filter((crash) => well.has(crash.group))
    .filter(
      (crash) => exonerationOf(crash) === undefined && !isOfUnprovenDeployment(crash, services, newSince),
    )
    .sort((a, b) => a.at.getTime() - b.at.getTime());
});

/** It runs another image than the roll's; if the roll has none, it was there before. */
export function oldTo(roll: Roll): (host: Host) => boolean {
  const given = imagesOfRoll(roll);
  return ({ imageId, launchedAt }) =>
    given.length > 0 ? !given.includes(imageId) : launchedAt < roll.startedAt;
}

/** The zone that all these container instances are in; undefined if there are several, or it is unknown. */
function zoneOfAll(arns: readonly string[], { containerInstances }: Observation): string | undefined {
  const zones = arns.map((arn) => {
    const host = containerInstances.find((each) => each.arn === arn);
    return host && zoneOf(host);
  });
  const [zone, ...others] = new Set(zones);
  return others.length === 0 ? zone : undefined;
}

/** Old instances that still get tasks: once all of them drain there is nothing to compare with. */
function oldHosts({ groups, containerInstances }: Observation, isOld: (host: Host) => boolean): string[] {
  const instances = groups.flatMap((group) => group.instances.filter(isOld));
  const old = new Set(instances.map(({ instanceId }) => instanceId));
  const active = containerInstances.filter(
    ({ instanceId, status }) => status === 'ACTIVE' && old.has(instanceId),
  );
  return instanceIdsOf(active);
}

const arnOf = ({ containerInstanceArn: arn }: Crash) => arn;

/** Members the group launched since its roll began that stay. */
export function replacementsOf({ roll }: Group, { current }: Classification): string[] {
  return current.flatMap(({ instance: { instanceId, launchedAt } }) =>
    roll !== undefined && launchedAt >= roll.startedAt ? [instanceId] : [],
  );
}

function hostsOf(instanceIds: readonly string[], { containerInstances }: Observation): Set<string> {
  const ids = new Set(instanceIds);
  const on = containerInstances.filter(({ instanceId }) => ids.has(instanceId));
  return new Set(on.map(({ arn }) => arn));
}

/**
 * Reports service tasks that keep crashing on replacements: the first crash is as long ago as a replacement
 * may take to be ready, and they go on. Either one crashed lately, or the service still lacks tasks, as ECS
 * restarts crashing ones less and less often.
 */
export function crashLoop(assessment: Assessment): HoldUp<'tasks-keep-crashing'> | undefined {
  const { observation, settings } = assessment;
  const crashes = crashesOnReplacements(assessment);
  const services = [...new Set(crashes.map((crash) => crash.group))];
  const looping = services
    .map((service) => crashes.filter((crash) => crash.group === service))
    .find((ofService) => isLoop(ofService, observation, settings));
  const last = looping?.at(-1);
  if (last === undefined) return undefined;
  return { code: 'tasks-keep-crashing', crash: crashFacts(last, observation), forSeconds: limitOf(settings) };
}

function limitOf({ readyTimeoutSeconds }: Settings): number {
  return Math.min(readyTimeoutSeconds, SEEN_SECONDS);
}

/** A single crash, however long ago, is not a loop. */
function isLoop(
  crashes: readonly Crash[],
  { now, details: { services = [] } = {} }: Observation,
  settings: Settings,
): boolean {
  const [first] = crashes;
  const last = crashes.at(-1);
  if (first === undefined || last === undefined) return false;
  const seconds = limitOf(settings);
  if (!isOver(first.at, seconds, now) || secondsBetween(first.at, last.at) < seconds / 2) return false;
  return (
    !isOver(last.at, quietSeconds(settings), now) || services.some((service) => isShortOf(service, last))
  );
}

/** How long without another fault before one counts as past. */
function quietSeconds(settings: Settings): number {
  return Math.min(Math.max(settings.bakeSeconds, LEAST_QUIET_SECONDS), limitOf(settings) / 2);
}

function isShortOf({ name, runningCount, desiredCount }: Service, crash: Crash): boolean {
  return crash.group === groupOfService(name) && runningCount < desiredCount;
}

/**
 * The last crash on a replacement of a service that still lacks tasks: ECS restarts crashing ones less and
 * less often.
 */
export function crashOfLacking(assessment: Assessment): Crash | undefined {
  const { observation } = assessment;
  const { services = [] } = observation.details ?? {};
  return crashesOnReplacements(assessment)
    .filter((crash) => services.some((service) => isShortOf(service, crash)))
    .at(-1);
}

/** Whether any of these has a task, or the cluster has no tasks at all. */
export function carriesTasks(
  instanceIds: readonly string[],
  { containerInstances, details: { services = [] } = {} }: Observation,
): boolean {
  if (services.every(({ desiredCount }) => desiredCount === 0)) return true;
  const ids = new Set(instanceIds);
  return containerInstances.some((each) => countedOn(each) > 0 && ids.has(each.instanceId));
}

/**
 * The last crash on a replacement, while we can't tell whether it was the last: others may follow, or its
 * service still lacks tasks, or has placed them elsewhere so that no replacement has any. If crashes go on,
 * they become a loop; one as long ago as a replacement may take to be ready no longer counts.
 */
export function openCrash(assessment: Assessment): Crash | undefined {
  const { group, observation, settings, classified } = assessment;
  const { now, details: { services = [] } = {} } = observation;
  const crashes = crashesOnReplacements(assessment);
  const last = crashes.at(-1);
  if (last === undefined || isOver(last.at, limitOf(settings), now)) return undefined;
  const isQuiet = isOver(last.at, Math.max(quietSeconds(settings), NEXT_GAP * lastGapOf(crashes)), now);
  const isIdle = !carriesTasks(replacementsOf(group, classified), observation);
  return !isQuiet || isIdle || services.some((service) => isShortOf(service, last)) ? last : undefined;
}

/** ECS doubles its wait before each restart of a failing task, and a task takes time to start and to fail. */
const NEXT_GAP = 3;

/** Seconds between the last two crashes of the service that crashed last. */
function lastGapOf(crashes: readonly Crash[]): number {
  const last = crashes.at(-1);
  const before = crashes.filter(({ group, at }) => group === last?.group && at < last.at).at(-1);
  return last === undefined || before === undefined ? 0 : secondsBetween(before.at, last.at);
}

/** The facts of a crash for a message. */
export function crashFacts(crash: Crash, { containerInstances }: Observation): CrashFacts {
  const host = containerInstances.find(({ arn }) => arn === crash.containerInstanceArn);
  const exoneration = exonerationOf(crash)?.kind;
  return {
    group: crash.group,
    ...(host && { instanceId: host.instanceId }),
    says: crash.reason,
    ...(exoneration && { exoneration }),
  };
}
