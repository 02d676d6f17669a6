import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { CONTINUE_EVENT, GROUP_TAGS } from '../../lambda/contract.ts';
import { TABLE } from '../../lambda/settings/table.ts';
import { deployFunctions, type Exported } from '../bundle/deploy.ts';
import { type Invocation, invokeFunction, type Outcome } from '../bundle/invoke.ts';
import type { LogGroup } from '../simulated-aws/world/logs/log-groups.ts';
import type { Scenario } from '../simulated-aws/world/scenario.ts';
import { killAfterCalls, killHalfway, killTurningBack } from './kill.ts';
import { expectedEnding, type RollOptions } from './options.ts';
import type { Ending, Phase, Progress, RollEnding } from './progress.ts';
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
  /** Of the simulated AWS that it rolls in. */
  readonly endpoint: string;
  /** Rejects with `signal.reason` when it was stopped, unless it is interactive: then that is its end. */
  readonly report: Promise<Report>;
}

interface Rolling {
  readonly options: RollOptions;
  readonly stage: Stage;
  /** A copy of the built function: another build meanwhile takes nothing from it. */
  readonly bundle: string;
  readonly signal: AbortSignal;
  readonly startedAtMs: number;
  /** The members that the roll began with. */
  oldIds: readonly string[];
  readonly told: Told[];
  phase: Phase;
  newImage: Scenario['newImage'];
  reason: string | undefined;
  /** Of the function that rolls, which has one slot. */
  invocation: Invocation | undefined;
  readonly running: Set<Invocation>;
  /** Where both functions log, if they are deployed. */
  log: LogGroup | undefined;
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
    bundle: mkdtempSync(join(tmpdir(), 'ecs-ami-deploy-demo-')),
    signal,
    startedAtMs: stage.clock.now(),
    oldIds: [...stage.scenario.group.members.keys()],
    told: [],
    phase: { kind: 'invoked', number: 1, action: 'roll' },
    newImage: stage.scenario.newImage,
    reason: undefined,
    invocation: undefined,
    running: new Set(),
    log: undefined,
    invocations: 0,
    kills: 0,
  };
  cpSync(dirname(BUNDLE_FILE), rolling.bundle, { recursive: true });
  const killAll = () => {
    for (const each of rolling.running) each.kill();
  };
  signal.addEventListener('abort', killAll, { once: true });
  const ended = options.interactive ? rollUntilStopped(rolling) : rollToTheEnd(rolling);
  const report = ended.finally(() => {
    stage.clock.end();
    rmSync(rolling.bundle, { recursive: true });
    return stage.endpoint.close();
  });
  return {
    progress: () => progressOf(rolling, stage.clock.now()),
    shown: () => progressOf(rolling, stage.clock.shown()),
    watch: (heard) => {
      listeners.push(heard);
    },
    endpoint: stage.endpoint.url,
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
    const outcome = await invoke(rolling, { action });
    const verdict = judge(action, outcome, stage.account.calls.log.length - callsBefore);
    if (verdict.kind === 'over') over = verdict;
    else {
      action = verdict.action;
      rolling.phase = between(rolling, verdict.ending, action);
      await untilNext(rolling);
    }
  }
  rolling.phase = {
    kind: 'over',
    ending: over?.ending,
    isExpected: over?.ending === expectedEnding(options),
  };
  if (over !== undefined) stage.invariants.checkFinished();
  return reportAtEnd(rolling, over?.ending ?? null, over?.reason ?? 'it came to no end');
}

function reportAtEnd(rolling: Rolling, ending: RollEnding | null, reason: string): Report {
  const { stage, invocations, kills } = rolling;
  return reportOf(stage, { ending, reason, invocations, kills, simulatedSeconds: elapsed(rolling) });
}

