import * as z from 'zod/mini';
import { logged } from '../bundle/invoke.ts';

/** One thing that happened in the roll, as it was told. */
export interface Told {
  readonly atSeconds: number;
  /** Of the invocation. */
  readonly number: number;
  readonly kind: 'invoked' | 'reason' | 'action' | 'trouble' | 'killed' | 'ended';
  readonly text: string;
}

const RECORD = z.object({
  level: z.string(),
  message: z.string(),
  decision: z.optional(z.string()),
  action: z.optional(z.string()),
});

/**
 * What one line of the function's log says; `intent` is the reason for actions that follow, which say the
 * same.
 */
export interface Line {
  readonly kind: Told['kind'] | 'intent';
  readonly text: string;
}

/** Undefined for a line that is of no interest here. */
export function readLogLine(line: string): Line | undefined {
  const [record] = logged([line]);
  // What isn't a record comes from Node itself, and is never good news.
  if (record === undefined) return { kind: 'trouble', text: line };
  const { success, data } = z.safeParse(RECORD, record);
  if (!success) return undefined;
  const text = data.message;
  if (data.level === 'WARN' || data.level === 'ERROR') return { kind: 'trouble', text };
  if (data.decision === 'act' || data.decision === 'finish') return { kind: 'intent', text };
  if (data.decision !== undefined) return { kind: 'reason', text };
  // The first record of an invocation has an action too: what it was asked for.
  return data.action === undefined || /^(invoked|ordered)$/.test(data.message)
    ? undefined
    : { kind: 'action', text };
}
