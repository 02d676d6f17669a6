import type { CrashFacts, ExonerationKind, Fault, FaultKind, HoldingHooks } from '../model/fault.ts';
import { NAMED } from './describe.ts';

/** One fault as a clause. */
export function describeFault<Kind extends FaultKind>(fault: Fault<Kind>): string {
  return FAULTS[fault.kind](fault);
}

/** The first few faults, and how many more there are. */
export function listFaults(faults: readonly Fault[]): string {
  const clauses = [...new Set(faults.map((fault) => describeFault(fault)))];
  const named = clauses.slice(0, NAMED).join('; ');
  const more = clauses.length - NAMED;
  return more > 0 ? `${named}; and ${more} more` : named;
}

/** All of them. */
export function allFaults(faults: readonly Fault[]): string {
  return faults.map((fault) => describeFault(fault)).join('; ');
}

const FAULTS: { readonly [Kind in FaultKind]: (fault: Fault<Kind>) => string } = {
  'members-lacking': ({ launched, desired, failure }) => {
    const advice = failure?.ofNoImage
      ? '; it goes on once launches succeed, or back by {"action":"rollback"}'
      : '';
    const why = failure === undefined ? '' : ` (${failure.message}${advice})`;
    return `Auto Scaling has launched ${launched} of ${desired} instances${why}`;
  },
  'member-unseen': ({ instanceId }) => `EC2 does not show member ${instanceId}`,
  'member-not-in-service': ({ instanceId, lifecycleState, heldBy }) =>
    `${instanceId} is ${lifecycleState} in the group${describeHooks(heldBy)}`,
  'member-unhealthy': ({ instanceId }) => `${instanceId} is unhealthy in the group`,
  'member-unregistered': ({ instanceId }) => `${instanceId} is InService but not registered in the cluster`,
  'member-drained-by-others': ({ instanceId }) =>
    `${instanceId} is DRAINING in the cluster: somebody else drained it`,
  'member-not-active': ({ instanceId, status, statusReason }) =>
    `${instanceId} is ${status} in the cluster${inBrackets(statusReason)}`,
  'member-disconnected': ({ instanceId }) => `${instanceId} is registered but its agent is not connected`,
  'member-unserved': ({ instanceId, source, state = 'not registered', description }) =>
    `${instanceId} is ${state} in ${SOURCES[source.kind]} ${source.name}${inBrackets(description)}`,
  'idle-gone': ({ instanceId }) => `${instanceId} no longer runs`,
  'idle-not-in-service': ({ instanceId, lifecycleState }) =>
    `${instanceId} is ${lifecycleState} in the group`,
  'idle-unregistered': ({ instanceId }) => `${instanceId} is not registered in the cluster`,
  'idle-not-active': ({ instanceId, status }) => `${instanceId} is ${status} in the cluster`,
  'idle-disconnected': ({ instanceId }) => `the agent of ${instanceId} is not connected`,
  'tasks-left': ({ instanceId, group, taskIds, named }) => {
    const ids = named ? ` (${taskIds.join(', ')})` : '';
    return `${countTasks(taskIds.length)} of ${ownerOf(group)} left on ${instanceId}${ids}`;
  },
  'tasks-protected': ({ instanceId, group, taskIds, until }) =>
    `${countTasks(taskIds.length)} of ${ownerOf(group)} on ${instanceId} ${taskIds.length === 1 ? 'is' : 'are'} protected until ` +
    `${until.toISOString()} (${taskIds.join(', ')})`,
  'last-in-zone': ({ instanceId, service, zone }) =>
    `${instanceId} has the last healthy targets of service ${service} in ${zone}`,
  'tasks-cut-off': ({ instanceId, groups }) =>
    `its agent is not connected, and 1 task of ${groups.map(ownerOf).join(' and 1 of ')} is left on ${instanceId}`,
  'service-tasks-left': ({ instanceId }) => `${instanceId} still runs tasks of services`,
  'tasks-crash': describeCrash,
  'service-short': ({ service, running, desired, before }) => {
    const earlier = before === undefined ? '' : `, and ran ${before} before`;
    return `service ${service} runs ${running} of ${countTasks(desired)}${earlier}`;
  },
  'service-pending': ({ service, pending }) => `service ${service} has ${countTasks(pending)} pending`,
  'service-unhealthy': ({ service, count, says }) =>
    `${countTasks(count)} of service ${service} ${count === 1 ? 'runs' : 'run'} without serving (${says})`,
  'service-deploying': ({ service, shift }) => {
    const since = shift === undefined ? '' : ` since ${shift.since.toISOString()}`;
    const { pausesAt = [] } = shift ?? {};
    const hooks =
      pausesAt.length === 0
        ? ''
        : `, which hooks pause at ${pausesAt.join(' and ')}: continue it, or roll it back`;
    return `service ${service} has a deployment in progress${since}${hooks}`;
  },
  'deployment-failed': ({ service }) =>
    `the latest deployment of service ${service} has failed: deploy it again`,
  'place-unfit': ({ service, needs, has, instanceId = 'each instance that stays' }) =>
    `service ${service} needs ${needs}, but ${instanceId} has ${has}`,
  'places-too-few': ({ service, count, left, by }) =>
    `service ${service} needs ${count} instances, one for each task (${EXCLUSIVE[by]}), but only ${left} ${left === 1 ? 'is' : 'are'} left without this one`,
  'ran-short-before': ({ service, instanceId }) =>
    `service ${service} ran short of tasks when ${instanceId} drained`,
};

const SOURCES = { 'target-group': 'target group', 'load-balancer': 'load balancer' } as const;

const EXCLUSIVE = { distinctInstance: 'distinctInstance', 'host-port': 'a port of the host' } as const;

/** Failing tasks as a clause, with what would help if the image isn't to blame. */
export function describeCrash({ group, instanceId, says, exoneration }: CrashFacts): string {
  const on = instanceId === undefined ? '' : ` on ${instanceId}`;
  const advice = exoneration === undefined ? '' : `: ${ADVICE[exoneration]}`;
  return `tasks of ${ownerOf(group)} stop by themselves${on} (${says})${advice}`;
}

const ADVICE: Readonly<Record<ExonerationKind, string>> = {
  'container-image-gone':
    'the container image is not in its registry: push it again, or deploy the service with one that is there',
  'secret-gone':
    "a secret or parameter of the task is gone or can't be read: fix it, or deploy the service without it",
  'log-group-gone':
    'a log group of the task is gone: create the log group again, or deploy the service with another',
  'registry-rate-limited':
    'the registry limits how often images may be pulled: wait, or use a pull-through cache',
  'subnet-full': "the task's subnets lack free addresses",
};

function describeHooks(held: HoldingHooks | undefined): string {
  if (held === undefined) return '';
  const { hooks, heartbeatSeconds, abandoning } = held;
  const what =
    abandoning.length === 0
      ? ''
      : `, and ${abandoning.join(' and ')} abandons the launch if it hears nothing by then`;
  return `, held by launch hook ${hooks.join(' and ')} for ${heartbeatSeconds} s or longer${what}`;
}

/** A task's group in words: `service api` for `service:api`. */
function ownerOf(group: string): string {
  return group.replace(/^service:/, 'service ');
}

/** A number of tasks, in words. */
export function countTasks(count: number): string {
  return count === 1 ? '1 task' : `${count} tasks`;
}

function inBrackets(text: string | undefined): string {
  return text === undefined ? '' : ` (${text})`;
}
