import type { HoldUp, HoldUpCode, RingingAlarm } from '../model/hold-up.ts';
import { listIds, subject } from './describe.ts';
import { allFaults, describeCrash, describeFault, listFaults } from './faults.ts';

/** What holds a roll up, and what helps, as a sentence. */
export const HOLD_UPS: { readonly [Code in HoldUpCode]: (holdUp: HoldUp<Code>) => string } = {
  'left-out-in-roll': () =>
    'the group is left out, as its tag has it, in the middle of its roll; remove that tag to end the roll',
  'left-out-while-leaving': ({ instanceIds }) =>
    `${subject(instanceIds, 'is', 'are')} detached and still to be ended, but ` +
    `${instanceIds.length === 1 ? 'its tag has it' : 'their tags have them'} left out; remove either that tag or ours`,
  'instance-refresh': ({ status }) =>
    `an instance refresh is under way (${status}); wait for its end, or cancel it`,
  'other-groups-first': ({ groups }) => `waits for its turn after group ${groups.join(' and ')}`,
  'alarm-missing': ({ names }) =>
    `alarm ${names.join(' and ')} does not exist; mend ALARM_NAMES or create it`,
  'alarm-ringing': ({ alarms }) => `begins nothing new, as ${alarms.map(describeAlarm).join(' and ')}`,
  'alarm-overdue': ({ alarm, afterSeconds }) => `after ${afterSeconds} s, ${describeAlarm(alarm)}`,
  'detachment-unproven': describeUnproven,
  'detachment-awaited': ({ instanceIds }) =>
    `${subject(instanceIds, 'bears our tags and is', 'bear our tags and are')} in no group: it is waited until Auto Scaling ` +
    'tells of a detachment',
  'launch-spec-refused': ({ says }) => says,
  'replacements-not-ready': ({ afterSeconds, faults }) =>
    `${after(afterSeconds)}replacements are not ready: ${listFaults(faults)}`,
  'no-room': ({ desiredCapacity, maxSize, isSentRequests }) => {
    const why = isSentRequests
      ? 'as a detached instance would stop serving at once'
      : 'as it ends old instances only when others serve';
    return (
      `the group has ${desiredCapacity} of at most ${maxSize} instances, and must be larger for a while, ${why}; ` +
      'raise its maximum size, or set RAISE_MAX_SIZE to true or MAX_SURGE to 0'
    );
  },
  'members-not-detachable': ({ afterSeconds, members }) => {
    const states = members.map(({ instanceId, lifecycleState }) => `${instanceId} is ${lifecycleState}`);
    return `${after(afterSeconds)}outdated members can't be detached yet: ${states.join('; ')}`;
  },
  'members-not-replaced-yet': ({ instanceIds }) =>
    `${subject(instanceIds, 'runs', 'run')} no more, but the group has not replaced ` +
    `${instanceIds.length === 1 ? 'it' : 'them'} yet`,
  'other-members-failing': () =>
    'others that are to stay for now are failing: the group is to replace them first',
  'being-detached': ({ instanceIds }) => `${subject(instanceIds, 'is', 'are')} being detached`,
  'serve-until-replaced': ({ instanceIds }) =>
    `${subject(instanceIds, 'serves', 'serve')} until the failed instances are replaced`,
  'trial-not-begun': ({ instanceIds, faults }) =>
    `${listIds(instanceIds)} can't be tried out yet: ${listFaults(faults)}`,
  'on-trial': ({ instanceIds, seconds, since, faults, isIdle }) => {
    const whats = [
      ...faults.map((fault) => describeFault(fault)),
      ...(isIdle ? ['no task has come there yet'] : []),
    ];
    const what = whats.length > 0 ? `: ${whats.join('; ')}` : '';
    return `${subject(instanceIds, 'is', 'are')} on trial for ${seconds} s since ${since.toISOString()}${what}`;
  },
  'min-size-rests': describeRest,
  'too-few-serve': ({ afterSeconds, desiredCapacity, faults }) => {
    const what = `nothing begins to drain, as fewer than ${desiredCapacity} members take tasks: ${listFaults(faults)}`;
    const advice =
      afterSeconds === undefined
        ? ''
        : '; start its agent again, or end the instance, so that the group replaces it';
    return `${after(afterSeconds)}${what}${advice}`;
  },
  draining: ({ afterSeconds, instanceIds, isNext, faults, failedDeployments }) => {
    const [one, several] = isNext ? ['is the next to drain', 'are the next to drain'] : ['drains', 'drain'];
    const what = `${subject(instanceIds, one, several)}: ${listFaults(faults)}`;
    const failed = failedDeployments.length === 0 ? '' : `; ${allFaults(failedDeployments)}`;
    return `${after(afterSeconds)}${what}${failed}`;
  },
  'drain-stranding': ({ instanceIds, faults, crash }) =>
    `${subject(instanceIds, 'is', 'are')} not drained, as tasks would find no other place: ${listFaults(faults)}; let ` +
    'instances that stay have what is needed (attributes by ECS_INSTANCE_ATTRIBUTES in user data, or PutAttributes), or ' +
    `change the service${beside(crash)}`,
  'drain-harmful': ({ services, crash, ...undrained }) =>
    `${describeUndrained(undrained)}; meanwhile service ${services.join(', ')} ran short of tasks, so that this is tried ` +
    `again only when somebody asks, by {"action":"roll"}${beside(crash)}`,
  'drain-timed-out': ({ crash, ...undrained }) =>
    `${describeUndrained(undrained)}; this is tried again as long after, and ON_DRAIN_TIMEOUT=force would stop what is ` +
    `left${beside(crash)}`,
  'image-lacks': ({ faults }) => `the new image lacks something: ${listFaults(faults)}`,
  'health-checks-awaited': ({ instanceIds }) =>
    `${subject(instanceIds, 'is', 'are')} yet to pass health checks again`,
  'registration-awaited': ({ instanceId }) =>
    `${instanceId} is detached but has not registered in the cluster yet`,
  'registration-unfinished': ({ instanceId, status, seconds }) =>
    `${instanceId} is ${status} in the cluster, and ends if it is so for ${seconds} s`,
  'instance-status': ({ instanceId, status }) => `${instanceId} is ${status} in the cluster`,
  'being-ended': ({ instanceIds, heldBy }) =>
    `${subject(instanceIds, 'is', 'are')} still being ended by the group${describeHolding(heldBy)}`,
  'ending-overdue': ({ afterSeconds, members, hooks }) => {
    const each = members.map(
      ({ instanceId, lifecycleState, since }) =>
        `${instanceId} is ${lifecycleState}, being ended since ${since.toISOString()}`,
    );
    const what =
      hooks.length === 0
        ? 'look at the activities of the group'
        : `hook ${hooks.join(' and ')} does not let go: look at what it waits for, or say so in its stead with ` +
          'aws autoscaling complete-lifecycle-action --lifecycle-action-result CONTINUE';
    return `after ${afterSeconds} s, ${each.join('; ')}; ${what}`;
  },
  'ending-retained': ({ instanceIds, group }) =>
    `${subject(instanceIds, 'is', 'are')} drained and Terminating:Retained, as a terminate hook of group ${group} was ` +
    'abandoned; see why, and then: aws autoscaling terminate-instance-in-auto-scaling-group ' +
    '--no-should-decrement-desired-capacity --instance-id <id>',
  'termination-protected': ({ instanceIds }) =>
    `${subject(instanceIds, 'is', 'are')} detached and protected from termination, and so not ended; take that away with ` +
    `${UNPROTECT}, and the roll goes on`,
  'services-settling': ({ instanceIds, seconds }) =>
    `waits for the services to have been steady for ${seconds} s; in turn: ${listIds(instanceIds)}`,
  'services-never-steady': ({ instanceIds, afterSeconds, seconds, faults }) =>
    `after ${afterSeconds} s, the services are never steady for ${seconds} s (last: ${listFaults(faults)}); in turn: ` +
    listIds(instanceIds),
  'tasks-keep-crashing': ({ crash, forSeconds }) => `for more than ${forSeconds} s, ${describeCrash(crash)}`,
  'crash-watched': ({ crash }) =>
    `all are replaced, but ${describeCrash(crash)}: it is waited whether that goes on`,
  'service-unmovable': ({ crash }) => `nothing more is drained: ${describeCrash(crash)}`,
};

