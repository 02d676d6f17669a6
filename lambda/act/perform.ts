import { StaleObservation } from '../aws/errors.ts';
import { RefusedAgain, TerminationProtected } from '../aws/refused.ts';
import { describeAction } from '../core/actions/actions.ts';
import type { Action } from '../core/actions/decision.ts';
import { piecesOf } from '../core/model/pieces.ts';
import { type Invocation, MARGIN_SECONDS } from '../invocation.ts';
import type { Memory } from '../look/memory.ts';
import { LAG_PAUSE_SECONDS } from '../look/tag-lag.ts';
import { act } from './act.ts';
import type { Target } from './target.ts';

/** Half the margin is reserved for the call in progress: no other begins in it. */
const LAST_CALL_SECONDS = MARGIN_SECONDS / 2;

/** How many times in a row the same actions may be carried out, or overtaken, without changing anything. */
const MOST_REPETITIONS = 10;

/**
 * Carries out actions one after the other. Each depends on the one before, so the first that fails ends the
 * series.
 *
 * @returns whether all were carried out
 * @throws RefusedAgain
 * @throws if AWS behaves as if the same actions had never been carried out
 */
export async function perform(
  invocation: Invocation,
  memory: Memory,
  target: Target,
  actions: readonly Action[],
): Promise<boolean> {
  const { cluster, group } = target;
  const now = invocation.clock.now();
  if (!actions.every(({ kind }) => memory.refusals.mayTry(group, kind, now))) return false;
  const isLastTry = countTries(memory, target, actions) >= MOST_REPETITIONS;
  for (const action of actions.flatMap(inPieces)) {
    if (invocation.remainingSeconds() < LAST_CALL_SECONDS) return false;
    const overtaken = await carryOut(invocation, memory, target, action);
    if (overtaken === undefined) continue;
    if (isLastTry) throw overtaken;
    invocation.journal.overtaken(cluster, group, overtaken);
    return false;
  }
  if (isLastTry) throw new Error(`has no effect, ${MOST_REPETITIONS} times over: ${inWords(actions)}`);
  return true;
}

/** Each takes a call of its own: this many fit in the margin. */
const MARKED_AT_ONCE = 20;

/** Splits an action of many calls, so that we check the time in between. */
function inPieces(action: Action): Action[] {
  if (action.kind !== 'mark-instances') return [action];
  return piecesOf(action.instanceIds, MARKED_AT_ONCE).map((instanceIds) => ({ ...action, instanceIds }));
}

/** @returns what overtook it, if anything */
async function carryOut(
  invocation: Invocation,
  memory: Memory,
  target: Target,
  action: Action,
): Promise<StaleObservation | undefined> {
  const { aws, journal, clock } = invocation;
  const { cluster, group } = target;
  journal.acting(cluster, group, action);
  noteSuspensions(memory, action, clock.now());
  // Also of what another overtakes afterwards.
  const wrote: Target['wrote'] = (tags) => memory.writes.note(group, tags, clock.now());
  try {
    const made = await act(aws, { ...target, wrote }, action, clock.now());
    memory.tagTimes.note(group, action, clock.now());
    memory.refusals.clear(group, action.kind);
    if (action.kind === 'detach-instances') memory.detachments.note(group, action.instanceIds, clock.now());
    if (made) memory.versionsMade.add(`${made.templateId}:${made.version}`);
    return undefined;
  } catch (error) {
    noteProtection(memory, error);
    const lag = memory.tagTimes.asLag(group, action, error, clock.now());
    if (lag !== undefined) await letPass(invocation);
    if (lag !== undefined) return lag;
    if (!(error instanceof StaleObservation)) throw error;
    // It may have been a refresh that began.
    memory.unrefreshed.delete(group);
    const isFinal = error.isRefusal && memory.refusals.note(group, action.kind, error, clock.now());
    // What can't be attached is replaced in another way.
    if (isFinal && action.kind !== 'attach-instances') throw new RefusedAgain(describeAction(action), error);
    return error;
  }
}

function noteProtection({ terminationProtection }: Memory, error: unknown): void {
  if (!(error instanceof TerminationProtected)) return;
  for (const instanceId of error.instanceIds) terminationProtection.set(instanceId, true);
}

/** However soon the next look would come. */
async function letPass({ clock, remainingSeconds }: Invocation): Promise<void> {
  if (remainingSeconds() > MARGIN_SECONDS + LAG_PAUSE_SECONDS) await clock.sleep(LAG_PAUSE_SECONDS);
}

/** Recorded before the call, as it may take effect without our knowing. */
function noteSuspensions({ suspensions }: Memory, action: Action, now: Date): void {
  if (action.kind !== 'suspend-processes' && action.kind !== 'resume-processes') return;
  const processes = new Map(suspensions.get(action.group));
  for (const process of action.processes) {
    if (action.kind === 'suspend-processes') processes.set(process, now);
    else processes.delete(process);
  }
  suspensions.set(action.group, processes);
}

/** How often in a row the latest actions for a group were carried out. */
export function timesTried({ tried }: Memory, { cluster, group }: Target): number {
  return tried.get(`${cluster}/${group}`)?.times ?? 0;
}

function countTries({ tried }: Memory, { cluster, group }: Target, actions: readonly Action[]): number {
  const key = `${cluster}/${group}`;
  const last = tried.get(key);
  const identity = identityOf(actions);
  const times = last?.actions === identity ? last.times + 1 : 1;
  tried.set(key, { actions: identity, times });
  return times;
}

/**
 * Equal for actions that differ only in dates, or in what their container instances and tasks do meanwhile.
 */
function identityOf(actions: readonly Action[]): string {
  return JSON.stringify(actions, function (this: Record<string, unknown>, key: string, value: unknown) {
    if (this[key] instanceof Date) return undefined;
    return typeof value === 'object' && value !== null && 'arn' in value ? value.arn : value;
  });
}

function inWords(actions: readonly Action[]): string {
  return actions.map(describeAction).join('; ');
}
