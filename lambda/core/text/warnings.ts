import type { TagIgnored, Warning, WarningCode } from '../model/warning.ts';
import { subject } from './describe.ts';
import { countTasks } from './faults.ts';
import { describeUnproven } from './hold-ups.ts';
import { describeBounds, describeMadeBefore, describeRefused } from './obstacles.ts';
import { sentenceOf } from './sentence.ts';

/** A warning as a sentence. */
export function describeWarning<Code extends WarningCode>(warning: Warning<Code>): string {
  return WARNINGS[warning.code](warning);
}

const WARNINGS: { readonly [Code in WarningCode]: (warning: Warning<Code>) => string } = {
  'busy-elsewhere': ({ instanceId, cluster }) =>
    `${instanceId} has tasks of cluster ${cluster} too, so it is left alone until they are gone`,
  'detachment-unproven': describeUnproven,
  'request-void': ({ request }) =>
    `a tag asks for ${request === 'abort' ? 'an abort' : 'a rollback'}, which counts only in a roll of the last six weeks ` +
    `that still has old instances: it is ignored; to have it all the same, order it (\`${request}\`)`,
  'draining-unmarked': ({ instanceIds }) =>
    `${subject(instanceIds, 'is', 'are')} DRAINING in the cluster, but no tag shows that a roll drained it: set it back ` +
    'ACTIVE if it should serve',
  'setting-tag-ignored': ({ tag, value, because }) =>
    `${tag} = "${value}" is ignored: ${describeIgnored(because)}`,
  'exclude-tag-mistyped': ({ tag, value, instanceId = 'the group' }) =>
    `${tag} of ${instanceId} was "${value}", which leaves it alone; it may be true or false`,
  'tasks-will-be-stopped': (bounds) =>
    `${describeBounds(bounds)}, so its tasks are stopped once their instance's drain times out, because ` +
    'ON_DRAIN_TIMEOUT is force',
  'place-uncertain': ({ service, needs, guessed }) =>
    `service ${service} needs ${needs}, which can't be compared before there is a new instance${describeGuesses(guessed)}; if it ` +
    "finds no place, its instances don't drain",
  'service-unsteady': ({ service, running }) =>
    `service ${service} was not steady before the roll, with ${countTasks(running)} running: it doesn't ` +
    'hold it up unless it gets worse',
  'task-addresses-lacking': ({ service, free, count }) =>
    `tasks of service ${service} need addresses of their own, and its subnets have ${free} free: up to ${count} of them ` +
    'start before old ones stop, and would wait; give it another subnet, or lower its maximumPercent',
  'single-task-interrupted': ({ services, isCertain }) => {
    const what = isCertain
      ? 'it stops before another starts, and the service is down until that runs'
      : 'it may stop before another runs, as minimumHealthyPercent 0 allows';
    return `service ${services.join(', ')} has one task: when its instance is replaced, ${what}`;
  },
  'zones-uneven': ({ counts }) =>
    `the group has ${counts.map(([zone, count]) => `${count} in ${zone}`).join(', ')}: AZRebalance evens its zones out ` +
    'once they let it launch, and ends members undrained for that; to keep them, suspend AZRebalance',
  'zones-may-empty': ({ zones, sources }) =>
    `${sources.join(' and ')} sends requests in each zone only to what is there, and ${zones.join(' and ')} may have ` +
    'nobody for a while: allow as many more instances as the group has zones (MAX_SURGE, and its maximum size), ' +
    'or turn cross-zone load balancing on',
  'detached-though-protected': () =>
    'its capacity provider has managed termination protection, where AWS advises against detaching: members are detached all ' +
    'the same, so that new ones serve before old ones drain, and each is deregistered before it ends; with TERMINATE_HOOKS=run ' +
    'the group ends them itself',
  'terminate-hooks-skipped': ({ hooks }) => {
    const [noun, verb] = hooks.length === 1 ? ['hook', 'does'] : ['hooks', 'do'];
    return (
      `terminate ${noun} ${hooks.join(' and ')} ${verb} not run for instances that are detached; with TERMINATE_HOOKS=run ` +
      'the group ends them itself'
    );
  },
  'launch-hooks-hold': ({ hooks, heartbeatSeconds, abandoning }) => {
    const what =
      abandoning.length === 0
        ? ''
        : `; if ${abandoning.join(' and ')} hears nothing by then, the instance ends, and counts as a failed launch`;
    return (
      `launch hook ${hooks.join(' and ')} may hold each new instance for ${heartbeatSeconds} s or longer, and a roll waits ` +
      `for it: READY_TIMEOUT_SECONDS counts from after that${what}`
    );
  },
  'rejected-image-runs': ({ instanceIds, because }) =>
    `${subject(instanceIds, 'runs', 'run')} a rejected image (${sentenceOf(because)}); terminate ` +
    `${instanceIds.length === 1 ? 'it' : 'them'}, and the group launches what it did before`,
  'recorded-images-refused': ({ imageIds }) => describeRefused(imageIds),
  'refused-image-runs': ({ instanceIds }) =>
    `${subject(instanceIds, 'runs', 'run')} an image that is recorded for this roll, newer than the one it goes on to; ` +
    'terminate what is not wanted',
  'version-made-before': describeMadeBefore,
  'reserved-room-unknown': ({ id, instances }) =>
    `the group launches only into ${id === undefined ? 'Capacity Reservations' : `Capacity Reservation ${id}`}, whose room can't ` +
    `be read: up to ${instances} must be launched before old ones end, and these keep their places; with MAX_SURGE=0 none need be`,
  'no-way-back': ({ imageIds }) => {
    const are = imageIds.length === 1 ? 'is' : 'are';
    return (
      `no way back: ${imageIds.join(' and ')}, which the group launches now, ${are} gone, disabled, private or not allowed in ` +
      'this account, so a rollback could neither launch nor attach instances of it'
    );
  },
  'family-ended': ({ family, endsAt, next }) =>
    `the group launches ${family}, whose end of life was ${endsAt}, so its newest image gets old; ` +
    `have it launch ${next}, by its launch spec or by IMAGE`,
  'offer-unread': ({ because }) => `what it is kept from can't be read: ${because}`,
  'other-cluster-unread': ({ cluster, because }) =>
    `can't read whether instances are registered in cluster ${cluster} too: ${because}`,
  'lifecycle-hooks-unread': ({ because }) => `the lifecycle hooks of the group could not be read: ${because}`,
  'task-definitions-unread': ({ because }) =>
    `can't compare what task definitions ask of instances, as DescribeTaskDefinition failed: ${because}`,
  'instance-profiles-unread': ({ name, because }) =>
    `can't see whether instance profile ${name} is there and has a role: ${because}`,
  'task-targets-unread': ({ source, because }) =>
    `can't see whether tasks are healthy in ${source}, so only their own checks count: ${because}`,
};

function describeIgnored(because: TagIgnored): string {
  switch (because.kind) {
    case 'setting-not-listed': {
      const may = because.isLessGentle ? 'it is less gentle than the stack, and needs' : 'it needs';
      return `${may} ${because.setting} in ${because.variable}`;
    }
    case 'value-not-listed':
      return `it needs to be in ${because.variable}`;
    case 'other-ignored':
      return 'it goes with that';
  }
}

function describeGuesses(names: readonly string[]): string {
  return names.length === 0
    ? ''
    : `: attribute ${names.join(', ')} comes with it if user data sets it (ECS_INSTANCE_ATTRIBUTES), not if somebody put it on old ones`;
}
