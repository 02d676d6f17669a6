import { drainsInPlace } from '../drain/how-many-drain.ts';
import { protectionObstacles } from '../drain/protection.ts';
import { driftedIn } from '../group/assess.ts';
import { unsteadyServices, warnOfUnsteady } from '../group/ill-services.ts';
import { warnOfLaunchHooks } from '../group/launch-time.ts';
import { skippedHooks, warnOfDetaching } from '../group/lifecycle-hooks.ts';
import { strategyOf } from '../group/strategy.ts';
import { zonesAtRisk } from '../group/zones.ts';
import { unfitVolumes } from '../launch-spec/volumes.ts';
import type { Assessment } from '../model/assessment.ts';
import type { Service } from '../model/cluster.ts';
import type { UnusableProfile } from '../model/preflight-facts.ts';
import { instanceIdsOf } from '../model/registrations.ts';
import { isOnManaged } from '../placement/place.ts';
import type { Obstacle } from '../reasons/obstacles.ts';
import type { ServiceBounds } from '../reasons/preflight-obstacles.ts';
import type { Warning } from '../reasons/warnings.ts';
import { lackOfAddresses, lackOfTaskAddresses } from './addresses.ts';
import { lackOfReservations, lackOfSpreadRoom, warnOfReservations } from './launch-room.ts';
import { namedInterfaces } from './network-interfaces.ts';

/** What the checks before the first change found. */
export interface Preflight {
  /** What would make the roll fail. */
  readonly obstacles: readonly Obstacle[];
  /** What wouldn't, but the owner should know. */
  readonly warnings: readonly Warning[];
}

/** Checks, before anything changes, for everything that would make the roll of a group fail. */
export function preflight(assessment: Assessment): Preflight {
  const stuck = stuckOnDrifted(assessment);
  const misfits = onDrifted(assessment, assessment.group.details?.preflight?.misfits ?? []);
  const mayForce = assessment.settings.onDrainTimeout === 'force';
  return {
    obstacles: [
      ...(mayForce ? [] : nowhereToMove(assessment)),
      ...(mayForce
        ? []
        : stuck.map((service) => ({ code: 'service-cannot-move', ...boundsOf(service) }) as const)),
      ...misfits.flatMap(({ obstacle }) => obstacle ?? []),
      ...lackOfAddresses(assessment),
      ...lackOfReservations(assessment),
      ...lackOfSpreadRoom(assessment),
      ...namedInterfaces(assessment),
      ...unfitVolumes(assessment.launch.sources),
      ...(assessment.group.details?.preflight?.unusableProfiles ?? []).map(unusable),
      ...(assessment.group.details?.preflight?.illSources ?? []).map(
        (source) => ({ code: 'nobody-healthy', source }) as const,
      ),
      ...(assessment.group.details?.preflight?.unservedZones ?? []).map(
        (unserved) => ({ code: 'zone-not-served', ...unserved }) as const,
      ),
      ...zonalShifts(assessment),
      ...lackOfLaunchConfigurations(assessment),
      ...lackOfTags(assessment),
      ...tagsInTheWay(assessment),
      ...protectionObstacles(assessment),
    ],
    warnings: [
      ...(mayForce
        ? stuck.map((service) => ({ code: 'tasks-will-be-stopped', ...boundsOf(service) }) as const)
        : []),
      ...misfits.flatMap(({ warning }) => warning ?? []),
      ...warnOfUnsteady(unsteadyServices(assessment.observation)),
      ...lackOfTaskAddresses(assessment),
      ...emptiedZones(assessment),
      ...unevenZones(assessment),
      ...skippedHooks(assessment),
      ...warnOfDetaching(assessment),
      ...interruptions(assessment.observation.details?.services ?? []),
      ...warnOfLaunchHooks(assessment.group),
      ...warnOfNoWayBack(assessment),
      ...warnOfReservations(assessment),
    ],
  };
}

/**
 * Whether ECS can't move a task of a service off a draining instance: it can neither start one more within
 * maximumPercent (rounded down), nor stop one first within minimumHealthyPercent (rounded up). With 3 tasks
 * at 100/125 at most floor(3.75) = 3 may run, and 3 must. Daemon tasks don't move.
 *
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/container-instance-draining.html
 */
export function cannotDrain(service: Service): boolean {
  const { daemon, desiredCount, minimumHealthyPercent, maximumPercent } = service;
  if (daemon || desiredCount === 0) return false;
  const most = Math.floor((desiredCount * maximumPercent) / 100);
  const least = Math.ceil((desiredCount * minimumHealthyPercent) / 100);
  return most <= desiredCount && least >= desiredCount;
}

function stuckOnDrifted(assessment: Assessment): Service[] {
  const stuck = onDrifted(assessment, assessment.group.details?.preflight?.stuckServices ?? []);
  return (assessment.observation.details?.services ?? []).filter(({ name }) =>
    stuck.some((each) => each.name === name),
  );
}

/** Those with tasks on members to be replaced. */
function onDrifted<Item extends { readonly hosts: readonly string[] }>(
  { classified, observation }: Assessment,
  items: readonly Item[],
): Item[] {
  const ids = new Set(classified.drifted.map(({ instance }) => instance.instanceId));
  const hosts = new Set(
    observation.containerInstances.filter(({ instanceId }) => ids.has(instanceId)).map(({ arn }) => arn),
  );
  return items.filter((each) => each.hosts.some((arn) => hosts.has(arn)));
}

/**
 * In place, no replacement comes before the old members drain, so they can't be all the instances of the
 * cluster.
 */
