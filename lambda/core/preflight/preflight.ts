import { tellProtection } from '../drain/protection.ts';
import { unsteadyServices } from '../group/ill-services.ts';
import { tellLaunchHooks } from '../group/launch-time.ts';
import { skippedHooks } from '../group/lifecycle-hooks.ts';
import { describeUnsteady } from '../group/steadiness.ts';
import { strategyOf } from '../group/strategy.ts';
import { unfitVolumes } from '../launch-spec/volumes.ts';
import type { Assessment } from '../model/assessment.ts';
import type { Service } from '../model/cluster.ts';
import type { UnusableProfile } from '../model/preflight-facts.ts';
import { instanceIdsOf } from '../model/registrations.ts';
import { lackOfAddresses, lackOfTaskAddresses } from './addresses.ts';
import { tagsInTheWay } from './tags.ts';

/** What a look before the first change comes to. */
export interface Preflight {
  /** What would keep the roll from succeeding, a sentence each with what to do. */
  readonly obstacles: readonly string[];
  /** What won't, but is to be known. */
  readonly warnings: readonly string[];
}

/** Looks, before anything changes, for all that would keep the roll of a group from succeeding. */
export function preflight(all: Assessment): Preflight {
  const stuck = stuckOnDrifted(all);
  const misfits = onDrifted(all, all.group.details?.preflight?.misfits ?? []);
  const mayForce = all.settings.onDrainTimeout === 'force';
  return {
    obstacles: [
      ...(mayForce ? [] : nowhereToMove(all)),
      ...(mayForce ? [] : stuck.map(cannotMove)),
      ...misfits.filter(({ certain }) => certain).map(({ why }) => why),
      ...lackOfAddresses(all),
      ...unfitVolumes(all.launch.sources),
      ...(all.group.details?.preflight?.unusableProfiles ?? []).map(unusable),
      ...lackOfLaunchConfigurations(all),
      ...lackOfTags(all),
      ...tagsInTheWay(all),
      ...tellProtection(all),
    ],
    warnings: [
      ...(mayForce ? stuck.map(willBeStopped) : []),
      ...misfits.filter(({ certain }) => !certain).map(({ why }) => why),
      ...describeUnsteady(unsteadyServices(all.observation)),
      ...lackOfTaskAddresses(all),
      ...skippedHooks(all),
      ...interruptions(all.observation.details?.services ?? []),
      ...tellLaunchHooks(all.group),
    ],
  };
}

/**
 * Whether ECS can't move a task of a service off an instance that drains: it may neither start one more, as
 * the maximumPercent, rounded down, would let it, nor stop one first, as the minimumHealthyPercent, rounded
 * up, would. Of 3 tasks at 100/125 there may be floor(3.75) = 3 and must be 3. A daemon's tasks aren't moved.
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

function stuckOnDrifted(all: Assessment): Service[] {
  const stuck = onDrifted(all, all.group.details?.preflight?.stuckServices ?? []);
  return (all.observation.details?.services ?? []).filter(({ name }) =>
    stuck.some((each) => each.name === name),
  );
}

/** Those that have tasks on members that are to be replaced. */
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

/** Without a surge nothing is launched before what the cluster has drains: that may not be all at once. */
function nowhereToMove({ group, settings, classified, observation }: Assessment): string[] {
  const { containerInstances, details: { services = [] } = {} } = observation;
  const { canary, drainConcurrency } = settings;
  // What no agent is connected to takes no task: it may be gone, and registered still.
  const active = instanceIdsOf(
    containerInstances.filter(({ status, agentConnected }) => status === 'ACTIVE' && agentConnected),
  );
  const drifted = new Set(classified.drifted.map(({ instance }) => instance.instanceId));
  const leaving = active.filter((instanceId) => drifted.has(instanceId));
  const isTried = canary > 0 && group.members.length > canary;
  const firstBatch = isTried ? Math.min(drainConcurrency, canary) : drainConcurrency;
  const atOnce = Math.min(firstBatch, leaving.length);
  if (strategyOf(group, settings) !== 'in-place' || atOnce === 0 || atOnce < active.length) return [];
  const bound = services.filter(
    ({ daemon, desiredCount, minimumHealthyPercent }) => !daemon && desiredCount * minimumHealthyPercent > 0,
  );
  if (bound.length === 0) return [];
  const names = bound.map(({ name }) => name).join(', ');
  return [
    `without a surge all of the cluster's ${active.length} container instances would drain at once, and service ${names} ` +
      'must keep tasks meanwhile; let MAX_SURGE be 1 or more, or DRAIN_CONCURRENCY less',
  ];
}

/** With the least change of either percentage that would do: 134 or 66 for 3 tasks, 200 or 0 for one. */
function cannotMove(service: Service): string {
  const { desiredCount } = service;
  const enough = Math.ceil(((desiredCount + 1) * 100) / desiredCount);
  const little = Math.floor(((desiredCount - 1) * 100) / desiredCount);
  return (
    `${boundsOf(service)}, so that it can't move off an instance: raise its maximumPercent to ${enough}, ` +
    `lower its minimumHealthyPercent to ${little}, or set ON_DRAIN_TIMEOUT to force, which stops its tasks ` +
    'in the end'
  );
}

function willBeStopped(service: Service): string {
  return (
    `${boundsOf(service)}, so that its tasks are stopped when their instance's drain has timed out, as ` +
    'ON_DRAIN_TIMEOUT has it'
  );
}

function boundsOf({ name, desiredCount, minimumHealthyPercent, maximumPercent }: Service): string {
  const bounds = `minimumHealthyPercent ${minimumHealthyPercent} and maximumPercent ${maximumPercent}`;
  return `service ${name} may with ${bounds} of ${desiredCount} neither stop a task nor start one more`;
}

/**
 * Services that have no task for a while when their only one is moved. One that must keep it starts another
 * first, or can't be moved at all. Where each runs isn't asked: there may be hundreds of them.
 */
function interruptions(services: readonly Service[]): string[] {
  const single = services.filter(
    ({ daemon, desiredCount, minimumHealthyPercent }) =>
      !daemon && desiredCount === 1 && minimumHealthyPercent === 0,
  );
  const mayDouble = ({ maximumPercent }: Service) => maximumPercent >= 200;
  const stopped = single.filter((service) => !mayDouble(service));
  const loose = single.filter(mayDouble);
  return [
    ...tellOfSingle(stopped, 'it stops before another starts, and the service is down until that runs'),
    ...tellOfSingle(loose, 'it may stop before another runs, as minimumHealthyPercent 0 lets it'),
  ];
}

function tellOfSingle(services: readonly Service[], what: string): string[] {
  if (services.length === 0) return [];
  const names = services.map(({ name }) => name).join(', ');
  return [`service ${names} has one task: where its instance is replaced, ${what}`];
}

function unusable({ name, state }: UnusableProfile): string {
  return state === 'missing'
    ? `instance profile ${name}, which the group launches with, does not exist; create it, or name another`
    : `instance profile ${name}, which the group launches with, has no role; add its role`;
}

function lackOfLaunchConfigurations({ group }: Assessment): string[] {
  const room = group.details?.preflight?.launchConfigurationRoom;
  if (room === undefined || room > 0) return [];
  return [
    'the account has as many launch configurations as it may have in this Region; delete some that nobody ' +
      'uses, or let the group use a launch template',
  ];
}

function lackOfTags({ group }: Assessment): string[] {
  const tooMany = group.details?.preflight?.tagsTooMany ?? 0;
  if (tooMany <= 0) return [];
  return [`the group may have 50 tags, and ours need room for ${tooMany} more; take some away`];
}
