import type { Assessment, Leaving } from '../model/assessment.ts';
import type { Service, Task } from '../model/cluster.ts';
import { derived, groupedBy } from '../model/derived.ts';
import { endOfArn } from '../model/end-of-arn.ts';
import type { Group, Watch } from '../model/group.ts';
import type { Observation } from '../model/observation.ts';
import {
  countedOn,
  drainingAmong,
  instanceIdsOf,
  isForsaken,
  registrationsOf,
} from '../model/registrations.ts';
import type { UnsteadyService } from '../model/roll.ts';
import { groupOfService, serviceIn } from '../model/task-group.ts';
import { isOver, secondsBetween } from '../model/time.ts';
import type { Fault } from '../reasons/faults.ts';
import { idleMembers } from './capacity.ts';
import { servicesOf } from './concerned-services.ts';
import { deploying, isStalled, isUnderWay } from './deployments.ts';
import { illSince, unhealthyServices } from './health.ts';
import { isAmbiguous } from './named-size.ts';
import { isInItsTime, lackingInstance, readiness } from './readiness.ts';
import { endsThroughGroup, strategyOf } from './strategy.ts';

export const NOT_WATCHED: Watch = { draining: [], goodbyes: [] };

/** Something that keeps the services from being settled. */
export interface Unsettled {
  readonly what: Fault;
  /** It is only a deployment that its owner has started and that makes progress. */
  readonly deploys: boolean;
  /** The service, if it concerns one. */
  readonly service?: string;
}

/**
 * What keeps the services that the group's roll may have moved from being settled; empty if they are. Settled
 * means that each runs all its tasks, none of them pending, as many serve as far as that was read, no
 * deployment of it makes progress, and all service tasks on draining instances of the group are told to stop:
 * these count no more. Services that were ill before, or whose deployment makes no progress, count only if
 * they got worse. Standalone tasks come and go: we don't wait for them here.
 */
export function unsettled(observation: Observation, group: Group, leaving: readonly Leaving[]): Unsettled[] {
  const instanceIds = instanceIdsOf(drainingAmongLeaving(observation, leaving));
  const services = withoutGoodbyes(observation, group, leaving);
  return [
    ...unsettledServices(group, observation, services),
    ...unhealthyServices(group, observation, services),
    ...instanceIds.flatMap((instanceId) => {
      const left = serviceTasksOn(observation, instanceId).filter(({ stopping }) => !stopping);
      if (left.length === 0) return [];
      const deploys = areDeployed(left, group, observation);
      return [{ what: { kind: 'service-tasks-left', instanceId } as const, deploys }];
    }),
  ];
}

function unsettledServices({ roll }: Group, { now }: Observation, services: readonly Service[]): Unsettled[] {
  const tolerated = roll?.unsteady ?? [];
  return services.flatMap((service) => {
    const before = tolerated.find(({ name }) => name === service.name);
    if (before !== undefined) return worse(service, before);
    return isStalled(service, now) ? lacking(service, false) : unsteady(service);
  });
}

/**
 * Whether the services have all their tasks elsewhere than on draining instances, by their counts. Daemons
 * don't count that come up on instances which have just registered.
 */
export function isServed(observation: Observation, group: Group, leaving: readonly Leaving[]): boolean {
  if (observation.details?.services === undefined) return false;
  if (!leftOnDraining(observation, leaving).every(({ stopping }) => stopping)) return false;
  const isComing = hasNewcomers(observation);
  const services = withoutGoodbyes(observation, group, leaving).map((service) =>
    service.daemon && isComing ? { ...service, pendingCount: 0 } : service,
  );
  return unsettledServices(group, observation, services).length === 0;
}

/**
 * The services without the tasks that are stopping on draining instances: ECS stops these only once others
 * serve in their place, and what they still do is say goodbye to their load balancers.
 */
function withoutGoodbyes(observation: Observation, group: Group, leaving: readonly Leaving[]): Service[] {
  const counted = leftOnDraining(observation, leaving).filter(({ stopping, running }) => stopping && running);
  return servicesOf(group, observation).map((service) => {
    const gone = counted.filter((task) => task.group === groupOfService(service.name)).length;
    return { ...service, runningCount: service.runningCount - gone };
  });
}

function leftOnDraining(observation: Observation, leaving: readonly Leaving[]): Task[] {
  return instanceIdsOf(drainingAmongLeaving(observation, leaving)).flatMap((instanceId) =>
    serviceTasksOn(observation, instanceId),
  );
}

/** How long after an instance registers its daemons may take to come up. */
const NEWCOMER_SECONDS = 60;

function hasNewcomers({ containerInstances, now }: Observation): boolean {
  return containerInstances.some(
    ({ registeredAt }) => registeredAt !== undefined && !isOver(registeredAt, NEWCOMER_SECONDS, now),
  );
}

/** It runs all its tasks, has none pending and isn't being deployed. */
export function isSteady({ runningCount, desiredCount, pendingCount, deploying }: Service): boolean {
  return runningCount >= desiredCount && pendingCount === 0 && !deploying;
}