export const UNPROTECT =
  'aws ec2 modify-instance-attribute --no-disable-api-termination --instance-id <id> (or --no-disable-api-stop, which ' +
  'protects it, too)';

function after(seconds: number | undefined): string {
  return seconds === undefined ? '' : `after ${seconds} s, `;
}

function beside(crash: HoldUp<'drain-timed-out'>['crash']): string {
  return crash === undefined ? '' : `; ${describeCrash(crash)}`;
}

function describeAlarm({ name, since }: RingingAlarm): string {
  return `alarm ${name} is in ALARM since ${since.toISOString()}`;
}

/** Instances that carry our tags but aren't known to be ours, and what helps. */
export function describeUnproven({
  group,
  instanceIds,
}: Pick<HoldUp<'detachment-unproven'>, 'group' | 'instanceIds'>): string {
  return (
    `${subject(instanceIds, 'bears', 'bear')} our tags, but no activity of group ${group} tells that it detached ` +
    `${instanceIds.length === 1 ? 'it' : 'them'}: left alone; take the tags away, or terminate what you know to be left of ` +
    'the group (CloudTrail tells in CreateTags who wrote them)'
  );
}

export function describeRest({ minSize, seconds }: Omit<HoldUp<'min-size-rests'>, 'code'>): string {
  return `leaves the minimum size at ${minSize} for ${seconds} s, until ECS' managed scaling sees the members in use`;
}

function describeUndrained({
  instanceIds,
  afterSeconds,
  faults,
}: Pick<HoldUp<'drain-timed-out'>, 'instanceIds' | 'afterSeconds' | 'faults'>): string {
  const left = faults.length > 0 ? `: ${listFaults(faults)}` : '';
  const are = instanceIds.length === 1 ? 'is ACTIVE again and keeps' : 'are ACTIVE again and keep';
  return `${listIds(instanceIds)} could not be drained in ${afterSeconds} s, ${are} running${left}`;
}

function describeHolding(hooks: readonly string[] | undefined): string {
  if (hooks === undefined) return '';
  return hooks.length === 0 ? ', where a terminate hook holds it' : `: held by hook ${hooks.join(' and ')}`;
}
