import type { Clock } from '../clock.ts';
import type { GroupDecision } from '../core/group-decision.ts';
import { secondsBetween } from '../core/model/time.ts';
import { PHASES, type Phase } from '../core/reasons/hold-ups.ts';
import type { Reason } from '../core/reasons/reason.ts';

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
  return first && (Object.keys(PHASES) as Phase[]).find((phase) => first.code in PHASES[phase]);
}
