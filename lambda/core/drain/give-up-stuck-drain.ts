import { type Action, blockedBy, type Decision } from '../actions/decision.ts';
import { hadTasksOn, isForgotten } from '../group/concerned-services.ts';
import { crashFacts } from '../group/crashes.ts';
import { failedDeployments } from '../group/deployments.ts';
import { hasLasted } from '../group/has-lasted.ts';
import { isSuspected } from '../group/health.ts';
import { deployingServices, remainingOn, type Unsettled, unsettled } from '../group/steadiness.ts';
import { crashesOfOthers, crashOfUnmovable } from '../group/unmovable.ts';
import type { Assessment } from '../model/assessment.ts';
import type { Crash, Task } from '../model/cluster.ts';
import type { Group, Mark } from '../model/group.ts';
import { idsOf } from '../model/members.ts';
import type { Observation } from '../model/observation.ts';
import type { Settings } from '../model/settings.ts';
import { groupOfService, serviceIn } from '../model/task-group.ts';
import type { Fault } from '../reasons/faults.ts';
import type { HoldUp } from '../reasons/hold-ups.ts';
import { isOverdue } from './drain-progress.ts';
import { type Candidate, isCutOff, isEmpty } from './phase.ts';
import { servicesRunShort, whyStranded } from './stranding.ts';
import { crashed, leftOn, unsettledSince } from './wait.ts';

/**
 * Gives up drains that take too long: sets the instance back ACTIVE and leaves it running, so that its tasks
 * survive and the other instances can continue. The tag is written first, so that after a kill the next run
 * undoes the drain as well.
 *
 * @returns undefined if there are none to give up
 */
export function giveUpDrains(assessment: Assessment, candidates: readonly Candidate[]): Decision | undefined {
  const { group, observation, settings } = assessment;
  const draining = candidates.filter(({ phase }) => phase === 'draining');
  const givenUp = draining.filter(({ instance }) => instance.mark.drainGivenUpAt !== undefined);
  if (givenUp.length > 0)
    return {
      kind: 'act',
      reason: { code: 'drain-undone', instanceIds: idsOf(givenUp), because: 'given-up' },
      actions: [activate(givenUp)],
    };
  for (const candidate of draining) {
    const unmovable = unmovableOn(assessment, candidate);
    const isGivenUp = unmovable.length === 0 && settings.onDrainTimeout === 'hold';
    const faults = isGivenUp
      ? stuckBy(assessment, candidate)
      : unmovable.map((crash) => crashed(crashFacts(crash, observation)));
    if (faults.length === 0) continue;
    const { instanceId, mark } = candidate.instance;
    return {
      kind: 'act',
      reason: {
        code: 'drain-given-up',
        instanceId,
        ...(isGivenUp && { afterSeconds: settings.drainTimeoutSeconds }),
        faults,
      },
      actions: [
        {
          kind: 'mark-instances',
          instanceIds: [instanceId],
          mark: { ...mark, ...givenUpMark(group, observation, unmovable) },
        },
        activate([candidate]),
      ],
    };
  }
  return undefined;
}

/**
 * If a drain is undone at once for a service that can't move, other services are in the middle of their move.
 * Their shortage doesn't count as taken down by this drain.
 */
function givenUpMark(group: Group, observation: Observation, unmovable: readonly Crash[]): Partial<Mark> {
  const down = servicesRunShort(observation, group);
  const isConcerned = (name: string) => unmovable.every((crash) => crash.group === groupOfService(name));
  const shortServices = down.filter(isConcerned);
  return { drainGivenUpAt: observation.now, ...(shortServices.length > 0 && { shortServices }) };
}

function activate(candidates: readonly Candidate[]): Action {
  const all = candidates.flatMap((candidate) => candidate.containerInstances);
  const containerInstances = all.filter(({ status }) => status === 'DRAINING');
  return { kind: 'activate', containerInstances };
}

/**
 * A service that lost tasks here since the drain began, and whose tasks start nowhere else. Undoing the drain
 * gives it them back at once.
 */
function unmovableOn(assessment: Assessment, { instance: { mark }, containerInstances }: Candidate): Crash[] {
  const { observation } = assessment;
  const crash = crashOfUnmovable(assessment);
  const { drainStartedAt } = mark;
  if (crash === undefined || drainStartedAt === undefined || crash.at < drainStartedAt) return [];
  const service = serviceIn(crash.group) ?? crash.group;
  return hadTasksOn(service, containerInstances, observation) ? [crash] : [];
}

/**
 * What keeps an instance from draining past its time. Protected tasks and deployments by the owner don't
 * count: we wait for them however long they take.
 */
