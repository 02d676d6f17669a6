import type { Clock } from '../clock.ts';
import type { GroupDecision } from '../core/group-decision.ts';
import type { HoldUpCode } from '../core/model/hold-up.ts';
import type { Reason } from '../core/model/reason.ts';
import { secondsBetween } from '../core/model/time.ts';

/** What a roll spends its time with. */
const PHASES = ['launching', 'trial', 'draining', 'held'] as const;
export type Phase = (typeof PHASES)[number];

/** Which phase a roll that waits for this is in. */
const PHASE_OF: Readonly<Record<HoldUpCode, Phase>> = {
  'left-out-in-roll': 'held',
  'left-out-while-leaving': 'held',
  'left-out-with-surplus': 'held',
  'instance-refresh': 'held',
  'rollback-doubtful': 'held',
  'other-groups-first': 'held',
  'outside-windows': 'held',
  'calendars-closed': 'held',
  'calendar-unread': 'held',
  'approval-awaited': 'held',
  'hook-holds': 'held',
  'hook-refuses': 'held',
  'alarm-missing': 'held',
  'alarm-ringing': 'held',
  'alarm-overdue': 'held',
  'detachment-unproven': 'launching',
  'detachment-awaited': 'launching',
  'instances-unknown': 'held',
  'launch-spec-refused': 'held',
  'call-refused': 'held',
  'replacements-not-ready': 'launching',
  'no-room': 'launching',
  'members-not-detachable': 'launching',
  'members-not-replaced-yet': 'launching',
  'other-members-failing': 'launching',
  'being-detached': 'launching',
  'serve-until-replaced': 'launching',
  'trial-not-begun': 'trial',
  'on-trial': 'trial',
  'min-size-rests': 'draining',
  'too-few-serve': 'draining',
  draining: 'draining',
  'drain-stranding': 'draining',
  'drain-harmful': 'draining',
  'drain-timed-out': 'draining',
  'image-lacks': 'held',
  'health-checks-awaited': 'launching',
  'registration-awaited': 'launching',
  'registration-unfinished': 'launching',
  'instance-status': 'launching',
  'being-ended': 'draining',
  'ending-overdue': 'draining',
  'ending-retained': 'draining',
  'termination-protected': 'draining',
  'services-settling': 'draining',
  'services-never-steady': 'draining',
  'tasks-keep-crashing': 'held',
  'tasks-stay-unhealthy': 'held',
  'crash-watched': 'held',
  'service-unmovable': 'held',
};

export type PhaseSeconds = Readonly<Partial<Record<Phase, number>>>;

/** How long the rolls that an invocation hears of spend in each phase. */
export interface Phases {
  heard(cluster: string, decided: GroupDecision): void;
  /** Nothing more happens to the group. */
  closed(cluster: string, group: string): void;
  secondsOf(cluster: string, group: string): PhaseSeconds;
}

interface Spent {
  readonly phase: Phase;
  /** Absent while the roll rests. */
  readonly since?: Date;
  readonly seconds: PhaseSeconds;
}

export function phases(clock: Clock): Phases {
  const spent = new Map<string, Spent>();
  const until = (key: string): Spent => {
    const { phase, since, seconds } = spent.get(key) ?? { phase: 'launching', seconds: {} };
    const more = since === undefined ? 0 : secondsBetween(since, clock.now());
    if (more <= 0) return { phase, seconds };
    return { phase, seconds: { ...seconds, [phase]: (seconds[phase] ?? 0) + more } };
  };
  return {
    heard(cluster, { assessment: { group }, decision: { kind, reason } }) {
      if (group.roll === undefined) return;
      const key = `${cluster}/${group.name}`;
      const { phase, seconds } = until(key);
      const isOpen = kind === 'act' || kind === 'wait';
      spent.set(key, { phase: phaseOf(reason) ?? phase, seconds, ...(isOpen && { since: clock.now() }) });
    },
    closed(cluster, group) {
      const key = `${cluster}/${group}`;
      spent.set(key, until(key));
    },
    secondsOf: (cluster, group) => until(`${cluster}/${group}`).seconds,
  };
}

/** @returns undefined for steps, which are part of the phase they are taken in */
function phaseOf(reason: Reason): Phase | undefined {
  const first = reason.code === 'several' ? reason.reasons[0] : reason;
  return first !== undefined && isHoldUp(first.code) ? PHASE_OF[first.code] : undefined;
}

function isHoldUp(code: string): code is HoldUpCode {
  return code in PHASE_OF;
}
