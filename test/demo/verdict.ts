import * as z from 'zod/mini';
import { logged, type Outcome } from '../bundle/invoke.ts';
import type { Ending, RollEnding } from './progress.ts';

/** What follows from how an invocation ended. */
export type Verdict =
  | { readonly kind: 'over'; readonly ending: RollEnding; readonly reason: string }
  | { readonly kind: 'again'; readonly ending: Ending; readonly action: 'roll' | 'continue' };

const GROUP = z.object({
  group: z.string(),
  state: z.string(),
  reason: z.string(),
  because: z.optional(z.string()),
});
const RESULT = z.object({ groups: z.array(GROUP) });
const LOGGED = z.extend(GROUP, { message: z.string().check(z.startsWith('result: ')) });

type GroupAnswer = z.infer<typeof GROUP>;

/**
 * What the function told of each group; nothing when it was killed. Where a group failed or was rolled back,
 * an error is its answer, and the log has the results.
 */
export function groupsOf(outcome: Outcome): readonly GroupAnswer[] {
  if ('killed' in outcome) return [];
  if (outcome.ok) return z.parse(RESULT, outcome.result).groups;
  return logged(outcome.lines).flatMap((record) => {
    const { success, data } = z.safeParse(LOGGED, record);
    return success ? [data] : [];
  });
}

/**
 * Judges an invocation as the deployment does: the five-minute rule says `continue`, and only a schedule
 * begins a roll.
 */
export function judge(action: 'roll' | 'continue', outcome: Outcome, calls: number): Verdict {
  const again = (ending: Ending, next: 'roll' | 'continue' = 'continue'): Verdict => ({
    kind: 'again',
    ending,
    action: next,
  });
  if ('killed' in outcome) return again({ kind: 'killed', calls });
  const groups = groupsOf(outcome);
  const back = groups.find(isRolledBack);
  if (back !== undefined) return { kind: 'over', ending: 'rolled-back', reason: back.because ?? back.reason };
  if (!outcome.ok) {
    const { name, message } = outcome.error;
    return again({ kind: 'failed', message: `${name}: ${message}` });
  }
  const open = groups.find(({ state }) => state !== 'completed' && state !== 'up-to-date');
  if (open !== undefined) return again({ kind: 'answered', state: open.state });
  const isDone = action === 'roll' || groups.some(({ state }) => state === 'completed');
  if (!isDone) return again({ kind: 'idle' }, 'roll');
  return { kind: 'over', ending: 'completed', reason: groups.map(({ reason }) => reason).join('; ') };
}

/** By this invocation; or by one that was killed before it could say so, and the image is not tried again. */
function isRolledBack({ state, reason }: GroupAnswer): boolean {
  return state === 'rolled-back' || (state === 'skipped' && reason.includes('not tried again (rolled back'));
}
