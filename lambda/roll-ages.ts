import type { Clock } from './clock.ts';
import type { GroupDecision } from './core/group-decision.ts';
import { secondsBetween } from './core/model/time.ts';
import type { GroupResult } from './core/result.ts';

/** How old the rolls are that an invocation hears of. */
export interface RollAges {
  heard(cluster: string, decided: GroupDecision): void;
  /** In seconds; undefined if no roll of the group is open. */
  ageOf(result: GroupResult): number | undefined;
}

export function rollAges(clock: Clock): RollAges {
  const startedAt = new Map<string, Date>();
  return {
    heard(cluster, { assessment: { group } }) {
      if (group.roll !== undefined) startedAt.set(`${cluster}/${group.name}`, group.roll.startedAt);
    },
    ageOf({ cluster, group, state }) {
      const since = startedAt.get(`${cluster}/${group}`);
      if (since === undefined || state === 'completed' || state === 'up-to-date') return undefined;
      // Never negative, even if a clock was set back or a date is wrong: the alarm would miss it.
      return Math.max(0, Math.round(secondsBetween(since, clock.now())));
    },
  };
}