/** A daemon's counts follow the instances that come and go, so they can't show it got worse. */
function worse(service: Service, before: UnsteadyService): Unsettled[] {
  const { name, daemon, runningCount, desiredCount } = service;
  const least = daemon ? 0 : Math.min(before.runningCount, desiredCount);
  if (runningCount >= least) return [];
  const what = { ...short(service), before: before.runningCount };
  return [{ what, service: name, deploys: false }];
}

/** Names of the group's services with a deployment that makes progress. */
export function deployingServices(group: Group, observation: Observation): readonly string[] {
  return deployingIn(observation)(group);
}

const deployingIn = derived((observation: Observation) =>
  derived((group: Group): readonly string[] =>
    servicesOf(group, observation)
      .filter((service) => isUnderWay(service, observation.now))
      .map(({ name }) => name),
  ),
);

/** Whether all tasks belong to services being deployed: ECS finishes that first. */
export function areDeployed(all: readonly Task[], group: Group, observation: Observation): boolean {
  const deploying = deployingServices(group, observation);
  return all.every((task) => deploying.some((name) => task.group === groupOfService(name)));
}

/** Why a service isn't steady, if it isn't. */
function unsteady(service: Service): Unsettled[] {
  const { name, pendingCount, deploying: deploys } = service;
  const lacks = lacking(service, deploys);
  if (lacks.length > 0) return lacks;
  if (pendingCount > 0)
    return [
      {
        what: { kind: 'service-pending', service: name, pending: pendingCount },
        service: name,
        deploys,
      },
    ];
  return deploys ? [{ what: deploying(service), service: name, deploys }] : [];
}

/** A daemon's counts follow the instances that come and go. */
function lacking(service: Service, deploys: boolean): Unsettled[] {
  const { name, daemon, runningCount, desiredCount } = service;
  if (daemon || runningCount >= desiredCount) return [];
  return [{ what: short(service), service: name, deploys }];
}

function short({ name, runningCount, desiredCount }: Service): Fault<'service-short'> {
  return { kind: 'service-short', service: name, running: runningCount, desired: desiredCount };
}

/** What an instance still has to lose: one fault for each service or other group of tasks. */
export function lingering(observation: Observation, instanceId: string, named = false): Fault[] {
  const left = losableOn(observation, instanceId);
  return [...new Set(left.map(({ group }) => group))].sort().map((group) => {
    const taskIds = left.filter((task) => task.group === group).map(({ arn }) => endOfArn(arn));
    return { kind: 'tasks-left', instanceId, group, taskIds, named };
  });
}

/** The tasks left on an instance, except daemons'. */
export function remainingOn(observation: Observation, instanceId: string): Task[] {
  return tasksOn(observation, instanceId).filter((task) => !isDaemonTask(task, observation));
}

/** The tasks left on an instance that would be cut off if it ended. */
export function losableOn(observation: Observation, instanceId: string): Task[] {
  return tasksOn(observation, instanceId).filter((task) => isLosable(task, observation));
}

/** ECS counts more tasks that should run there than are known of, as it drains: its list of them lags. */
export function hidesTasks(observation: Observation, instanceId: string): boolean {
  const draining = registrationsOf(observation, instanceId).filter(({ status }) => status === 'DRAINING');
  const counted = draining.reduce((sum, each) => sum + countedOn(each), 0);
  return counted > tasksOn(observation, instanceId).filter(({ stopping }) => !stopping).length;
}

/**
 * Daemons are "the last task to stop after all replica tasks are stopped". A plain one may as well end with
 * its instance; one behind a load balancer has requests until it has left that.
 *
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/ecs_service-options.html
 */
export function isLosable(task: Pick<Task, 'group'>, observation: Observation): boolean {
  const { services = [] } = observation.details ?? {};
  return !isDaemonTask(task, observation) || balancedIn(services).has(task.group);
}

const balancedIn = derived((services: readonly Service[]) => {
  const balanced = services.filter(({ sources, unreadSources }) => sources ?? unreadSources);
  return new Set(balanced.map(({ name }) => groupOfService(name)));
});

export function isDaemonTask(task: Pick<Task, 'group'>, observation: Observation): boolean {
  const { services } = observation.details ?? {};
  return services !== undefined && daemonsIn(services).has(task.group);
}

const daemonsIn = derived((services: readonly Service[]) => {
  const daemons = services.filter(({ daemon }) => daemon);
  return new Set(daemons.map(({ name }) => groupOfService(name)));
});

/** The tasks of services on an instance, except daemons'. */
function serviceTasksOn(observation: Observation, instanceId: string): Task[] {
  return remainingOn(observation, instanceId).filter(({ group }) => serviceIn(group) !== undefined);
}

/**
 * The tasks on an instance that have not stopped, whatever their desired status. On an abandoned
 * registration, tasks told to stop don't count once requests to them have run out: their service already does
 * without them, and nothing will ever report that they stopped.
 */