function stuckBy(assessment: Assessment, candidate: Candidate): Fault[] {
  const {
    group,
    observation,
    settings,
    classified: { leaving },
  } = assessment;
  const { now } = observation;
  const { drainStartedAt } = candidate.instance.mark;
  if (drainStartedAt === undefined || !isOverdue(candidate.instance, observation, settings)) return [];
  // The roll may be about to go back, which gives its services their tasks here again.
  if (isSuspected(assessment)) return [];
  const tolerated = group.roll?.unsteady ?? [];
  const deploying = deployingServices(group, observation);
  if (deploying.some((name) => tolerated.every((each) => each.name !== name))) return [];
  const tasks = remainingOn(observation, candidate.instance.instanceId);
  if (tasks.length > 0 && tasks.every((task) => isProtected(task, now))) return [];
  // Those that are stopping would stop all the same.
  const stays = isCutOff(candidate, observation) || tasks.some(({ stopping }) => !stopping);
  const left = leftOn(candidate, observation, true);
  if (left.length > 0) return stays ? left : [];
  return hasLasted(unsettledSince(group), settings, now)
    ? lostBy(candidate, drainStartedAt, unsettled(observation, group, leaving), observation)
    : [];
}

/**
 * For an empty instance, the services that had tasks on it and have lacked them since: set back ACTIVE, it
 * could run them again. Trouble elsewhere is no reason to fill it again, nor are tasks that run elsewhere
 * without serving: they don't come back.
 */
function lostBy(
  { containerInstances }: Candidate,
  drainStartedAt: Date,
  faults: readonly Unsettled[],
  observation: Observation,
): Fault[] {
  const mayHaveHad = (service: string) =>
    isForgotten(drainStartedAt, observation) || hadTasksOn(service, containerInstances, observation);
  return faults
    .filter(
      ({ service, what }) =>
        service !== undefined && what.kind !== 'service-unhealthy' && mayHaveHad(service),
    )
    .map(({ what }) => what);
}

/** Blocks once only instances whose drain was given up are left. */
export function blockOnGivenUp(assessment: Assessment, candidates: readonly Candidate[]): Decision {
  const { group, observation } = assessment;
  const crash = crashesOfOthers(group, observation).at(-1);
  const isStranding = ({ instance }: Candidate) =>
    observation.details?.stranded?.has(instance.instanceId) ?? false;
  const stranding = candidates.filter(isStranding);
  const givenUp = candidates.filter((candidate) => !isStranding(candidate));
  const services = (each: Candidate) => each.instance.mark.shortServices ?? [];
  const harmful = givenUp.filter((each) => services(each).length > 0);
  const others = givenUp.filter((each) => !harmful.includes(each));
  const ids = idsOf(stranding);
  const reasons: HoldUp[] = [
    ...(ids.length > 0
      ? [{ code: 'drain-stranding', instanceIds: ids, faults: whyStranded(ids, observation) } as const]
      : []),
    ...(harmful.length > 0
      ? [
          {
            code: 'drain-harmful',
            ...undrained(harmful, assessment),
            services: [...new Set(harmful.flatMap(services))],
          } as const,
        ]
      : []),
    ...(others.length > 0 ? [{ code: 'drain-timed-out', ...undrained(others, assessment) } as const] : []),
  ];
  const last = crash === undefined ? {} : { crash: crashFacts(crash, observation) };
  return blockedBy(
    reasons.map((each, index) => (index === reasons.length - 1 ? { ...each, ...last } : each)),
  );
}

function undrained(candidates: readonly Candidate[], { group, observation, settings }: Assessment) {
  return {
    instanceIds: idsOf(candidates),
    afterSeconds: settings.drainTimeoutSeconds,
    faults: candidates.flatMap((candidate) => leftOn(candidate, observation, true)),
    failedDeployments: failedDeployments(group, observation),
  };
}

/** Its drain has timed out and the settings say to stop what is left on it. */
export function isForced(candidate: Candidate, observation: Observation, settings: Settings): boolean {
  return settings.onDrainTimeout === 'force' && isOverdue(candidate.instance, observation, settings);
}

/**
 * Stops tasks that ECS leaves running, as far as the settings allow; never a protected one. While the new
 * image may turn out to be what keeps others from serving, these still serve, and no drain is forced.
 */
export function stopTasks(draining: readonly Candidate[], assessment: Assessment): Action[] {
  const { observation, settings } = assessment;
  const mayForce = !isSuspected(assessment);
  const tasks = draining.flatMap((candidate) => {
    const forced =
      mayForce && isForced(candidate, observation, settings) && !isEmpty(candidate, observation, settings);
    return remainingOn(observation, candidate.instance.instanceId).filter(
      (task) => forced || (settings.standaloneTasks === 'stop' && serviceIn(task.group) === undefined),
    );
  });
  const toStop = tasks.filter((task) => !task.stopping && !isProtected(task, observation.now));
  const because = 'ecs-ami-deploy replaces the instance that this task runs on';
  return toStop.length === 0 ? [] : [{ kind: 'stop-tasks', tasks: toStop, because }];
}

/** Its owner has protected it from scale-in and deployments. */
export function isProtected({ protectedUntil }: Task, now: Date): boolean {
  return protectedUntil !== undefined && protectedUntil > now;
}
