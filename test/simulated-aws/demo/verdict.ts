import * as z from 'zod/mini';
import type { Outcome } from '../environment.ts';
import type { GroupReport } from '../invariants.ts';
import type { Ending } from './progress.ts';

/** What follows from how an invocation ended. */
export type Verdict =
  | { readonly kind: 'completed' }
  | { readonly kind: 'again'; readonly ending: Ending; readonly action: 'roll' | 'continue' };

const RESULT = z.object({
  groups: z.array(z.object({ group: z.string(), state: z.string(), reason: z.string() })),
});

/** What the function answered of each group; nothing when it gave no answer. */
export function groupsOf(outcome: Outcome): readonly GroupReport[] {
  return 'ok' in outcome && outcome.ok ? z.parse(RESULT, outcome.result).groups : [];
}

/** Judges an invocation as the deployment does: the five-minute rule says `continue`, and only a schedule begins a roll. */
export function judge(action: 'roll' | 'continue', outcome: Outcome, calls: number): Verdict {
  const again = (ending: Ending, next: 'roll' | 'continue' = 'continue'): Verdict => ({
    kind: 'again',
    ending,
    action: next,
  });
  if ('killed' in outcome) return again({ kind: 'killed', calls });
  if (!outcome.ok) {
    const { name, message } = outcome.error;
    return again({ kind: 'failed', message: `${name}: ${message}` });
  }
  const states = groupsOf(outcome).map(({ state }) => state);
  const open = states.find((state) => state !== 'completed' && state !== 'up-to-date');
  if (open !== undefined) return again({ kind: 'answered', state: open });
  const isDone = action === 'roll' || states.includes('completed');
  return isDone ? { kind: 'completed' } : again({ kind: 'idle' }, 'roll');
}
