import { allFaults, type CrashFacts, describeCrash, type Fault, listFaults } from './faults.ts';
import { after, listIds, type NamedInstances, type Overdue, subject } from './words.ts';

/** What a roll waits for until its old instances are drained and ended. */
export const DRAINING = {
  'min-size-rests': describeRest,
  'too-few-serve': (it: Overdue & { desiredCapacity: number; faults: readonly Fault[] }) => {
    const what = `nothing begins to drain, as fewer than ${it.desiredCapacity} members take tasks: ${listFaults(it.faults)}`;
    const advice =
      it.afterSeconds === undefined
        ? ''
        : '; start its agent again, set it back ACTIVE, or end the instance, so that the group replaces it';
    return `${after(it.afterSeconds)}${what}${advice}`;
  },
  /** Draining, or next to drain, and what is still running on them or unsteady. */
  draining: (
    it: Overdue &
      NamedInstances & { isNext: boolean; faults: readonly Fault[]; failedDeployments: readonly Fault[] },
  ) => {
    const [one, several] = it.isNext
      ? ['is the next to drain', 'are the next to drain']
      : ['drains', 'drain'];
    const what = `${subject(it.instanceIds, one, several)}: ${listFaults(it.faults)}`;
    return `${after(it.afterSeconds)}${what}${describeFailed(it.failedDeployments)}`;
  },
  /** Not started, because their tasks could go nowhere else. */
  'drain-stranding': (it: Undrained) =>
    `${subject(it.instanceIds, 'is', 'are')} not drained, as tasks would find no other place: ${listFaults(it.faults)}; give ` +
    'instances that stay what is needed (attributes by ECS_INSTANCE_ATTRIBUTES in user data, or PutAttributes; a zone by ' +
    `launching one there), or change the service (its constraint, or its subnets)${beside(it.crash)}`,
  /** Given up because services ran short meanwhile. */
  'drain-harmful': (it: TimedOut & { services: readonly string[] }) =>
    `${describeUndrained(it)}; meanwhile service ${it.services.join(', ')} ran short of tasks, so this is tried ` +
    `again only if somebody asks, with \`ecs-ami-deploy roll\`${beside(it.crash)}`,
  'drain-timed-out': (it: TimedOut) =>
    `${describeUndrained(it)}; this is tried again after as long, and ON_DRAIN_TIMEOUT=force would stop what is ` +
    `left${beside(it.crash)}`,
  'being-ended': (
    it: NamedInstances & {
      /** The group's hooks, as far as known; present while a terminate hook holds any of them. */
      heldBy?: readonly string[];
    },
  ) => `${subject(it.instanceIds, 'is', 'are')} still being ended by the group${describeHolding(it.heldBy)}`,
  'ending-overdue': (it: {
    afterSeconds: number;
    members: readonly {
      instanceId: string;
      lifecycleState: string;
      since: Date;
    }[];
    /** Hooks that don't let go; empty if no hook holds any. */
    hooks: readonly string[];
  }) => {
    const each = it.members.map(
      ({ instanceId, lifecycleState, since }) =>
        `${instanceId} is ${lifecycleState}, ending since ${since.toISOString()}`,
    );
    const what =
      it.hooks.length === 0
        ? 'look at the activities of the group'
        : `hook ${it.hooks.join(' and ')} does not let go: look at what it waits for, or complete it yourself with ` +
          'aws autoscaling complete-lifecycle-action --lifecycle-action-result CONTINUE';
    return `after ${it.afterSeconds} s, ${each.join('; ')}; ${what}`;
  },
  'ending-retained': (it: NamedInstances & { group: string }) =>
    `${subject(it.instanceIds, 'is', 'are')} drained and Terminating:Retained, as a terminate hook of group ${it.group} was ` +
    'abandoned; see why, and then: aws autoscaling terminate-instance-in-auto-scaling-group ' +
    '--no-should-decrement-desired-capacity --instance-id <id>; to keep one, first remove our tags from it, and then detach it',
  'termination-protected': (it: NamedInstances) =>
    `${subject(it.instanceIds, 'is', 'are')} detached and protected from termination, and so can't be ended; remove the protection with ` +
    `${UNPROTECT}, and the roll goes on`,
  'services-settling': (it: NamedInstances & { seconds: number }) =>
    `waits until the services have been steady for ${it.seconds} s; in turn: ${listIds(it.instanceIds)}`,
  'services-never-steady': (
    it: NamedInstances & { afterSeconds: number; seconds: number; faults: readonly Fault[] },
  ) =>
    `after ${it.afterSeconds} s, the services have never been steady for ${it.seconds} s (last: ${listFaults(it.faults)}); in turn: ` +
    listIds(it.instanceIds),
};

export const UNPROTECT =
  'aws ec2 modify-instance-attribute --no-disable-api-termination --instance-id <id> (or --no-disable-api-stop: stop ' +
  'protection has the same effect)';

/** Instances that aren't drained and keep serving. */
interface Undrained extends NamedInstances {
  readonly faults: readonly Fault[];
  /** Of a service whose crashes the image isn't to blame for. */
  readonly crash?: CrashFacts;
}

interface TimedOut extends Undrained {
  readonly afterSeconds: number;
  readonly failedDeployments: readonly Fault[];
}

function beside(crash: CrashFacts | undefined): string {
  return crash === undefined ? '' : `; ${describeCrash(crash)}`;
}

export function describeRest({ minSize, seconds }: { minSize: number; seconds: number }): string {
  return `leaves the minimum size at ${minSize} for ${seconds} s, until ECS's managed scaling sees the members in use`;
}

function describeFailed(deployments: readonly Fault[]): string {
  return deployments.length === 0 ? '' : `; ${allFaults(deployments)}`;
}

function describeUndrained({ instanceIds, afterSeconds, faults, failedDeployments }: TimedOut): string {
  const left = faults.length > 0 ? `: ${listFaults(faults)}` : '';
  const are = instanceIds.length === 1 ? 'is ACTIVE again and keeps' : 'are ACTIVE again and keep';
  return `${subject(instanceIds, 'has', 'have')} lost no task for ${afterSeconds} s, ${are} running${left}${describeFailed(failedDeployments)}`;
}

function describeHolding(hooks: readonly string[] | undefined): string {
  if (hooks === undefined) return '';
  return hooks.length === 0 ? ', held by a terminate hook' : `: held by hook ${hooks.join(' and ')}`;
}
