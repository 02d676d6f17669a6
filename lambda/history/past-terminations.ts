import * as z from 'zod/mini';
import type { KeptLine } from '../core/model/roll-event.ts';
import { LATE_MS, TIME } from './past-rolls.ts';

/** An instance that its group ended outside rolls, as an event tells it. */
export interface PastTermination {
  readonly at: string;
  readonly cluster: string;
  readonly group: string;
  readonly instanceId: string;
  /** `timed-out`: its time was over, or its agent away, before nothing was left on it. */
  readonly ended: 'drained' | 'timed-out';
  /** From when its group began to end it; absent if that wasn't known. */
  readonly seconds?: number;
  /** What was told. */
  readonly text: string;
}

const EVENT = z.object({
  source: z.literal('ecs-ami-deploy'),
  detail: z.object({
    id: z.string(),
    kind: z.enum(['drained', 'timed-out']),
    at: TIME,
    cluster: z.string(),
    group: z.string(),
    instanceId: z.string(),
    seconds: z.optional(z.number()),
    text: z.string(),
  }),
});

/**
 * The terminations in the lines of the history, the latest first. Their ids can be foreseen, so that somebody
 * else's event might come first: one that tells something else under the same id counts as well.
 */
export function pastTerminations(lines: readonly KeptLine[]): PastTermination[] {
  const told = new Map<string, PastTermination>();
  for (const { message, ingestedAt } of lines) {
    const detail = detailIn(message);
    if (detail === undefined || Math.abs(ingestedAt - Date.parse(detail.at)) > LATE_MS) continue;
    const { id, kind, at, cluster, group, instanceId, seconds, text } = detail;
    const rest = seconds === undefined ? {} : { seconds };
    told.set(JSON.stringify([id, text]), { at, cluster, group, instanceId, ended: kind, ...rest, text });
  }
  return [...told.values()].sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

function detailIn(line: string): z.infer<typeof EVENT>['detail'] | undefined {
  try {
    return EVENT.safeParse(JSON.parse(line)).data?.detail;
  } catch {
    // Somebody else may write to the log group as well.
    return undefined;
  }
}