export function tasksOn(observation: Observation, instanceId: string): Task[] {
  const registrations = registrationsOf(observation, instanceId);
  const forsaken = new Set(
    registrations.filter((each) => isForsaken(each, observation)).map(({ arn }) => arn),
  );
  const { tasks } = observation.details ?? {};
  const found = registrations.flatMap(({ arn }) => (tasks && tasksByHost(tasks).get(arn)) ?? []);
  return found.filter(
    ({ containerInstanceArn: arn, stopping, deactivating }) =>
      !(forsaken.has(arn) && stopping && !deactivating),
  );
}

const tasksByHost = derived((tasks: readonly Task[]) =>
  groupedBy(tasks, ({ containerInstanceArn: arn }) => arn),
);

/**
 * Carries the watch over a group from the last observation to this one. When another instance starts to
 * drain, the services must prove steady anew: its tasks may have moved unseen between two looks. One that had
 * none but daemons moves nothing.
 */
export function watch(assessment: Assessment, previous: Watch): Watch {
  const { group, observation, settings, classified } = assessment;
  const { now } = observation;
  const draining = drainingAmongLeaving(observation, classified.leaving).map(({ arn }) => arn);
  const drainsMore = draining.some(
    (arn) => !previous.draining.includes(arn) && hadReplicas(arn, observation),
  );
  const faults = unsettled(observation, group, classified.leaving);
  const isSettled = observation.details?.services !== undefined && faults.length === 0;
  const served = isServed(observation, group, classified.leaving);
  const servedSince = drainsMore ? now : (previous.servedSince ?? now);
  const isSteady = isSettled && served && secondsBetween(servedSince, now) >= settings.stableSeconds;
  const lacks = readiness(assessment);
  const isComing = lacks.some((lack) => isInItsTime(lack, assessment));
  const excused = lacks.filter((lack) => lack.excused).map(lackingInstance);
  const isShort = idleMembers(assessment, 'failed').length > 0;
  return {
    draining,
    goodbyes: stillDraining(observation, previous.goodbyes, isSteady ? replacedBefore(assessment) : []),
    unreadySince: new Map(
      lacks.map(lackingInstance).map((id) => [id, previous.unreadySince?.get(id) ?? now]),
    ),
    ...(isComing && { comingSince: previous.comingSince ?? now }),
    excusedAt: new Map([...(previous.excusedAt ?? []), ...excused.map((id) => [id, now] as const)]),
    ...(isShort ? { shortSince: previous.shortSince ?? now } : {}),
    ...(served && { servedSince }),
    ...(isSettled ? {} : { unsettledSince: previous.unsettledSince ?? now }),
    illSince: illSince(observation, previous),
    ...unsettledChange(assessment, previous),
    ...unnotedSize(assessment, previous),
    ...(!isSteady && { unsteady: unsteadySince(previous, faults, now) }),
  };
}

function unsettledChange(
  { group: { roll }, observation: { now } }: Assessment,
  previous: Watch,
): Partial<Watch> {
  const change = roll?.changes.addedSizes.change;
  const before = previous.unsettledChange;
  if (change === undefined) return {};
  const isSame = JSON.stringify(change) === JSON.stringify(before?.change);
  return { unsettledChange: { since: now, ...(isSame && before), change } };
}

function unnotedSize({ group, observation: { now } }: Assessment, previous: Watch): Partial<Watch> {
  const { desiredCapacity } = group;
  const before = previous.unnotedSize;
  if (!isAmbiguous(group)) return {};
  const isSame = before?.desiredCapacity === desiredCapacity;
  return { unnotedSize: { since: now, ...(isSame && before), desiredCapacity } };
}

/** Those that drain in place of which others serve: of a member that is replaced in place none does yet. */
function replacedBefore({ group, observation, settings, classified: { leaving } }: Assessment): string[] {
  const growsFirst = endsThroughGroup(settings) && strategyOf(group, settings) !== 'in-place';
  const replaced = leaving.filter(({ attached }) => growsFirst || !attached);
  return drainingAmongLeaving(observation, replaced).map(({ arn }) => arn);
}

function stillDraining(
  { containerInstances }: Observation,
  before: readonly string[],
  added: readonly string[],
): string[] {
  const known = new Set([...before, ...added]);
  return containerInstances.flatMap(({ arn, status }) =>
    status === 'DRAINING' && known.has(arn) ? [arn] : [],
  );
}

/** Whether tasks of services other than daemons run on a container instance, or did within the last hour. */
function hadReplicas(arn: string, observation: Observation): boolean {
  const names = [...(observation.details?.servicesOn?.get(arn) ?? [])];
  return names.some((name) => !isDaemonTask({ group: groupOfService(name) }, observation));
}

/** However long an owner's deployment takes, what comes after it gets its full time. */
function unsteadySince({ unsteady }: Watch, faults: readonly Unsettled[], now: Date): Watch['unsteady'] {
  if (faults.length === 0) return unsteady ?? { since: now, by: [] };
  if (faults.every(({ deploys }) => deploys)) return { since: now, by: [] };
  return { since: unsteady?.since ?? now, by: faults.map(({ what }) => what) };
}

export function drainingAmongLeaving({ containerInstances }: Observation, leaving: readonly Leaving[]) {
  return drainingAmong(containerInstances, instanceIdsOf(leaving));
}
