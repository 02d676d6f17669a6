import type { Group } from '../model/group.ts';
import { hasAlias, type LaunchSource, sourcesOf } from '../model/launch.ts';
import type { Closed } from '../reasons/hold-ups.ts';
import type { Warning } from '../reasons/warnings.ts';

/** Its sequence doesn't let it roll onto the newest image yet. */
export function awaitsSequence({ inSequence }: LaunchSource): boolean {
  return inSequence !== undefined && inSequence.release === undefined;
}

/** A sequence has halted what the group is being rolled onto, and wants no further batch. */
export function haltedBySequence({ launch, roll }: Pick<Group, 'launch' | 'roll'>): Closed | undefined {
  if (roll?.course.kind !== 'forward') return undefined;
  const releases = sourcesOf(launch).flatMap(({ inSequence }) =>
    inSequence?.stops && inSequence.release !== undefined ? [inSequence.release] : [],
  );
  return releases.length === 0 ? undefined : { code: 'halted-in-sequence', releases: [...new Set(releases)] };
}

export function warnOfSequence({ launch }: Pick<Group, 'launch'>): Warning[] {
  const warnings = sourcesOf(launch)
    .filter(awaitsSequence)
    .flatMap((source): Warning[] => {
      const { line, newest, unread } = source.inSequence ?? {};
      if (line === undefined || newest === undefined) return [];
      const awaits = {
        code: 'awaits-sequence',
        line,
        newest,
        ...(unread !== undefined && { unread }),
      } as const;
      const isLaunched = hasAlias(source.place) && unread === undefined;
      return isLaunched ? [awaits, { code: 'launched-before-stage', line, newest }] : [awaits];
    });
  return [...new Map(warnings.map((each) => [JSON.stringify(each), each])).values()];
}
