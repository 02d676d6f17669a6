import * as z from 'zod/mini';
import type { Range } from '../core/model/forecast.ts';

/** A roll as its events tell it. */
export interface PastRoll {
  readonly cluster: string;
  readonly group: string;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly seconds?: number;
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly replaced: number;
  readonly total: number;
  /** What its last event says: how it ended or, as long as it hasn't, how far it is. */
  readonly ended: string;
  readonly because?: string;
  readonly events: readonly PastEvent[];
}

/** An event of a roll, without what its roll says already. */
export interface PastEvent {
  readonly at: string;
  readonly kind: string;
  readonly text: string;
  /** Those that it concerns, as far as it lists them. */
  readonly instances?: readonly PastInstance[];
  readonly services?: PastServices;
}

export type PastInstance = z.infer<typeof INSTANCE>;

const INSTANCE = z.object({
  instanceId: z.string(),
  role: z.enum(['old', 'new']),
  launchedAt: z.string(),
  drainStartedAt: z.optional(z.string()),
});

export type PastServices = z.infer<typeof SERVICES>;

const SERVICES = z.object({
  total: z.number(),
  short: z.array(z.object({ name: z.string(), running: z.number(), desired: z.number(), least: z.number() })),
});

/** The part of an event that is read here: older functions told other things besides. */
const EVENT = z.object({
  source: z.literal('ecs-ami-deploy'),
  detail: z.object({
    id: z.string(),
    kind: z.string(),
    at: z.string(),
    cluster: z.string(),
    group: z.string(),
    startedAt: z.optional(z.string()),
    seconds: z.optional(z.number()),
    images: z.object({ from: z.array(z.string()), to: z.array(z.string()) }),
    because: z.optional(z.string()),
    counts: z.object({ replaced: z.number(), total: z.number() }),
    text: z.string(),
    instances: z.optional(z.array(INSTANCE)),
    services: z.optional(SERVICES),
  }),
});
type Told = z.infer<typeof EVENT>['detail'];

const ENDINGS: ReadonlySet<string> = new Set(['completed', 'aborted', 'rolled-back']);

/**
 * The rolls in the lines of the history, the latest first. An event may have come more than once, and later
 * than one after it; a line that is none of ours is left out.
 */
export function pastRolls(lines: readonly string[]): PastRoll[] {
  const events = new Map<string, Told>();
  for (const told of lines.flatMap(eventIn)) if (!events.has(told.id)) events.set(told.id, told);
  const rolls = new Map<string, Told[]>();
  for (const told of events.values()) {
    // Blocked before it began, a group has had no roll.
    if (told.startedAt === undefined) continue;
    const key = JSON.stringify([told.cluster, told.group, told.startedAt]);
    rolls.set(key, [...(rolls.get(key) ?? []), told]);
  }
  return [...rolls.values()]
    .flatMap(rollOf)
    .sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt));
}

function eventIn(line: string): Told[] {
  try {
    const { success, data } = EVENT.safeParse(JSON.parse(line));
    return success ? [data.detail] : [];
  } catch {
    // Somebody else may write to the log group as well.
    return [];
  }
}

function rollOf(events: readonly Told[]): PastRoll[] {
  const inOrder = [...events].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const last = inOrder.findLast(({ kind }) => ENDINGS.has(kind)) ?? inOrder.at(-1);
  if (last?.startedAt === undefined) return [];
  const { cluster, group, startedAt, images, counts, kind, because } = last;
  const from = inOrder.find((each) => each.images.from.length > 0)?.images.from ?? [];
  const hasEnded = ENDINGS.has(kind);
  return [
    {
      cluster,
      group,
      startedAt,
      ...(hasEnded && { endedAt: last.at, seconds: last.seconds ?? 0 }),
      from,
      to: images.to,
      replaced: counts.replaced,
      total: counts.total,
      ended: kind,
      ...(because !== undefined && { because }),
      events: inOrder.map(({ at, kind: each, text, instances, services }) => ({
        at,
        kind: each,
        text,
        ...(instances !== undefined && { instances }),
        ...(services !== undefined && { services }),
      })),
    },
  ];
}

/** What the last completed rolls of a group took. */
export interface PastTimes {
  readonly rolls: number;
  readonly seconds: Range;
  /** That each of them replaced. */
  readonly instances: Range;
}

const MOST_ROLLS = 5;

/** @returns undefined if it has had none */
export function pastTimes(
  rolls: readonly PastRoll[],
  { cluster, group }: Pick<PastRoll, 'cluster' | 'group'>,
): PastTimes | undefined {
  const completed = rolls
    .filter((roll) => roll.cluster === cluster && roll.group === group && roll.ended === 'completed')
    .filter(({ replaced }) => replaced > 0)
    .slice(0, MOST_ROLLS);
  if (completed.length === 0) return undefined;
  return {
    rolls: completed.length,
    seconds: rangeOf(completed.map(({ seconds = 0 }) => seconds)),
    instances: rangeOf(completed.map(({ replaced }) => replaced)),
  };
}

function rangeOf(values: readonly number[]): Range {
  return { least: Math.min(...values), most: Math.max(...values) };
}
