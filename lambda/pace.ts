import type { Aws } from './aws/clients.ts';
import type { GroupDecision } from './core/group-decision.ts';
import { nextLook } from './core/look-again.ts';
import type { Group } from './core/model/group.ts';
import { earlier } from './core/model/time.ts';
import type { WaitsFor } from './core/model/waits-for.ts';
import { hasChanged, type Seen } from './look/glance.ts';
import type { Looked } from './look/observe.ts';

/** When a cluster is looked at again, and how. */
export interface Pace {
  /** The next glance, or the next whole look. */
  readonly at: Date;
  /** The next whole look, whatever glances show. */
  readonly wholeAt: Date;
  /** From then on a glance reads the groups, whatever they wait for. */
  readonly groupsAt: Date;
  /** What its groups wait for; absent if only whole looks can tell. */
  readonly waits?: readonly WaitsFor[];
  readonly seen: Seen;
}

/** How many polls may pass until an order on a group's tags is seen. */
const GROUP_POLLS = 3;

/**
 * How a cluster is looked at next, as its groups that are still worked on need it.
 *
 * @param open their names
 * @param times how often in a row a group's actions were carried out: see `nextLook`
 */
export function paceAfter(
  { assessed: { observation }, records }: Looked,
  decided: readonly GroupDecision[],
  {
    now,
    pollSeconds,
    open,
    times,
  }: {
    readonly now: Date;
    readonly pollSeconds: number;
    readonly open: readonly string[];
    readonly times: (group: Group) => number;
  },
): Pace {
  const { cluster, containerInstances } = observation;
  const still = decided.filter(({ assessment: { group } }) => open.includes(group.name));
  const next = still.map((each) => nextLook(each, times(each.assessment.group)));
  const waits = next.flatMap((each) => each.waits ?? []);
  return paceFrom(now, pollSeconds, {
    // A group that was left out of the look is looked at again with the next poll.
    seconds: Math.min(
      ...next.map(({ seconds }) => seconds),
      ...(still.length < open.length ? [pollSeconds] : []),
    ),
    ...(waits.length === open.length && { waits }),
    seen: { cluster, records, containerInstances },
  });
}

/** Glances once a poll until a whole look is due. */
export function paceFrom(
  now: Date,
  pollSeconds: number,
  { seconds, waits, seen }: { readonly seconds: number } & Pick<Pace, 'seen' | 'waits'>,
): Pace {
  const wholeAt = after(now, seconds);
  const at = waits === undefined ? wholeAt : earlier(wholeAt, after(now, pollSeconds));
  return { at, wholeAt, groupsAt: after(now, GROUP_POLLS * pollSeconds), waits, seen };
}

/** The pace after a glance that showed nothing new; undefined if a whole look is due, or something is new. */
export async function glance(
  aws: Aws,
  pace: Pace,
  now: Date,
  pollSeconds: number,
): Promise<Pace | undefined> {
  const { wholeAt, waits, seen } = pace;
  if (waits === undefined || wholeAt <= now) return undefined;
  const withGroups = pace.groupsAt <= now;
  try {
    if (await hasChanged(aws, seen, waits, withGroups)) return undefined;
  } catch {
    // Whatever makes a glance fail makes the whole look fail too, and that reports it.
    return undefined;
  }
  const groupsAt = withGroups ? after(now, GROUP_POLLS * pollSeconds) : pace.groupsAt;
  return { ...pace, at: earlier(wholeAt, after(now, pollSeconds)), groupsAt };
}

/** Seconds until any of the clusters is looked at. */
export function secondsUntil(paces: readonly Pick<Pace, 'at'>[], now: Date): number {
  const times = paces.map(({ at }) => (at.getTime() - now.getTime()) / 1000);
  return Math.max(0, Math.min(...times));
}

function after(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}
