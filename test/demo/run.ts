import { GROUP_TAGS } from '../../lambda/contract.ts';
import { TABLE } from '../../lambda/settings/table.ts';
import { type Invocation, invokeFunction, type Outcome } from '../bundle/invoke.ts';
import { killAfterCalls, killHalfway, killTurningBack } from './kill.ts';
import { expectedEnding, type RollOptions } from './options.ts';
import type { Ending, Phase, Progress } from './progress.ts';
import { type Report, reportOf } from './report.ts';
import { CLUSTER } from './settings.ts';
import { BUNDLE_FILE, FLAWS, openStage, type Stage } from './stage.ts';
import { readLogLine, type Told } from './told.ts';
import { groupsOf, judge, type Verdict } from './verdict.ts';

/** The deployment's second rule invokes the function as often. */
const CONTINUE_SECONDS = 300;

/** A roll that is under way. */
export interface Roll {
  /** How it stands since the latest event. */
  progress(): Progress;
  /** The same for a display, where time passes between events too. */
  shown(): Progress;
  /** Calls the listener before time moves on from anything that has happened. */
  watch(listener: () => void): void;
  /** Rejects with `signal.reason` when it was stopped. */
  readonly report: Promise<Report>;
}

interface Rolling {
  readonly options: RollOptions;
  readonly stage: Stage;
  readonly signal: AbortSignal;
  readonly startedAtMs: number;
  readonly oldIds: readonly string[];
  readonly told: Told[];
  phase: Phase;
  reason: string | undefined;
  invocation: Invocation | undefined;
  invocations: number;
  kills: number;
}

/**
 * Rolls a simulated cluster by the built bundle, invoked over and over as the deployment does, and killed on
 * the way.
 *
 * @param signal stops it, and whatever it has started
 * @throws Error when the bundle was not built
 */
export async function startRoll(options: RollOptions, signal: AbortSignal): Promise<Roll> {
  const { killAt, instances, badImage } = options;
  const kill = () => rolling.invocation?.kill();
  const listeners: (() => void)[] = [];
  const stage = await openStage(options, killAfterCalls(killAt, kill), () => {
    for (const heard of listeners) heard();
  });
  if (killAt.kind === 'half') {
    if (badImage === undefined) killHalfway(stage.world, instances, kill);
    else killTurningBack(stage.world, stage.scenario.group, kill);
  }
  const rolling: Rolling = {
    options,
    stage,
    signal,
    startedAtMs: stage.clock.now(),
    oldIds: [...stage.scenario.group.members.keys()],
    told: [],
    phase: { kind: 'invoked', number: 1, action: 'roll' },
    reason: undefined,
    invocation: undefined,
    invocations: 0,
    kills: 0,
  };
  signal.addEventListener('abort', kill, { once: true });
  const report = rollToTheEnd(rolling).finally(() => {
    stage.clock.end();
    return stage.endpoint.close();
  });
  return {
    progress: () => progressOf(rolling, stage.clock.now()),
    shown: () => progressOf(rolling, stage.clock.shown()),
    watch: (heard) => {
      listeners.push(heard);
    },
    report,
  };
}

async function rollToTheEnd(rolling: Rolling): Promise<Report> {
  const { stage, options } = rolling;
  // 250 instances one by one take some 40 invocations of 14 minutes.
  const most = 10 + options.instances;
  let action: 'roll' | 'continue' = 'roll';
  let over: Extract<Verdict, { kind: 'over' }> | undefined;
  while (over === undefined && rolling.invocations < most) {
    const callsBefore = stage.account.calls.log.length;
    const outcome = await invoke(rolling, action);
    const verdict = judge(action, outcome, stage.account.calls.log.length - callsBefore);
    if (verdict.kind === 'over') over = verdict;
    else {
      action = verdict.action;
      await untilNext(rolling, verdict.ending, action);
    }
  }
  rolling.phase = {
    kind: 'over',
    ending: over?.ending,
    isExpected: over?.ending === expectedEnding(options),
  };
  if (over !== undefined) stage.invariants.checkFinished();
  const { invocations, kills } = rolling;
  const reason = over?.reason ?? 'it came to no end';
  return reportOf(stage, {
    ending: over?.ending ?? null,
    reason,
    invocations,
    kills,
    simulatedSeconds: elapsed(rolling),
  });
}

