import { countTasks } from './faults.ts';
import { describeUnproven } from './launching.ts';
import { describeBounds, type ServiceBounds } from './preflight-obstacles.ts';
import { type RejectionCause, sentenceOf } from './reason.ts';
import { type KindOf, type ReasonOf, say } from './reason-of.ts';
import { describeMadeBefore, describeRefused } from './steps.ts';
import { listIds, type NamedInstances, subject } from './words.ts';

/** What won't stop a roll but people should know about. */
const WARNINGS = {
  /** Nothing is done about it until its tasks of the other cluster are gone. */
  'busy-elsewhere': (it: { instanceId: string; cluster: string }) =>
    `${it.instanceId} has tasks of cluster ${it.cluster} too, so it is left alone until they are gone`,
  'detachment-unproven': describeUnproven,
  /** A tag asks for it, and nothing is left of the roll that it could be about. */
  'request-void': (it: { request: 'abort' | 'rollback' }) =>
    `a tag asks for ${it.request === 'abort' ? 'an abort' : 'a rollback'}, which counts only in a roll of the last six weeks ` +
    `that still has old instances: ignored; order it (\`${it.request}\`) to have it all the same`,
  /** In a roll that is aborted, without a mark of ours. */
  'draining-unmarked': (it: NamedInstances) =>
    `${subject(it.instanceIds, 'is', 'are')} DRAINING in the cluster, but no tag shows that a roll drained it: set it back ` +
    'ACTIVE if it should serve',
  'setting-tag-ignored': (it: { tag: string; value: string | undefined; because: TagIgnored }) =>
    `${it.tag} = "${it.value}" is ignored: ${say(IGNORED, it.because.kind, it.because)}`,
  'exclude-tag-mistyped': (it: {
    tag: string;
    value: string;
    /** Of an instance; absent if it is the group's. */
    instanceId?: string;
  }) =>
    `${it.tag} of ${it.instanceId ?? 'the group'} was "${it.value}", which leaves it alone; it may be true or false`,

  // Of services.
  'tasks-will-be-stopped': (bounds: ServiceBounds) =>
    `${describeBounds(bounds)}, so its tasks are stopped once their instance's drain times out, because ` +
    'ON_DRAIN_TIMEOUT is force',
  'place-uncertain': (it: {
    service: string;
    needs: string;
    /** Attributes that new instances may lack though old ones have them. */
    guessed: readonly string[];
  }) =>
    `service ${it.service} needs ${it.needs}, which can't be compared before there is a new instance${describeGuesses(it.guessed)}; if it ` +
    "finds no place, its instances don't drain",
  'service-unsteady': (it: { service: string; running: number }) =>
    `service ${it.service} was not steady before the roll, with ${countTasks(it.running)} running: it doesn't ` +
    'hold it up unless it gets worse',
  'task-addresses-lacking': (it: { service: string; free: number; count: number }) =>
    `tasks of service ${it.service} need addresses of their own, and its subnets have ${it.free} free: up to ${it.count} of them ` +
    'start before old ones stop, and would wait; give it another subnet, or lower its maximumPercent',
  /** Services whose only task goes before another runs: always, or possibly. */
  'single-task-interrupted': (it: { services: readonly string[]; isCertain: boolean }) => {
    const what = it.isCertain
      ? 'it stops before another starts, and the service is down until that runs'
      : 'it may stop before another runs, as minimumHealthyPercent 0 allows';
    return `service ${it.services.join(', ')} has one task: when its instance is replaced, ${what}`;
  },

  'warm-pool-reused': () =>
    'a scale-in returns its members to its warm pool (ReuseOnScaleIn), which ECS does not support: their tasks are lost',
  'none-replaced': (it: NamedInstances) =>
    `the group's ReplaceUnhealthy process is suspended, not by the roll, so it does not replace ${listIds(it.instanceIds)}: resume it`,

  // Of zones.
  /** How many members are in each; once it may, the group ends some undrained to even them out. */
  'zones-uneven': (it: { counts: readonly (readonly [zone: string, members: number])[] }) =>
    `the group has ${it.counts.map(([zone, count]) => `${count} in ${zone}`).join(', ')}: AZRebalance evens its zones out ` +
    'once they let it launch, and ends members undrained; to keep them, suspend AZRebalance',
  /** Before the roll, of members with weights. */
  'zones-may-end-uneven': () =>
    'its members have weights, so no roll evens its zones out: once it is over, AZRebalance may end ' +
    'members undrained; to keep them, suspend AZRebalance before',
  /** Requests that come to these zones may find nobody for a while. */
  'zones-may-empty': (it: { zones: readonly string[]; sources: readonly string[] }) =>
    `${it.sources.join(' and ')} sends requests in each zone only to what is there, and ${it.zones.join(' and ')} may have ` +
    'nobody for a while: allow as many more instances as the group has zones (MAX_SURGE, and its maximum size), ' +
    'or turn cross-zone load balancing on',

  // Of purchase options.
  'on-demand-lacking': (it: { by: number }) =>
    `the group has ${it.by} of its capacity fewer On-Demand than its distribution asks for, as it launched Spot Instances while it ` +
    'was larger, and Auto Scaling replaces none of them: terminate as many without a smaller desired capacity, once they are drained',

  // Of lifecycle hooks.
  /** Under managed termination protection, where AWS advises against it. */
  'detached-though-protected': () =>
    'its capacity provider has managed termination protection, where AWS advises against detaching: members are ' +
    'detached, so that new ones serve before old ones drain, and each is deregistered before it ends; with TERMINATE_HOOKS=run ' +
    'the group ends them itself',
  'terminate-hooks-skipped': (it: { hooks: readonly string[] }) => {
    const [noun, verb] = it.hooks.length === 1 ? ['hook', 'does'] : ['hooks', 'do'];
    return (
      `terminate ${noun} ${it.hooks.join(' and ')} ${verb} not run for instances that are detached; with TERMINATE_HOOKS=run ` +
      'the group ends them itself'
    );
  },
  /** Where our own hook drains what the group ends. */
  'simple-policy-waits': () =>
    'the group has a simple scaling policy, which waits until what the group ends is drained, and its cooldown over; step scaling ' +
    'and target tracking do not',
  'termination-time-short': (it: { minutes: number; service: string; seconds: number }) =>
    `what the group ends may take ${it.minutes} min; a task of service ${it.service} may need ${it.seconds} s to leave ` +
    '(deregistration delays and stop timeout), and would be cut off: raise terminationTimeout',
  'launch-hooks-hold': (it: {
    hooks: readonly string[];
    heartbeatSeconds: number;
    /** Those that end an instance they hear nothing of. */
    abandoning: readonly string[];
  }) => {
    const what =
      it.abandoning.length === 0
        ? ''
        : `; if ${it.abandoning.join(' and ')} hears nothing by then, the instance ends, and counts as a failed launch`;
    return (
      `launch hook ${it.hooks.join(' and ')} may hold each new instance for ${it.heartbeatSeconds} s or ` +
      `longer: READY_TIMEOUT_SECONDS counts from after that${what}`
    );
  },

  // Of images.
  'awaits-sequence': (it: { line: string; newest: string; unread?: string }) =>
    it.unread === undefined
      ? `its sequence does not let it roll onto ${it.newest} yet (${it.line}); \`ecs-ami-deploy roll --outside-sequence\` doesn't wait`
      : `begins no roll onto ${it.newest} (${it.line}), as the table of its sequence can't be read: ${it.unread}`,
  'launched-before-stage': (it: { line: string; newest: string }) =>
    `whatever it launches runs ${it.newest} (${it.line}), before its sequence lets it roll onto that, as its launch template names a ` +
    'parameter: let it name an image, and a roll gives it each new one',
  'rejected-image-runs': (it: NamedInstances & { because: RejectionCause }) =>
    `${subject(it.instanceIds, 'runs', 'run')} a rejected image (${sentenceOf(it.because)}); once ` +
    'terminated, the group launches what it did before',
  'recorded-images-refused': (it: { imageIds: readonly string[] }) => describeRefused(it.imageIds),
  'refused-image-runs': (it: NamedInstances) =>
    `${subject(it.instanceIds, 'runs', 'run')} an image that is recorded for this roll, newer than the one it goes on to; ` +
    'terminate what is not wanted',
  'version-made-before': describeMadeBefore,
  /** The group launches only into Capacity Reservations, whose room isn't known. */
  'reserved-room-unknown': (it: { id?: string; instances: number }) =>
    `the group launches only into ${reservation(it.id)}, whose room can't ` +
    `be read: up to ${it.instances} must be launched before old ones end, and these keep their places; with MAX_SURGE=0 none need be`,
  /** The group launches into Capacity Reservations first, which the old instances may fill. */
  'reserved-places-left': (it: { id?: string; instances: number }) =>
    `old instances keep their places in ${reservation(it.id)} until they ` +
    `end, so that up to ${it.instances} new ones may come up outside, and stay there; with MAX_SURGE=0 they come into these places`,
  /** A rollback couldn't launch or attach instances of these, which the group launches now. */
  'no-way-back': (it: { imageIds: readonly string[] }) => {
    const are = it.imageIds.length === 1 ? 'is' : 'are';
    return (
      `no way back: ${it.imageIds.join(' and ')}, which the group launches now, ${are} gone, disabled, private or not allowed in ` +
      'this account, so a rollback could neither launch nor attach instances of it'
    );
  },
  'family-ended': (it: { family: string; endsAt: string; next: string }) =>
    `the group launches ${it.family}, whose end of life was ${it.endsAt}, so its newest image gets old; ` +
    `have it launch ${it.next}, by its launch spec or by IMAGE`,

  // What AWS didn't answer, though only warnings need it.
  'offer-unread': (it: Because) => `what it is kept from can't be read: ${it.because}`,
  'other-cluster-unread': (it: Because & { cluster: string }) =>
    `can't read whether instances are registered in cluster ${it.cluster} too: ${it.because}`,
  'lifecycle-hooks-unread': (it: Because) =>
    `the lifecycle hooks of the group could not be read: ${it.because}`,
  'task-definitions-unread': (it: Because) =>
    `can't compare what task definitions ask of instances, as DescribeTaskDefinition failed: ${it.because}`,
  'instance-profiles-unread': (it: Because & { name: string }) =>
    `can't see whether instance profile ${it.name} is there and has a role: ${it.because}`,
  'task-targets-unread': (it: Because & { source: string }) =>
    `can't see whether tasks are healthy in ${it.source}, so only their own checks count: ${it.because}`,
};

