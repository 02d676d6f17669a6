import { type KindOf, say } from './reason-of.ts';
import { NAMED, type NamedInstance } from './words.ts';

/** What is wrong with a member, an instance, a service or its tasks: the clauses that make up reasons. */
const FAULTS = {
  // What keeps a replacement from being ready, or a member from taking tasks.
  'member-gone': (it: NamedInstance) => `${it.instanceId} no longer runs`,
  'members-lacking': (it: {
    launched: number;
    desired: number;
    /** The latest failed launch. */
    failure?: LaunchFailure;
  }) => {
    const back = it.failure?.goingBack ? '' : ', or back by `ecs-ami-deploy rollback`';
    const advice = it.failure?.ofNoImage ? `; it goes on once launches succeed${back}` : '';
    const why = it.failure === undefined ? '' : ` (${it.failure.message}${advice})`;
    return `Auto Scaling has launched ${it.launched} of ${it.desired} instances${why}`;
  },
  /** EC2 doesn't show it. */
  'member-unseen': (it: NamedInstance) => `EC2 does not show member ${it.instanceId}`,
  'member-not-in-service': (it: NamedInstance & { lifecycleState: string; heldBy?: HoldingHooks }) =>
    `${it.instanceId} is ${it.lifecycleState} in the group${describeHooks(it.heldBy)}`,
  'member-unhealthy': (it: NamedInstance) => `${it.instanceId} is unhealthy in the group`,
  'member-unregistered': (it: NamedInstance) =>
    `${it.instanceId} is InService but not registered in the cluster`,
  'member-drained-by-others': (it: NamedInstance) =>
    `${it.instanceId} is DRAINING in the cluster: somebody else drained it`,
  'member-not-active': (it: NamedInstance & { status: string; statusReason?: string }) =>
    `${it.instanceId} is ${it.status} in the cluster${inBrackets(it.statusReason)}`,
  'member-disconnected': (it: NamedInstance) =>
    `${it.instanceId} is registered but its agent is not connected`,
  'member-unserved': (
    it: NamedInstance & {
      source: { kind: keyof typeof SOURCES; name: string };
      /** Undefined if it isn't registered there. */
      state?: string;
      description?: string;
    },
  ) =>
    `${it.instanceId} is ${it.state ?? 'not registered'} in ${SOURCES[it.source.kind]} ${it.source.name}${inBrackets(it.description)}`,

  // Tasks that should be gone but remain, or that fail.
  /** `group` as ECS writes it: `service:<name>` for tasks of a service. */
  'tasks-left': (
    it: NamedInstance & {
      group: string;
      taskIds: readonly string[];
      /** Whether to name the ids. */
      named: boolean;
    },
  ) => {
    const ids = it.named ? ` (${it.taskIds.join(', ')})` : '';
    return `${countTasks(it.taskIds.length)} of ${ownerOf(it.group)} left on ${it.instanceId}${ids}`;
  },
  /** Nothing reports the tasks there any more; `groups` has one entry for each group of tasks. */
  'tasks-cut-off': (it: NamedInstance & { groups: readonly string[] }) =>
    `its agent is not connected, and 1 task of ${it.groups.map(ownerOf).join(' and 1 of ')} is left on ${it.instanceId}`,
  /** Protected until then, the last of them. */
  'tasks-protected': (it: NamedInstance & { group: string; taskIds: readonly string[]; until: Date }) =>
    `${countTasks(it.taskIds.length)} of ${ownerOf(it.group)} on ${it.instanceId} ${it.taskIds.length === 1 ? 'is' : 'are'} protected until ` +
    `${it.until.toISOString()} (${it.taskIds.join(', ')})`,
  /** Without it, the zone would have no healthy target of the service. */
  'last-in-zone': (it: NamedInstance & OfService & { zone: string }) =>
    `${it.instanceId} has the last healthy targets of service ${it.service} in ${it.zone}`,
  'service-tasks-left': (it: NamedInstance) => `${it.instanceId} still runs tasks of services`,
  'tasks-crash': describeCrash,

  // What is wrong with a service.
  'service-short': (
    it: OfService & {
      running: number;
      desired: number;
      /** How many tasks it ran when the roll began, if it was short already. */
      before?: number;
    },
  ) => {
    const earlier = it.before === undefined ? '' : `, and ran ${it.before} before`;
    return `service ${it.service} runs ${it.running} of ${countTasks(it.desired)}${earlier}`;
  },
  'service-pending': (it: OfService & { pending: number }) =>
    `service ${it.service} has ${countTasks(it.pending)} pending`,
  /** It runs all its tasks, but some don't serve. */
  'service-unhealthy': (it: OfService & { count: number; says: string }) =>
    `${countTasks(it.count)} of service ${it.service} ${it.count === 1 ? 'runs' : 'run'} without serving (${it.says})`,
  'service-deploying': (it: OfService & { shift?: { since: Date; pausesAt: readonly string[] } }) => {
    const since = it.shift === undefined ? '' : ` since ${it.shift.since.toISOString()}`;
    const { pausesAt = [] } = it.shift ?? {};
    const hooks =
      pausesAt.length === 0
        ? ''
        : `, which hooks pause at ${pausesAt.join(' and ')}: continue it, or roll it back`;
    return `service ${it.service} has a deployment in progress${since}${hooks}`;
  },
  'deployment-failed': (it: OfService) =>
    `the latest deployment of service ${it.service} has failed: deploy it again`,

  // Why tasks of a service could go nowhere else.
  'place-unfit': (
    it: OfService & {
      /** As ECS writes constraints, or an amount with its unit. */
      needs: string;
      has: string;
      /** The instance compared with; absent if none stays. */
      instanceId?: string;
    },
  ) =>
    `service ${it.service} needs ${it.needs}, but ${it.instanceId ?? 'each instance that stays'} has ${it.has}`,
  'places-too-few': (it: OfService & { count: number; left: number; by: keyof typeof EXCLUSIVE }) =>
    `service ${it.service} needs ${it.count} instances, one for each task (${EXCLUSIVE[it.by]}), but only ${it.left} ${it.left === 1 ? 'is' : 'are'} left without this one`,
  /** It ran short when another instance drained. */
  'ran-short-before': (it: OfService & NamedInstance) =>
    `service ${it.service} ran short of tasks when ${it.instanceId} drained`,
};