function nowhereToMove({ group, settings, classified, observation }: Assessment): Obstacle[] {
  const { containerInstances, details: { services = [] } = {} } = observation;
  const { canary } = settings;
  const drainConcurrency = drainsInPlace(settings);
  // Without a connected agent it takes no tasks: it may be gone though still registered.
  const active = instanceIdsOf(
    containerInstances.filter((each) => each.status === 'ACTIVE' && each.agentConnected && !each.managed),
  );
  const drifted = new Set(classified.drifted.map(({ instance }) => instance.instanceId));
  const leaving = active.filter((instanceId) => drifted.has(instanceId));
  const firstBatch = canary > 0 ? Math.min(drainConcurrency, canary) : drainConcurrency;
  const atOnce = Math.min(firstBatch, leaving.length);
  if (strategyOf(group, settings) !== 'in-place' || atOnce === 0 || atOnce < active.length) return [];
  const bound = services.filter(
    (each) =>
      !each.daemon && each.desiredCount * each.minimumHealthyPercent > 0 && !isOnManaged(each, observation),
  );
  if (bound.length === 0) return [];
  const names = bound.map(({ name }) => name);
  return [{ code: 'nowhere-to-move', containerInstances: active.length, services: names }];
}

/** ECS places tasks in a zone that a load balancer sends nothing to, and goes by their checks alone. */
function zonalShifts({ group, observation }: Assessment): Obstacle[] {
  const { services = [], unhealthy = [] } = observation.details ?? {};
  const shifted = unhealthy.filter((task) => task.shifted).map(({ service }) => service);
  const ofServices = services.filter(({ name, daemon }) => !daemon && shifted.includes(name));
  const own = group.details?.preflight?.shiftedSources ?? [];
  const from = [...own, ...ofServices.map(({ name }) => name)];
  return from.length === 0 ? [] : [{ code: 'zone-shifted', from }];
}

function boundsOf({ name, desiredCount, minimumHealthyPercent, maximumPercent }: Service): ServiceBounds {
  return { service: name, desired: desiredCount, minimumHealthyPercent, maximumPercent };
}

/**
 * Warns of services that have no task for a while when their only one moves. A service that must keep its
 * task either starts another first, or can't move at all. We don't check where each runs: there may be
 * hundreds.
 */
function interruptions(services: readonly Service[]): Warning[] {
  const single = services.filter(
    ({ daemon, desiredCount, minimumHealthyPercent }) =>
      !daemon && desiredCount === 1 && minimumHealthyPercent === 0,
  );
  const mayDouble = ({ maximumPercent }: Service) => maximumPercent >= 200;
  const stopped = single.filter((service) => !mayDouble(service));
  const loose = single.filter(mayDouble);
  return [...warnOfSingle(stopped, true), ...warnOfSingle(loose, false)];
}

function warnOfSingle(services: readonly Service[], isCertain: boolean): Warning[] {
  if (services.length === 0) return [];
  return [{ code: 'single-task-interrupted', services: services.map(({ name }) => name), isCertain }];
}

function emptiedZones(assessment: Assessment): Warning[] {
  const { zonalSources: sources = [] } = assessment.group.details?.preflight ?? {};
  const zones = zonesAtRisk(assessment);
  return sources.length === 0 || zones.length === 0 ? [] : [{ code: 'zones-may-empty', zones, sources }];
}

/** How much of a weight is to leave a zone may be no member's, so that nothing evens them out in the end. */
function unevenZones({ group, settings, classified }: Assessment): Warning[] {
  const { members, availabilityZones = [], suspendedProcesses } = group;
  const isRebalanced = availabilityZones.length > 1 && !suspendedProcesses.includes('AZRebalance');
  const isWeighted = members.some(({ weight }) => weight !== 1);
  const isMoved = classified.drifted.length > 0 && strategyOf(group, settings) !== 'in-place';
  return isRebalanced && isWeighted && isMoved ? [{ code: 'zones-may-end-uneven' }] : [];
}

function warnOfNoWayBack({ outdated }: Assessment): Warning[] {
  const lost = outdated.filter((source) => source.lost);
  if (lost.length === 0) return [];
  return [{ code: 'no-way-back', imageIds: [...new Set(lost.map(({ imageId }) => imageId))] }];
}

function unusable({ name, state }: UnusableProfile): Obstacle {
  return { code: 'instance-profile-unusable', name, state };
}

function lackOfLaunchConfigurations({ group }: Assessment): Obstacle[] {
  const room = group.details?.preflight?.launchConfigurationRoom;
  return room === undefined || room > 0 ? [] : [{ code: 'launch-configurations-full' }];
}

function lackOfTags({ group }: Assessment): Obstacle[] {
  const tooMany = group.details?.preflight?.tagsTooMany ?? 0;
  return tooMany <= 0 ? [] : [{ code: 'group-tags-full', tooMany }];
}

/** AWS allows 50 tags on an instance, not counting its own; we need 6 of them. */
const MOST_TAGS = 50;
const OURS = 6;

/** What would keep our tags off instances, or copy them to instances they aren't meant for. */
function tagsInTheWay(assessment: Assessment): Obstacle[] {
  const propagated = assessment.group.details?.preflight?.propagatedTags ?? [];
  const full = driftedIn(assessment).filter(
    ({ instance: { otherTags = 0 } }) => otherTags + OURS > MOST_TAGS,
  );
  const ids = full.map(({ instance }) => instance.instanceId);
  return [
    ...(propagated.length === 0 ? [] : [{ code: 'marks-propagated', keys: propagated } as const]),
    ...(ids.length === 0
      ? []
      : [{ code: 'instance-tags-full', instanceIds: ids, most: MOST_TAGS, ours: OURS } as const]),
  ];
}