async function invoke(rolling: Rolling, action: string): Promise<Outcome> {
  const { stage, signal, options } = rolling;
  const number = ++rolling.invocations;
  rolling.phase = { kind: 'invoked', number, action };
  tell(rolling, 'invoked', `invoked with { "action": "${action}" }`);
  rolling.invocation = invokeFunction({
    bundle: BUNDLE_FILE,
    endpoint: stage.endpoint.url,
    environment: {
      [TABLE.clusters.variable]: CLUSTER,
      [TABLE.maxSurge.variable]: options.surge,
      [TABLE.drainConcurrency.variable]: String(options.drainConcurrency),
      [TABLE.canary.variable]: String(options.canary),
    },
    event: { action },
    time: stage.clock,
    onLine: (line) => hear(rolling, line),
  });
  const outcome = await rolling.invocation.outcome;
  // Its end tells nothing then: the terminal's signal may have reached it as well.
  signal.throwIfAborted();
  rolling.reason = undefined;
  if ('killed' in outcome) rolling.kills += 1;
  else if (outcome.ok) stage.invariants.invocationEnded(groupsOf(outcome));
  const { kind, text } = endingOf(outcome);
  tell(rolling, kind, text);
  return outcome;
}

function hear(rolling: Rolling, line: string): void {
  const read = readLogLine(line);
  if (read === undefined) return;
  if (read.kind === 'reason' || read.kind === 'intent') rolling.reason = read.text;
  if (read.kind !== 'intent') tell(rolling, read.kind, read.text);
}

function endingOf(outcome: Outcome): Pick<Told, 'kind' | 'text'> {
  if ('killed' in outcome) return { kind: 'killed', text: 'killed by SIGKILL' };
  if (!outcome.ok) return { kind: 'trouble', text: `${outcome.error.name}: ${outcome.error.message}` };
  const groups = groupsOf(outcome).map(({ group, state, reason }) => `${group} is ${state}: ${reason}`);
  return { kind: 'ended', text: groups.length > 0 ? groups.join('; ') : 'nothing had begun' };
}

function tell(rolling: Rolling, kind: Told['kind'], text: string): void {
  rolling.told.push({ atSeconds: elapsed(rolling), number: rolling.invocations, kind, text });
}

/** The rule's next time. Those that fell into the last invocation went by, as only one may run at a time. */
async function untilNext(rolling: Rolling, ending: Ending, action: string): Promise<void> {
  const now = elapsed(rolling);
  const atSeconds = (Math.floor(now / CONTINUE_SECONDS) + 1) * CONTINUE_SECONDS;
  rolling.phase = { kind: 'between', number: rolling.invocations, ending, next: { action, atSeconds } };
  const { stage, signal } = rolling;
  await Promise.race([stage.clock.sleep(atSeconds - now), aborted(signal)]);
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Simulated seconds since it began. */
function elapsed({ startedAtMs, stage }: Rolling): number {
  return (stage.clock.now() - startedAtMs) / 1000;
}

function progressOf(rolling: Rolling, nowMs: number): Progress {
  const { stage, options, oldIds, phase, reason, told } = rolling;
  const { scenario, world, invariants, account } = stage;
  const { badImage } = options;
  const { services } = invariants.metrics();
  return {
    elapsedSeconds: (nowMs - rolling.startedAtMs) / 1000,
    speed: options.speed,
    cluster: scenario.cluster.name,
    newImage: scenario.newImage,
    flaw: badImage && FLAWS[badImage].what,
    oldIds,
    snapshot: world.snapshot(),
    lowestPercent: Object.fromEntries(services.map(({ name, minHealthyPercentSeen: p }) => [name, p])),
    calls: account.calls.log.length,
    phase,
    reason,
    told,
    course: courseOf(stage.scenario.group),
  };
}

/** As the group's tags record it. */
function courseOf({ tags }: Stage['scenario']['group']): Progress['course'] {
  const [course, canary] = [tags.get(GROUP_TAGS.course), tags.get(GROUP_TAGS.canary)];
  if (course?.value.startsWith('rollback')) return 'back';
  return canary === undefined || canary.value.startsWith('passed') ? 'forward' : 'trial';
}