export type FaultKind = keyof typeof FAULTS;
export type Fault<Kind extends FaultKind = FaultKind> = KindOf<typeof FAULTS, Kind>;

interface OfService {
  readonly service: string;
}

/** What EC2 said of a launch, and whether launches fail like that for other reasons than the image. */
export interface LaunchFailure {
  readonly message: string;
  readonly ofNoImage: boolean;
  /** In a rollback. */
  readonly goingBack?: true;
}

/** Launch hooks that hold a member. */
export interface HoldingHooks {
  readonly hooks: readonly string[];
  readonly heartbeatSeconds: number;
  /** Those that end the instance if they get no heartbeat. */
  readonly abandoning: readonly string[];
}

export interface CrashFacts {
  /** As ECS writes it: `service:<name>` for a task of a service. */
  readonly group: string;
  /** Absent if it is no longer known. */
  readonly instanceId?: string;
  /** As AWS writes it. */
  readonly says: string;
  /** Why the image isn't to blame; present if the message should say so. */
  readonly exoneration?: ExonerationKind;
}

/** One fault as a clause. */
export function describeFault(fault: Fault): string {
  return say(FAULTS, fault.kind, fault);
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

const SOURCES = { 'target-group': 'target group', 'load-balancer': 'load balancer' } as const;

const EXCLUSIVE = { distinctInstance: 'distinctInstance', 'host-port': 'a port of the host' } as const;

/** Failing tasks as a clause, with what would help if the image isn't to blame. */
export function describeCrash({ group, instanceId, says, exoneration }: CrashFacts): string {
  const on = instanceId === undefined ? '' : ` on ${instanceId}`;
  const advice = exoneration === undefined ? '' : `: ${ADVICE[exoneration]}`;
  return `tasks of ${ownerOf(group)} stop by themselves${on} (${says})${advice}`;
}

/** Ways tasks fail that no image of an instance can cause, and what helps. */
const ADVICE = {
  'container-image-gone':
    'the container image is not in its registry: push it again, or deploy the service with one that is there',
  'secret-gone':
    "a secret, parameter or file of the task is gone or can't be read: fix it, or deploy the service without it",
  'log-group-gone':
    'a log group of the task is gone: create the log group again, or deploy the service with another',
  'volume-refused': 'fix the role or key that its volume is made with',
  'rate-limited':
    "calls are limited: wait, or use a pull-through cache, or Parameter Store's higher throughput",
  'no-interface': "the task's subnets lack free addresses, or a quota of network interfaces is reached",
  unregistered: "raise the quota of targets, or mend the target group or ECS's role",
  'zone-unserved': 'enable the load balancer in that zone, or let the group launch in no such zone',
};

export type ExonerationKind = keyof typeof ADVICE;

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
