import { takesTime } from './actions/actions.ts';
import type { GroupDecision } from './group-decision.ts';
import { ASK_AGAIN_SECONDS } from './hooks/ask-first.ts';
import type { Observation } from './model/observation.ts';
import { secondsBetween } from './model/time.ts';
import type { WaitsFor } from './model/waits-for.ts';
import type { HoldUp } from './reasons/hold-ups.ts';
import { begunBy, waitsFor } from './waits-for.ts';

/**
 * The part of a poll that passes before we look at our own writes. Long enough for AWS to show them, and for
 * two invocations at once to see each other's choices before either uses its own.
 */
const SOON = 1 / 5;

/**
 * How many polls may pass between two whole looks while glances show nothing new. What only a whole look
 * shows, such as an alarm or an agent that is lost, may be noticed that late.
 */
const MOST_POLLS = 6;

/** When a cluster is looked at again for a group. */
export interface NextLook {
  /** In how many seconds a whole look can show something new. */
  readonly seconds: number;
  /** What a glance reads until then; absent if only a whole look can tell. */
  readonly waits?: WaitsFor;
}

/**
 * @param times how often in a row its actions, if any, were carried out: AWS is slow to show what they did,
 *   and is asked less and less often
 */
export function nextLook(decided: GroupDecision, times: number): NextLook {
  const isFirstTry = times === 1;
  const { assessment, decision } = decided;
  const { pollSeconds } = assessment.settings;
  const waits = 'actions' in decision ? (isFirstTry ? begunBy(decided) : undefined) : waitsFor(decided);
  if (waits === undefined)
    return { seconds: pollSeconds * (showsSoon(decided, isFirstTry) ? SOON : pollsAfter(decided, times)) };
  const stopped = secondsToStopped(waits, assessment.observation);
  const known = waits.tasks.length > 0 ? secondsOfGoodbye(decided, stopped) : secondsToEnd(decided);
  const seconds = Math.max(pollSeconds * SOON, Math.min(pollSeconds * MOST_POLLS, known));
  // Until then nothing becomes of the tasks.
  return { seconds, waits: stopped === undefined ? waits : { ...waits, tasks: [] } };
}

function pollsAfter({ decision }: GroupDecision, times: number): number {
  return 'actions' in decision ? Math.min(Math.max(1, times - 1), MOST_POLLS) : 1;
}

/** So much later it is sure to show, such as that a task has stopped. */
const SHOWN_SECONDS = 1;

/**
 * When the tasks that are waited for will have stopped, if they take as long as others of their services did;
 * undefined if that isn't known, or they take longer.
 */
function secondsToStopped({ tasks }: WaitsFor, { now, details }: Observation): number | undefined {
  const times = tasks.map(({ group, stoppingAt }) => {
    const took = details?.stopSeconds?.get(group);
    return stoppingAt && took !== undefined ? took - secondsBetween(stoppingAt, now) : Number.NaN;
  });
  const last = Math.max(...times);
  return last > 0 ? last + SHOWN_SECONDS : undefined;
}

/** The next may drain once services are steady, while tasks still stop: one look is for both if it may. */
function secondsOfGoodbye(decided: GroupDecision, stopped = Number.POSITIVE_INFINITY): number {
  const settled = secondsToSteadiness(decided);
  const isSoonAfter = stopped <= settled + decided.assessment.settings.pollSeconds;
  return settled <= 0 ? stopped : isSoonAfter ? Math.max(stopped, settled) : settled;
}

/** Whether a look right after these actions shows what became of them. */
function showsSoon(decided: GroupDecision, isFirstTry: boolean): boolean {
  const { decision } = decided;
  if (!('actions' in decision)) return false;
  return isFirstTry && !decision.actions.some(takesTime) && !isForLater(decided);
}

/** An instance was chosen to drain next while another still moves. */
function isForLater({ assessment, decision }: GroupDecision): boolean {
  if (decision.kind !== 'act' || decision.reason.code !== 'turns-taken') return false;
  const { ending, beginning } = decision.reason;
  const { draining, goodbyes } = assessment.group.watch;
  return ending.length + beginning.length === 0 && draining.some((arn) => !goodbyes.includes(arn));
}

/** When a wait will be over by itself, if it has a date. */
function secondsToEnd(decided: GroupDecision): number {
  const { assessment, decision } = decided;
  if (decision.kind !== 'wait') return Number.POSITIVE_INFINITY;
  const { reason } = decision;
  if (reason.code === 'hook-holds')
    return ASK_AGAIN_SECONDS - secondsBetween(reason.askedAt, assessment.observation.now) + SHOWN_SECONDS;
  if (reason.code === 'approval-awaited')
    return secondsBetween(assessment.observation.now, reason.until) + SHOWN_SECONDS;
  if (reason.code === 'on-trial') return secondsToProof(reason, assessment.observation);
  const isSettling = reason.code === 'services-settling' && assessment.group.watch.servedSince !== undefined;
  return isSettling ? secondsToSteadiness(decided) : Number.POSITIVE_INFINITY;
}

/** Replacements without tasks take longer, and so do those that aren't ready when their time is up. */
function secondsToProof({ seconds, since, isIdle }: HoldUp<'on-trial'>, { now }: Observation): number {
  const left = seconds - secondsBetween(since, now) + SHOWN_SECONDS;
  return isIdle || left <= 0 ? Number.POSITIVE_INFINITY : left;
}

/** When services will have been steady for long enough, if they stay so; 0 if they aren't. */
function secondsToSteadiness({ assessment }: GroupDecision): number {
  const { group, settings, observation } = assessment;
  const { servedSince } = group.watch;
  return servedSince === undefined
    ? 0
    : settings.stableSeconds - secondsBetween(servedSince, observation.now);
}
