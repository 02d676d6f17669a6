import * as z from 'zod/mini';
import type { Range } from '../core/model/forecast.ts';
import type { KeptLine } from '../core/model/roll-event.ts';

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
  /** How it ended; absent as long as it hasn't. */
  readonly ended?: string;
  /** The kind of its last event. */
  readonly last: string;
  readonly because?: string;
  readonly events: readonly PastEvent[];
  /** How many others of its events are too many to be listed; absent if none are. */
  readonly eventsLeftOut?: number;
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

/** As docs/events.schema.json has them: what is beyond it is none of ours. */
const MOST = { instances: 100, services: 20 } as const;

export const TIME = z
  .string()
  .check(z.refine((text) => /^\d{4}-[\d-]+T[\d:.]+Z$/.test(text) && !Number.isNaN(Date.parse(text))));

const INSTANCE = z.object({
  instanceId: z.string(),
  imageId: z.optional(z.string()),
  role: z.enum(['old', 'new']),
  launchedAt: TIME,
  drainStartedAt: z.optional(TIME),
});

export type PastServices = z.infer<typeof SERVICES>;

const SERVICES = z.object({
  total: z.number(),
  short: z
    .array(z.object({ name: z.string(), running: z.number(), desired: z.number(), least: z.number() }))
    .check(z.maxLength(MOST.services)),
});

/** The part of an event that is read here: older functions told other things besides. */
const EVENT = z.object({
  source: z.literal('ecs-ami-deploy'),
  detail: z.object({
    id: z.string(),
    kind: z.string(),
    at: TIME,
    cluster: z.string(),
    group: z.string(),
    startedAt: z.optional(TIME),
    seconds: z.optional(z.number()),
    images: z.object({ from: z.array(z.string()), to: z.array(z.string()) }),
    because: z.optional(z.string()),
    counts: z.object({
      outdated: z.optional(z.number()),
      detached: z.optional(z.number()),
      replaced: z.number(),
      total: z.number(),
    }),
    text: z.string(),
    instances: z.optional(z.array(INSTANCE).check(z.maxLength(MOST.instances))),
    services: z.optional(SERVICES),
  }),
});
type EventDetail = z.infer<typeof EVENT>['detail'];

const ENDINGS: ReadonlySet<string> = new Set(['completed', 'aborted', 'rolled-back']);
const BACKWARD: ReadonlySet<string> = new Set(['rolling-back', 'rolled-back']);

/** A roll of a thousand batches has some more. */
const MOST_EVENTS = 1000;

/**
 * EventBridge delivers an event within a day or never. What is taken in later than a day after what it tells,
 * or after its roll has ended, was made up.
 *
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-rule-retry-policy.html
 */
export const LATE_MS = 25 * 3_600_000;

/**
 * The rolls in the lines of the history, the latest first. An event may have come more than once, and later
 * than one after it; a line that is none of ours is left out.
 *
 * Others can put events on the bus, too. Nobody foresees the id of one of ours; and once it is known, the one
 * that was taken in first counts. So nobody takes the place of an event. But they may add some of their own,
 * which take no more than their share of time and room here.
 */
export function pastRolls(lines: readonly KeptLine[]): PastRoll[] {
  const seen = new Set<string>();
  const rolls = new Map<string, Gathered>();
  for (const { message, ingestedAt } of [...lines].sort((a, b) => a.ingestedAt - b.ingestedAt)) {
    const told = toldIn(message);
    // Blocked before it began, a group has had no roll.
    if (told?.startedAt === undefined || seen.has(told.id)) continue;
    seen.add(told.id);
    const atMs = Date.parse(told.at);
    if (Math.abs(ingestedAt - atMs) > LATE_MS) continue;
    const key = JSON.stringify([told.cluster, told.group, told.startedAt]);
    const roll = rolls.get(key);
    if (roll === undefined || ingestedAt <= roll.closesAtMs)
      rolls.set(key, gathered(roll, { told, atMs, ingestedAt }));
  }
  return [...rolls.values()]
    .map((gathered) => ({ gathered, startedAtMs: Date.parse(gathered.last.told.startedAt ?? '') }))
    .sort((a, b) => b.startedAtMs - a.startedAtMs)
    .map(({ gathered }) => rollOf(gathered));
}

interface Dated {
  readonly told: EventDetail;
  readonly atMs: number;
  readonly ingestedAt: number;
}

interface Gathered {
  /** The first that were taken in. */
  readonly listed: Dated[];
  readonly count: number;
  /** What tells how it ended or, as long as it hasn't, how far it is. */
  readonly last: Dated;
  readonly closesAtMs: number;
}

function toldIn(line: string): EventDetail | undefined {
  try {
    return EVENT.safeParse(JSON.parse(line)).data?.detail;
  } catch {
    // Somebody else may write to the log group as well.
    return undefined;
  }
}

function gathered(roll: Gathered | undefined, event: Dated): Gathered {
  const isEnding = ENDINGS.has(event.told.kind);
  const closesAtMs = isEnding ? event.ingestedAt + LATE_MS : Number.POSITIVE_INFINITY;
  if (roll === undefined) return { listed: [event], count: 1, last: event, closesAtMs };
  const { listed, count, last } = roll;
  if (listed.length < MOST_EVENTS) listed.push(event);
  const isLast = isEnding === ENDINGS.has(last.told.kind) ? event.atMs >= last.atMs : isEnding;
  return {
    listed,
    count: count + 1,
    last: isLast ? event : last,
    closesAtMs: Math.min(closesAtMs, roll.closesAtMs),
  };
}

function rollOf({ listed, count, last }: Gathered): PastRoll {
  const { cluster, group, startedAt = '', images, counts, kind, at, seconds = 0 } = last.told;
  const { ended, because } = endingOf(last.told);
  const shown = listed.includes(last) ? listed : [...listed.slice(0, -1), last];
  const inOrder = shown.sort((a, b) => a.atMs - b.atMs).map(({ told }) => told);
  // From then on events name the image that it goes back to, and count who has it.
  const turn = inOrder.findIndex((each) => BACKWARD.has(each.kind));
  const before = inOrder[turn - 1];
  return {
    cluster,
    group,
    startedAt,
    ...(ended !== undefined && { endedAt: at, ended, seconds }),
    from: inOrder.find((each) => each.images.from.length > 0)?.images.from ?? [],
    to: before?.images.to ?? images.to,
    replaced: Math.max((before?.counts ?? counts).replaced, failedAt(inOrder[turn])),
    total: counts.total,
    last: kind,
    ...(because !== undefined && { because }),
    events: inOrder.map(pastEvent),
    ...(count > shown.length && { eventsLeftOut: count - shown.length }),
  };
}

/** A roll that was skipped before it began has ended as `aborted`, too. */
function endingOf({ kind, because }: EventDetail): Pick<PastRoll, 'ended' | 'because'> {
  if (!ENDINGS.has(kind)) return { because };
  const [, skipped] = /^skipped: (.*)$/s.exec(because ?? '') ?? [];
  return skipped === undefined ? { ended: kind, because } : { ended: 'skipped', because: skipped };
}

/** What a roll had replaced as it turned back: what has to go then, less those that still drain. */
function failedAt(turned: EventDetail | undefined): number {
  const { outdated = 0, detached = 0 } = turned?.counts ?? {};
  return outdated - detached;
}

function pastEvent({ at, kind, text, instances, services }: EventDetail): PastEvent {
  return { at, kind, text, ...(instances && { instances }), ...(services && { services }) };
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
