import { type CrashFacts, describeCrash, type Fault, listFaults } from './faults.ts';
import {
  answerCommand,
  type GroupQuestion,
  type NamedInstance,
  type NamedInstances,
  subject,
} from './words.ts';

/** What holds a roll up whatever it does: what was asked of the group, or what is happening to it. */
export const HELD = {
  'left-out-in-roll': () => 'its tag leaves the group out in mid-roll; remove that tag to let the roll end',
  'left-out-while-leaving': (it: NamedInstances) =>
    `${subject(it.instanceIds, 'is', 'are')} detached and must still end, but left out by tag; ` +
    'remove either that tag or ours',
  /** The group is larger than its owner wants, and only these could leave. */
  'left-out-with-surplus': (it: NamedInstances) =>
    `${subject(it.instanceIds, 'is', 'are')} left out by tag, so the group can't shrink to the size it had; remove that tag`,
  'instance-refresh': (it: { status: string /** Its process is suspended. */; paused: boolean }) =>
    `an instance refresh is under way (${it.status})` +
    (it.paused
      ? ', but stands still while InstanceRefresh is suspended; cancel it'
      : '; wait for its end, or cancel it'),
  /** Of a rollback: nothing shows that it is about what the group launches now. */
  'rollback-doubtful': (it: { since: Date }) =>
    `its tags say rollback since ${it.since.toISOString()}, and nothing else does: all its instances are newer, so somebody may have ` +
    'put the tags of another roll back; order `rollback` again if it is wanted, or `abort` to keep what runs',
  'other-groups-first': (it: { groups: readonly string[] }) =>
    `waits for its turn after group ${it.groups.join(' and ')}`,
  'outside-windows': (it: {
    /** Absent if they never open. */
    opensAt?: Date;
  }) =>
    `begins nothing new outside its windows, ${it.opensAt === undefined ? 'which never open' : `the next of which opens at ${it.opensAt.toISOString()}`}`,
  'calendars-closed': (it: {
    calendars: readonly string[];
    /** Until when at least. */
    opensAt?: Date;
  }) => {
    const until = it.opensAt === undefined ? '' : ` until ${it.opensAt.toISOString()} at least`;
    return `begins nothing new, as change calendar ${subject(it.calendars, 'is', 'are')} closed${until}`;
  },
  'calendar-unread': (it: { calendar: string; because: string }) =>
    `begins nothing new, as change calendar ${it.calendar} can't be read, which counts as closed: ${it.because}`,
  /** By an order that reaches rolls under way. */
  'halted-in-sequence': (it: { releases: readonly string[] }) =>
    `begins nothing new, as its sequence has halted ${it.releases.join(' and ')}; it goes on once that is resumed`,
  'alarm-missing': (it: { names: readonly string[] }) =>
    `alarm ${it.names.join(' and ')} does not exist; fix ALARM_NAMES or create it`,
  'alarm-ringing': (it: { alarms: readonly RingingAlarm[] }) =>
    `begins nothing new, as ${it.alarms.map(describeAlarm).join(' and ')}`,
  'image-withdrawn': (it: { imageIds: readonly string[] }) =>
    `${subject(it.imageIds, 'is', 'are')} no longer available, and what is chosen instead is what ran before the roll`,
  'alarm-overdue': (it: { alarm: RingingAlarm; afterSeconds: number }) =>
    `after ${it.afterSeconds} s, ${describeAlarm(it.alarm)}`,
  'instances-unknown': (it: NamedInstances & { zones: readonly string[] }) => {
    const where = it.zones.length > 0 ? ` in ${it.zones.join(', ')}` : '';
    const what = it.instanceIds.length > 0 ? it.instanceIds.join(', ') : 'any search';
    return `EC2 doesn't answer for ${what}${where}, as a zone is disrupted: left as they are until it does`;
  },
  'hook-holds': (it: Hooked & { askedAt: Date; until: Date }) =>
    `waits before ${HOOK_STEPS[it.stage]}, as its hook holds${quoted(it.says)}; from ${it.until.toISOString()} on that counts as a refusal`,
  /** People are asked. */
  'approval-awaited': (it: GroupQuestion & { stage: HookStage; until: Date }) =>
    `waits for somebody to approve ${APPROVED[it.stage]}: \`${answerCommand('approve', it)}\`; from ` +
    `${it.until.toISOString()} on no answer counts as a refusal`,
  'hook-refuses': (
    it: Hooked & {
      /** Nobody answered it. */
      unanswered?: GroupQuestion;
      /** How long it has held; absent if it refused in so many words. */
      afterMinutes?: number;
    },
  ) => {
    if (it.unanswered !== undefined)
      return (
        `goes no further: nobody approved ${APPROVED[it.stage]} within ${it.afterMinutes} min ` +
        `(\`${answerCommand('approve', it.unanswered)}\`)`
      );
    const how = it.afterMinutes === undefined ? 'refused' : `still held after ${it.afterMinutes} min`;
    return `stops before ${HOOK_STEPS[it.stage]}: ${how}${quoted(it.says)}`;
  },
  /** AWS refused the launch spec we wanted to give the group. */
  'launch-spec-refused': (it: { says: string }) => it.says,
  /** AWS has refused another change of the group again and again. */
  'call-refused': (it: { says: string }) => it.says,
  'image-lacks': (it: { faults: readonly Fault[] }) =>
    `the new image lacks something: ${listFaults(it.faults)}`,
  'tasks-keep-crashing': (it: { crash: CrashFacts; forSeconds: number }) =>
    `for more than ${it.forSeconds} s, ${describeCrash(it.crash)}`,
  /** Tasks that run on a replacement and don't serve. */
  'tasks-stay-unhealthy': (it: NamedInstance & { service: string; says: string; forSeconds: number }) =>
    `for more than ${it.forSeconds} s, a task of service ${it.service} runs on ${it.instanceId} without serving (${it.says})`,
  'crash-watched': (it: { crash: CrashFacts }) =>
    `all are replaced, but ${describeCrash(it.crash)}: waits to see whether that goes on`,
  'service-unmovable': (it: { crash: CrashFacts }) => `nothing more is drained: ${describeCrash(it.crash)}`,
};

/** When a roll asks before it goes on. */
export const HOOK_STAGES = ['trial-passed', 'before-batch'] as const;

export type HookStage = (typeof HOOK_STAGES)[number];

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

interface Hooked {
  readonly stage: HookStage;
  /** In the hook's own words. */
  readonly says?: string;
}

function quoted(says: string | undefined): string {
  return says === undefined ? '' : ` (${says})`;
}

export interface RingingAlarm {
  readonly name: string;
  readonly since: Date;
}

function describeAlarm({ name, since }: RingingAlarm): string {
  return `alarm ${name} has been in ALARM since ${since.toISOString()}`;
}
