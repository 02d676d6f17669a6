import type { HoldUp, HoldUpCode, RingingAlarm } from '../model/hold-up.ts';
import type { HookStage } from '../model/hook.ts';
import { answerCommand, listIds, subject } from './describe.ts';
import { allFaults, describeCrash, describeFault, listFaults } from './faults.ts';

/** What a hook is asked before. */
export const HOOK_STEPS: Readonly<Record<HookStage, string>> = {
  'trial-passed': 'the rest of the group follows the first batch',
  'before-batch': 'the next batch',
};

/** What people approve. */
export const APPROVED: Readonly<Record<HookStage, string>> = {
  'trial-passed': 'that the rest of the group follows',
  'before-batch': 'the next batch',
};

function quoted(says: string | undefined): string {
  return says === undefined ? '' : ` (${says})`;
}

/** What holds a roll up, and what helps, as a sentence. */
export const HOLD_UPS: { readonly [Code in HoldUpCode]: (holdUp: HoldUp<Code>) => string } = {
  'left-out-in-roll': () =>
    'its tag leaves the group out in the middle of its roll; remove that tag so that the roll can end',
  'left-out-while-leaving': ({ instanceIds }) =>
    `${subject(instanceIds, 'is', 'are')} detached and must still end, but ` +
    `${instanceIds.length === 1 ? 'its tag leaves it' : 'their tags leave them'} out; remove either that tag or ours`,
  'left-out-with-surplus': ({ instanceIds }) =>
    `${subject(instanceIds, 'is', 'are')} left out by tag, so the group can't shrink to the size it had; remove that tag`,
  'instance-refresh': ({ status, paused }) =>
    `an instance refresh is under way (${status})` +
    (paused
      ? ', but stands still while InstanceRefresh is suspended; cancel it'
      : '; wait for its end, or cancel it'),
  'rollback-doubtful': ({ since }) =>
    `its tags say rollback since ${since.toISOString()}, and nothing else does: all its instances are newer, so somebody may have ` +
    'put the tags of another roll back; order `rollback` again if it is wanted, or `abort` to keep what runs',
  'other-groups-first': ({ groups }) => `waits for its turn after group ${groups.join(' and ')}`,
  'outside-windows': ({ opensAt }) =>
    `begins nothing new outside its windows, ${opensAt === undefined ? 'which never open' : `the next of which opens at ${opensAt.toISOString()}`}`,
  'calendars-closed': ({ calendars, opensAt }) => {
    const until = opensAt === undefined ? '' : ` until ${opensAt.toISOString()} at least`;
    return `begins nothing new, as change calendar ${subject(calendars, 'is', 'are')} closed${until}`;
  },
  'calendar-unread': ({ calendar, because }) =>
    `begins nothing new, as change calendar ${calendar} can't be read, which counts as closed: ${because}`,
  'alarm-missing': ({ names }) => `alarm ${names.join(' and ')} does not exist; fix ALARM_NAMES or create it`,
  'alarm-ringing': ({ alarms }) => `begins nothing new, as ${alarms.map(describeAlarm).join(' and ')}`,
  'alarm-overdue': ({ alarm, afterSeconds }) => `after ${afterSeconds} s, ${describeAlarm(alarm)}`,
  'detachment-unproven': describeUnproven,
  'instances-unknown': ({ zones, instanceIds }) => {
    const where = zones.length > 0 ? ` in ${zones.join(', ')}` : '';
    const what = instanceIds.length > 0 ? instanceIds.join(', ') : 'any search';
    return `EC2 doesn't answer for ${what}${where}, as a zone is disrupted: left as they are until it does`;
  },
  'detachment-awaited': ({ instanceIds }) =>
    `${subject(instanceIds, 'has our tags and is', 'have our tags and are')} in no group: waits until Auto Scaling ` +
    'reports a detachment',
  'launch-spec-refused': ({ says }) => says,
  'call-refused': ({ says }) => says,
  'hook-holds': ({ stage, says, until }) =>
    `waits before ${HOOK_STEPS[stage]}, as its hook holds${quoted(says)}; from ${until.toISOString()} on that counts as a refusal`,
  'approval-awaited': ({ stage, until, ...asked }) =>
    `waits for somebody to approve ${APPROVED[stage]}: \`${answerCommand('approve', asked)}\`; from ` +
    `${until.toISOString()} on no answer counts as a refusal`,
  'hook-refuses': ({ stage, says, afterMinutes, unanswered }) => {
    if (unanswered !== undefined)
      return (
        `goes no further: nobody approved ${APPROVED[stage]} within ${afterMinutes} min; ` +
        `\`${answerCommand('approve', unanswered)}\` still does`
      );
    const how = afterMinutes === undefined ? 'refuses' : `still holds after ${afterMinutes} min`;
    return `goes no further: the hook before ${HOOK_STEPS[stage]} ${how}${quoted(says)}`;
  },
  'replacements-not-ready': ({ afterSeconds, faults }) =>
    `${after(afterSeconds)}replacements are not ready: ${listFaults(faults)}`,
  'no-room': ({ desiredCapacity, maxSize, isSentRequests, poolFollowsMaximum }) => {
    const why = isSentRequests
      ? 'as a detached instance would stop serving at once'
      : 'as it ends old instances only once others serve';
    return (
      `the group has ${desiredCapacity} of at most ${maxSize} instances, and must be larger for a while, ${why}; ` +
      (poolFollowsMaximum
        ? 'raise its maximum size, or set MAX_SURGE to 0; no roll raises it, as its warm pool grows with its maximum size'
        : 'raise its maximum size, or set RAISE_MAX_SIZE to true or MAX_SURGE to 0')
    );
  },
  'members-not-detachable': ({ afterSeconds, members }) => {
    const states = members.map(({ instanceId, lifecycleState }) => `${instanceId} is ${lifecycleState}`);
    return `${after(afterSeconds)}outdated members can't be detached yet: ${states.join('; ')}`;
  },
  'members-not-replaced-yet': ({ instanceIds }) =>
    `${subject(instanceIds, 'no longer runs', 'no longer run')}, but the group has not replaced ` +
    `${instanceIds.length === 1 ? 'it' : 'them'} yet`,
  'other-members-failing': () =>
    'other members that stay for now are failing: the group must replace them first',
  'being-detached': ({ instanceIds }) => `${subject(instanceIds, 'is', 'are')} being detached`,
  'serve-until-replaced': ({ instanceIds }) =>
    `${subject(instanceIds, 'serves', 'serve')} until the failed instances are replaced`,
  'trial-not-begun': ({ instanceIds, faults }) =>
    `${listIds(instanceIds)} can't be tried out yet: ${listFaults(faults)}`,
  'on-trial': ({ instanceIds, seconds, since, faults, isIdle }) => {
    const whats = [
      ...faults.map((fault) => describeFault(fault)),
      ...(isIdle ? ['no task has been placed there yet'] : []),
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
    `${subject(instanceIds, 'is', 'are')} not drained, as tasks would find no other place: ${listFaults(faults)}; give ` +
    'instances that stay what is needed (attributes by ECS_INSTANCE_ATTRIBUTES in user data, or PutAttributes; a zone by ' +
    `launching one there), or change the service (its constraint, or its subnets)${beside(crash)}`,
  'drain-harmful': ({ services, crash, ...undrained }) =>
    `${describeUndrained(undrained)}; meanwhile service ${services.join(', ')} ran short of tasks, so this is tried ` +
    `again only if somebody asks, with {"action":"roll"}${beside(crash)}`,
  'drain-timed-out': ({ crash, ...undrained }) =>
    `${describeUndrained(undrained)}; this is tried again after as long, and ON_DRAIN_TIMEOUT=force would stop what is ` +
    `left${beside(crash)}`,
  'image-lacks': ({ faults }) => `the new image lacks something: ${listFaults(faults)}`,
  'health-checks-awaited': ({ instanceIds }) =>
    `${subject(instanceIds, 'has', 'have')} yet to pass health checks again`,
  'registration-awaited': ({ instanceId }) =>
    `${instanceId} is detached but has not registered in the cluster yet`,
  'registration-unfinished': ({ instanceId, status, seconds }) =>
    `${instanceId} is ${status} in the cluster, and ends if that lasts for ${seconds} s`,
  'instance-status': ({ instanceId, status }) => `${instanceId} is ${status} in the cluster`,
  'being-ended': ({ instanceIds, heldBy }) =>
    `${subject(instanceIds, 'is', 'are')} still being ended by the group${describeHolding(heldBy)}`,
  'ending-overdue': ({ afterSeconds, members, hooks }) => {
    const each = members.map(
      ({ instanceId, lifecycleState, since }) =>
        `${instanceId} is ${lifecycleState}, ending since ${since.toISOString()}`,
    );
    const what =
      hooks.length === 0
        ? 'look at the activities of the group'
        : `hook ${hooks.join(' and ')} does not let go: look at what it waits for, or complete it yourself with ` +
          'aws autoscaling complete-lifecycle-action --lifecycle-action-result CONTINUE';
    return `after ${afterSeconds} s, ${each.join('; ')}; ${what}`;
  },
  'ending-retained': ({ instanceIds, group }) =>
    `${subject(instanceIds, 'is', 'are')} drained and Terminating:Retained, as a terminate hook of group ${group} was ` +
    'abandoned; see why, and then: aws autoscaling terminate-instance-in-auto-scaling-group ' +
    '--no-should-decrement-desired-capacity --instance-id <id>',
  'termination-protected': ({ instanceIds }) =>
    `${subject(instanceIds, 'is', 'are')} detached and protected from termination, and so can't be ended; remove the protection with ` +
    `${UNPROTECT}, and the roll goes on`,
  'services-settling': ({ instanceIds, seconds }) =>
    `waits until the services have been steady for ${seconds} s; in turn: ${listIds(instanceIds)}`,
  'services-never-steady': ({ instanceIds, afterSeconds, seconds, faults }) =>
    `after ${afterSeconds} s, the services have never been steady for ${seconds} s (last: ${listFaults(faults)}); in turn: ` +
    listIds(instanceIds),
  'tasks-stay-unhealthy': ({ service, instanceId, says, forSeconds }) =>
    `for more than ${forSeconds} s, a task of service ${service} runs on ${instanceId} without serving (${says})`,
  'tasks-keep-crashing': ({ crash, forSeconds }) => `for more than ${forSeconds} s, ${describeCrash(crash)}`,
  'crash-watched': ({ crash }) =>
    `all are replaced, but ${describeCrash(crash)}: waits to see whether that goes on`,
  'service-unmovable': ({ crash }) => `nothing more is drained: ${describeCrash(crash)}`,
};

export const UNPROTECT =
  'aws ec2 modify-instance-attribute --no-disable-api-termination --instance-id <id> (or --no-disable-api-stop: stop ' +
  'protection has the same effect)';

function after(seconds: number | undefined): string {
  return seconds === undefined ? '' : `after ${seconds} s, `;
}

function beside(crash: HoldUp<'drain-timed-out'>['crash']): string {
  return crash === undefined ? '' : `; ${describeCrash(crash)}`;
}

function describeAlarm({ name, since }: RingingAlarm): string {
  return `alarm ${name} has been in ALARM since ${since.toISOString()}`;
}

/** Instances that carry our tags but aren't known to be ours, and what helps. */
export function describeUnproven({
  group,
  instanceIds,
}: Pick<HoldUp<'detachment-unproven'>, 'group' | 'instanceIds'>): string {
  return (
    `${subject(instanceIds, 'has', 'have')} our tags, but no activity of group ${group} shows that it detached ` +
    `${instanceIds.length === 1 ? 'it' : 'them'}: left alone; remove the tags, or terminate what you know to be left of ` +
    'the group (CloudTrail shows in CreateTags who wrote them)'
  );
}

export function describeRest({ minSize, seconds }: Omit<HoldUp<'min-size-rests'>, 'code'>): string {
  return `leaves the minimum size at ${minSize} for ${seconds} s, until ECS's managed scaling sees the members in use`;
}

function describeUndrained({
  instanceIds,
  afterSeconds,
  faults,
}: Pick<HoldUp<'drain-timed-out'>, 'instanceIds' | 'afterSeconds' | 'faults'>): string {
  const left = faults.length > 0 ? `: ${listFaults(faults)}` : '';
  const are = instanceIds.length === 1 ? 'is ACTIVE again and keeps' : 'are ACTIVE again and keep';
  return `${subject(instanceIds, 'has', 'have')} lost no task for ${afterSeconds} s, ${are} running${left}`;
}

function describeHolding(hooks: readonly string[] | undefined): string {
  if (hooks === undefined) return '';
  return hooks.length === 0 ? ', held by a terminate hook' : `: held by hook ${hooks.join(' and ')}`;
}