export type WarningCode = keyof typeof WARNINGS;
export type Warning<Code extends WarningCode = WarningCode> = ReasonOf<typeof WARNINGS, Code>;

/** A warning as a sentence. */
export function describeWarning(warning: Warning): string {
  return say(WARNINGS, warning.code, warning);
}

interface Because {
  readonly because: string;
}

/** What keeps a group's tag from setting what it asks for. */
const IGNORED = {
  /** The stack's variable doesn't list the setting. */
  'setting-not-listed': (it: { setting: string; variable: string; isLessGentle: boolean }) =>
    `${it.isLessGentle ? 'it is less gentle than the stack, and needs' : 'it needs'} ${it.setting} in ${it.variable}`,
  /** The stack's variable doesn't list the value. */
  'value-not-listed': (it: { variable: string }) => `it needs to be in ${it.variable}`,
  /** An image and its owner count only together. */
  'other-ignored': () => 'it goes with that',
};

export type TagIgnored = KindOf<typeof IGNORED>;

function reservation(id: string | undefined): string {
  return id === undefined ? 'Capacity Reservations' : `Capacity Reservation ${id}`;
}

function describeGuesses(names: readonly string[]): string {
  return names.length === 0
    ? ''
    : `: attribute ${names.join(', ')} comes with it if user data sets it (ECS_INSTANCE_ATTRIBUTES), not if somebody put it on old ones`;
}
