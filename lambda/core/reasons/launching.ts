import { describeFault, type Fault, listFaults } from './faults.ts';
import { after, listIds, type NamedInstance, type NamedInstances, type Overdue, subject } from './words.ts';

const OF_ZONE =
  '; as others fail alike, or nothing old is left there and other zones do well, its zone may be at fault: it goes ' +
  'back only if somebody asks, with `ecs-ami-deploy rollback`';

/** What a roll waits for until its replacements are there: in the group, in the cluster, and ready. */
export const LAUNCHING = {
  'detachment-unproven': describeUnproven,
  'detachment-awaited': (it: NamedInstances) =>
    `${subject(it.instanceIds, 'is', 'are')} in no group, perhaps detached by us: waits until Auto Scaling reports that, ` +
    'and EC2 shows our tags',
  'replacements-not-ready': (it: Overdue & { faults: readonly Fault[] /** Perhaps. */; ofZone?: true }) =>
    `${after(it.afterSeconds)}replacements are not ready: ${listFaults(it.faults)}${it.ofZone ? OF_ZONE : ''}`,
  'no-room': (it: {
    desiredCapacity: number;
    maxSize: number;
    /** Something routes requests to its members directly. */
    isSentRequests: boolean;
    /** So its maximum size isn't raised for a while: the pool would launch as many. */
    poolFollowsMaximum?: true;
  }) => {
    const why = it.isSentRequests
      ? 'as a detached instance would stop serving at once'
      : 'as it ends old instances only once others serve';
    return (
      `the group has ${it.desiredCapacity} of at most ${it.maxSize} instances, and must be larger for a while, ${why}; ` +
      (it.poolFollowsMaximum
        ? 'raise its maximum size, or set MAX_SURGE to 0; no roll raises it, as its warm pool grows with its maximum size'
        : 'raise its maximum size, or set RAISE_MAX_SIZE to true or MAX_SURGE to 0')
    );
  },
  'members-not-detachable': (
    it: Overdue & { members: readonly { instanceId: string; lifecycleState: string }[] },
  ) => {
    const states = it.members.map(({ instanceId, lifecycleState }) => `${instanceId} is ${lifecycleState}`);
    return `${after(it.afterSeconds)}outdated members can't be detached yet: ${states.join('; ')}`;
  },
  /** They no longer run, and their group hasn't replaced them yet. */
  'members-not-replaced-yet': (it: NamedInstances) =>
    `${subject(it.instanceIds, 'no longer runs', 'no longer run')}, and the group has launched no replacement yet`,
  'other-members-failing': () =>
    'other members that stay for now are failing: the group must replace them first',
  'standby-awaited': (it: NamedInstances) =>
    `${listIds(it.instanceIds)} must be back from Standby first, as the group is at its minimum size`,
  /** By whom it was changed, and so how it is meant. */
  'size-untold': (it: { desiredCapacity: number; since: Date; seconds: number }) =>
    `the group's desired capacity was set to ${it.desiredCapacity}, not by the roll: waits up to ${it.seconds} s for an activity that tells by whom`,
  'being-detached': (it: NamedInstances) => `${subject(it.instanceIds, 'is', 'are')} being detached`,
  'serve-until-replaced': (it: NamedInstances) =>
    `${subject(it.instanceIds, 'serves', 'serve')} until the failed instances are replaced`,
  'health-checks-awaited': (it: NamedInstances) =>
    `${subject(it.instanceIds, 'has', 'have')} yet to pass health checks again`,
  'registration-awaited': (it: NamedInstance) =>
    `${it.instanceId} is detached but has not registered in the cluster yet`,
  'instance-status': (it: NamedInstance & { status: string; endsAfterSeconds?: number }) => {
    const ends = it.endsAfterSeconds;
    const outlook = ends === undefined ? '' : `, and ends if that lasts for ${ends} s`;
    return `${it.instanceId} is ${it.status} in the cluster${outlook}`;
  },
};

/** What the trial of the first replacements waits for. */
export const ON_TRIAL = {
  'trial-not-begun': (it: NamedInstances & { faults: readonly Fault[] }) =>
    `${listIds(it.instanceIds)} can't be tried out yet: ${listFaults(it.faults)}`,
  'on-trial': (
    it: NamedInstances & {
      seconds: number;
      since: Date;
      faults: readonly Fault[];
      /** No task has been placed on them yet. */
      isIdle: boolean;
    },
  ) => {
    const whats = [
      ...it.faults.map((fault) => describeFault(fault)),
      ...(it.isIdle ? ['no task has been placed there yet'] : []),
    ];
    const what = whats.length > 0 ? `: ${whats.join('; ')}` : '';
    return `${subject(it.instanceIds, 'is', 'are')} on trial for ${it.seconds} s since ${it.since.toISOString()}${what}`;
  },
};

/** Instances that carry our tags but aren't known to be ours. */
export interface UnprovenInstances extends NamedInstances {
  readonly group: string;
}

/** Instances that carry our tags but aren't known to be ours, and what helps. */
export function describeUnproven({ group, instanceIds }: UnprovenInstances): string {
  return (
    `${subject(instanceIds, 'has', 'have')} our tags, but no activity of group ${group} shows a detachment: ` +
    'left alone; remove the tags, or terminate what you know to be left of ' +
    'the group (CloudTrail shows in CreateTags who wrote them)'
  );
}
