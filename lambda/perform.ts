import { act } from './act.ts';
import { StaleObservation, TerminationProtected } from './aws/errors.ts';
import type { Action } from './core/decision.ts';
import { describeAction } from './core/describe.ts';
import { type Invocation, MARGIN_SECONDS } from './invocation.ts';
import type { Memory } from './memory.ts';

/** Half of the margin is for the call in hand: no other is begun. */
const LAST_CALL_SECONDS = MARGIN_SECONDS / 2;

/** So many times in a row may the same actions be carried out, or overtaken, without anything changing by them. */
const MOST_REPETITIONS = 10;

/**
 * Carries actions out one after the other. Each rests upon the one before it, so the first that can't be done ends them.
 *
 * @returns whether all were
 * @throws when AWS goes on as if the same actions had never been carried out
 */
export async function perform(
  invocation: Invocation,
  memory: Memory,
  cluster: string,
  group: string,
  actions: readonly Action[],
): Promise<boolean> {
  const { aws, journal, remainingSeconds, clock } = invocation;
  const isLastTry = timesTried(memory, cluster, group, actions) >= MOST_REPETITIONS;
  for (const action of actions) {
    if (remainingSeconds() < LAST_CALL_SECONDS) return false;
    journal.acting(cluster, group, action);
    noteSuspensions(memory, action);
    try {
      const written = await act(aws, cluster, action);
      if (written) memory.writes.note(written.group, written.tags, clock.now());
    } catch (error) {
      noteProtection(memory, error);
      if (!(error instanceof StaleObservation) || isLastTry) throw error;
      journal.overtaken(cluster, group, error);
      return false;
    }
  }
  if (isLastTry) throw new Error(`has no effect, ${MOST_REPETITIONS} times over: ${inWords(actions)}`);
  return true;
}

function noteProtection({ terminationProtection }: Memory, error: unknown): void {
  if (!(error instanceof TerminationProtected)) return;
  for (const instanceId of error.instanceIds) terminationProtection.set(instanceId, true);
}

/** Before the call, for it may take effect without our learning of it. */
function noteSuspensions({ suspensions }: Memory, action: Action): void {
  if (action.kind !== 'suspend-processes' && action.kind !== 'resume-processes') return;
  const processes = new Set(suspensions.get(action.group));
  for (const process of action.processes) {
    if (action.kind === 'suspend-processes') processes.add(process);
    else processes.delete(process);
  }
  suspensions.set(action.group, processes);
}

function timesTried({ tried }: Memory, cluster: string, group: string, actions: readonly Action[]): number {
  const key = `${cluster}/${group}`;
  const last = tried.get(key);
  const times = last?.actions === inWords(actions) ? last.times + 1 : 1;
  tried.set(key, { actions: inWords(actions), times });
  return times;
}

function inWords(actions: readonly Action[]): string {
  return actions.map(describeAction).join('; ');
}