/** Our functions are deployed, so that the command line has its levers; the rule goes on meanwhile. */
async function rollUntilStopped(rolling: Rolling): Promise<Report> {
  const { stage, options, signal } = rolling;
  const { log, roll } = deployFunctions(stage.world, {
    stack: 'Demo',
    environment: environmentOf(options),
    isBusy: () => rolling.invocation !== undefined,
    run: (exported, event, environment) =>
      exported === 'handler' ? played(rolling, event, environment) : ordered(rolling, event, environment),
  });
  rolling.log = log;
  try {
    for (let event: object = { action: 'roll' }; ; ) {
      if (rolling.invocation === undefined) await played(rolling, event, roll.environment);
      await untilNext(rolling);
      event = stage.scenario.group.tags.has(GROUP_TAGS.startedAt) ? CONTINUE_EVENT : SCHEDULED_EVENT;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    return reportAtEnd(rolling, null, 'you ended it');
  }
}

/** Nobody asks for what the schedule begins, so that it is announced. */
const SCHEDULED_EVENT = { source: 'aws.events', 'detail-type': 'Scheduled Event' };

const ENDINGS: ReadonlySet<string> = new Set(['completed', 'aborted', 'rolled-back']);

/** Brings a newer image, whose roll is announced and asks after its trial: each lever has something to do. */
function bringAnother(rolling: Rolling, environment: Readonly<Record<string, string>>): void {
  const { stage } = rolling;
  const { world, scenario } = stage;
  const topic = `arn:aws:sns:${world.state.region}:${world.state.account}:approvals`;
  world.state.topics.set(topic, { arn: topic, notifications: [], subscribers: [] });
  const settings = { [TABLE.announceMinutes.variable]: '60', [TABLE.onTrialPassed.variable]: topic };
  // As if it were deployed anew.
  Object.assign(environment, settings);
  rolling.newImage = world.release('amazon-linux-2023');
  rolling.oldIds = [...scenario.group.members.keys()];
  tell(
    rolling,
    'ended',
    `next: ${rolling.newImage.id} is announced; try skip, or roll; then approve or refuse`,
  );
}

/** An invocation of the function that rolls, by the rule or by whoever plays. */
async function played(
  rolling: Rolling,
  event: unknown,
  environment: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const { group } = rolling.stage.scenario;
  const { action } = event as { readonly action?: string };
  if (action === 'roll' && !group.tags.has(GROUP_TAGS.startedAt)) rolling.oldIds = [...group.members.keys()];
  const outcome = await invoke(rolling, event, environment);
  const verdict = judge('continue', outcome, 0);
  if (groupsOf(outcome).some(({ state }) => ENDINGS.has(state))) {
    bringAnother(rolling, environment);
    // So that its roll is announced as soon as that is told.
    await invoke(rolling, SCHEDULED_EVENT, environment);
  }
  const ending: Ending =
    verdict.kind === 'again' ? verdict.ending : { kind: 'answered', state: verdict.ending };
  rolling.phase = between(rolling, ending, 'continue');
  return outcome;
}

async function ordered(
  rolling: Rolling,
  event: unknown,
  environment: Readonly<Record<string, string>>,
): Promise<Outcome> {
  tell(rolling, 'invoked', `ordered ${JSON.stringify(event)}`);
  const outcome = await started(rolling, event, environment, 'orders').outcome;
  tell(rolling, endingOf(outcome).kind, endingOf(outcome).text);
  return outcome;
}

function environmentOf(options: RollOptions): Record<string, string> {
  return {
    [TABLE.clusters.variable]: CLUSTER,
    [TABLE.maxSurge.variable]: options.surge,
    [TABLE.drainConcurrency.variable]: String(options.drainConcurrency),
    [TABLE.canary.variable]: String(options.canary),
  };
}

function started(
  rolling: Rolling,
  event: unknown,
  environment: Readonly<Record<string, string>>,
  exported: Exported,
): Invocation {
  const { stage, running } = rolling;
  const invocation = invokeFunction({
    bundle: join(rolling.bundle, basename(BUNDLE_FILE)),
    exported,
    endpoint: stage.endpoint.url,
    environment,
    event,
    time: stage.clock,
    onLine: (line) => hear(rolling, line),
  });
  running.add(invocation);
  void invocation.outcome.then(() => running.delete(invocation));
  return invocation;
}

async function invoke(
  rolling: Rolling,
  event: unknown,
  environment = environmentOf(rolling.options),
): Promise<Outcome> {
  const { stage, signal } = rolling;
  const number = ++rolling.invocations;
  const { action = 'roll' } = event as { readonly action?: string };
  rolling.phase = { kind: 'invoked', number, action };
  tell(rolling, 'invoked', `invoked with { "action": "${action}" }`);
  rolling.invocation = started(rolling, event, environment, 'handler');
  const outcome = await rolling.invocation.outcome;
  rolling.invocation = undefined;
  // Its end tells nothing then: the terminal's signal may have reached it as well.
  signal.throwIfAborted();
  rolling.reason = undefined;
  if ('killed' in outcome) rolling.kills += 1;
  else if (outcome.ok && ROLLS.has(action)) stage.invariants.invocationEnded(groupsOf(outcome));
  const { kind, text } = endingOf(outcome);
  tell(rolling, kind, text);
  return outcome;
}

/** The others only look. */
const ROLLS: ReadonlySet<string> = new Set(['roll', 'continue']);

function hear(rolling: Rolling, line: string): void {
  rolling.log?.events.push({ atMs: rolling.stage.clock.now(), message: line });
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

function between(rolling: Rolling, ending: Ending, action: string): Phase {
  return {
    kind: 'between',
    number: rolling.invocations,
    ending,
    next: { action, atSeconds: nextAt(rolling) },
  };
}

/** The rule's next time. Those that fell into the last invocation went by, as only one may run at a time. */
function nextAt(rolling: Rolling): number {
  return (Math.floor(elapsed(rolling) / CONTINUE_SECONDS) + 1) * CONTINUE_SECONDS;
}

async function untilNext(rolling: Rolling): Promise<void> {
  const { stage, signal } = rolling;
  const over = new AbortController();
  const next = stage.clock.sleep(nextAt(rolling) - elapsed(rolling));
  await Promise.race([next, aborted(signal, over.signal)]).finally(() => over.abort());
}

function aborted(signal: AbortSignal, over: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: over });
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
    newImage: rolling.newImage,
    flaw: rolling.newImage === scenario.newImage ? badImage && FLAWS[badImage].what : undefined,
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
