import { perform, timesTried } from './act/perform.ts';
import { failureToTell, tell } from './act/publish-events.ts';
import type { Target } from './act/target.ts';
import { describeCurrentTerminations } from './aws/autoscaling-activities.ts';
import { explain, tryRead } from './aws/errors.ts';
import { refusalCode } from './aws/refused.ts';
import { hasSimplePolicy } from './aws/scaling-policies.ts';
import type { Decision } from './core/actions/decision.ts';
import { decide } from './core/decide.ts';
import { instancesInRoll } from './core/events/roll-event.ts';
import { followUps } from './core/follow-up.ts';
import type { GroupDecision } from './core/group-decision.ts';
import type { ClusterAssessment } from './core/model/assessment.ts';
import type { Group, Ordered } from './core/model/group.ts';
import type { Observation } from './core/model/observation.ts';
import type { Request } from './core/model/request.ts';
import { plan, timeLeft } from './core/plan/plan.ts';
import { describeWarning, type Warning } from './core/reasons/warnings.ts';
import { type GroupResult, resultOf } from './core/result.ts';
import { changesOf } from './core/sizes/temporary-changes.ts';
import { describeDecision } from './core/text/decision.ts';
import {
  drainedBy,
  endingNow,
  isDrainedByUs,
  isEnding,
  minutesToDrain,
} from './core/text/endings-outside-rolls.ts';
import { describeUntold } from './core/text/events.ts';
import type { Command } from './event.ts';
import { findGroupsToRoll } from './groups-to-roll.ts';
import { type Invocation, MARGIN_SECONDS } from './invocation.ts';
import type { Begun } from './look/discover.ts';
import { hooksOf } from './look/group-details.ts';
import { longestLeave } from './look/longest-leave.ts';
import type { Scope } from './look/look.ts';
import { type Memory, newMemory } from './look/memory.ts';
import { type Looked, observe } from './look/observe.ts';
import { isOrder, isOrderDone } from './orders/order.ts';
import { glance, paceAfter, secondsUntil } from './pace.ts';
import {
  close,
  distrust,
  fail,
  inOrder,
  type Progress,
  reportUnheard,
  say,
  settle,
  untrustedIn,
} from './progress.ts';

/**
 * Carries out a command: looks, decides and acts, again and again, until nothing is left to do or time is up.
 * It may be killed at any moment: the next invocation continues from what it finds.
 *
 * @param begun what has begun already: see `findBegun`
 * @returns a result for every group, whatever its outcome
 */
export async function rollOut(
  invocation: Invocation,
  command: Command,
  begun: Begun,
): Promise<GroupResult[]> {
  const now = invocation.clock.now();
  const progress: Progress = {
    ...invocation,
    command,
    request: requestOf(command, now),
    memory: newMemory(invocation.aws, now, command.force ? now : undefined),
    open: new Map(),
    paces: new Map(),
    results: new Map(),
    lastSaid: new Map(),
    distrusted: new Map(),
    heardIn: new Set(),
    recordedOn: new Map(command.clusters.map((cluster) => [cluster, new Set()])),
  };
  await findGroupsToRoll(progress, begun);
  do {
    for (const scope of progress.open.values()) await pass(progress, scope);
  } while (changesAws(command) && progress.open.size > 0 && (await pause(progress)));
  reportUnheard(progress);
  return inOrder([...progress.results.values()]);
}

function requestOf(command: Command, now: Date): Request {
  const { action, asked, answers } = command;
  const begin = action === 'roll' || action === 'plan' || action === 'status';
  const retries = asked && (action === 'roll' || action === 'resume');
  return {
    begin,
    asked: asked && (action === 'roll' || action === 'plan'),
    ...(!changesAws(command) && { looks: true }),
    ...(isOrder(action) && { order: action, orderedAt: now }),
    ...(answers && { answers }),
    ...(retries && { retryBefore: now }),
  };
}

/** Whether a command is more than a look. */
export function changesAws({ action }: Command): boolean {
  return action !== 'plan' && action !== 'status';
}

/** Sleeps until the next look, unless the time left wouldn't be enough for it. */
async function pause({ clock, remainingSeconds, open, paces }: Progress): Promise<boolean> {
  const next = [...open.keys()].flatMap((cluster) => paces.get(cluster) ?? []);
  const seconds = secondsUntil(next, clock.now());
  if (remainingSeconds() - seconds < MARGIN_SECONDS) return false;
  await clock.sleep(seconds);
  return true;
}

/** A look at a cluster, if it is time for one: a glance, if that is enough. */
async function pass(progress: Progress, scope: Scope): Promise<void> {
  const { aws, settings, clock, paces } = progress;
  const { cluster } = scope;
  const pace = paces.get(cluster);
  if (pace !== undefined && clock.now() < pace.at) return;
  const next = pace && (await glance(aws, pace, clock.now(), settings.pollSeconds));
  if (next !== undefined) paces.set(cluster, next);
  else await lookAt(progress, scope);
}

/** One whole look at a cluster, and what follows from it for each of its groups. */
async function lookAt(progress: Progress, scope: Scope): Promise<void> {
  const { aws, settings, memory, clock, paces } = progress;
  const { cluster } = scope;
  const request = { ...progress.request, recordedOn: progress.recordedOn.get(cluster) };
  let looked: Looked;
  try {
    const permit = await progress.sequence?.permit();
    const look = { scope, settings, now: clock.now(), ...(permit && { permit }) };
    looked = await observe(aws, look, memory);
  } catch (error) {
    for (const group of scope.groups) fail(progress, cluster, group, error);
    return;
  }
  for (const [group, error] of looked.faults) fail(progress, cluster, group, error);
  const decided = await carryOutAll(progress, looked.assessed, request);
  progress.sequence?.heard(decided);
  const open = progress.open.get(cluster)?.groups ?? [];
  const times = (group: Group) => timesTried(memory, targetOf(group, cluster));
  paces.set(
    cluster,
    paceAfter(looked, decided, { now: clock.now(), pollSeconds: settings.pollSeconds, open, times }),
  );
}

/** @returns what was decided last about each group */
async function carryOutAll(
  progress: Progress,
  assessed: ClusterAssessment,
  request: Request,
): Promise<readonly GroupDecision[]> {
  const last = new Map<string, GroupDecision>();
  let decided = decide(assessed, request);
  // What follows in this look rests on what was foreseen; only what was seen is told.
  for (const each of decided) await tellOf(progress, each);
  while (decided.length > 0) {
    const done: GroupDecision[] = [];
    for (const each of decided) {
      last.set(each.assessment.group.name, each);
      if (await carryOut(progress, each)) done.push(each);
    }
    decided = followUps(assessed, [...last.values()], done, request);
  }
  return [...last.values()];
}

/**
 * Carries out the decision about one group. If it fails, the other groups go on.
 *
 * @returns whether all its actions were carried out
 */
async function carryOut(progress: Progress, decided: GroupDecision): Promise<boolean> {
  const { assessment, decision } = decided;
  const { group, observation } = assessment;
  const { cluster } = observation;
  const result = await withAhead(progress, decided);
  distrust(progress, cluster, group.name, untrustedIn(decided));
  if (isOfCluster(group)) progress.heardIn.add(cluster);
  say(progress, cluster, decided);
  settle(progress, result);
  noteOrder(progress, observation, group);
  if (isAtRest(decision)) close(progress, cluster, group.name);
  if (!('actions' in decision) || !changesAws(progress.command)) return false;
  try {
    const done = await perform(progress, progress.memory, targetOf(group, cluster), decision.actions);
    if (done) noteOrder(progress, observation, group, decision);
    if (!done || decision.kind !== 'finish') return done;
    settle(progress, { ...result, state: decision.ending });
    close(progress, cluster, group.name);
    return true;
  } catch (error) {
    const code = refusalCode(error);
    if (code === undefined) {
      fail(progress, cluster, group.name, error);
      return false;
    }
    const refused = { code, says: explain(error) } as const;
    const blocked = { kind: 'blocked', reason: refused, meanwhile: changesOf(group) } as const;
    await tellOf(progress, { ...decided, decision: blocked });
    const reason = describeDecision(blocked);
    settle(progress, { ...result, state: 'blocked', code: refused.code, reason });
    close(progress, cluster, group.name);
    return false;
  }
}

/** Adds what only a person who looks is told: what is ahead, and who drains what ends outside a roll. */
async function withAhead(progress: Progress, decided: GroupDecision): Promise<GroupResult> {
  const { aws, command, memory, clock, request } = progress;
  const result = withFailureToTell(memory, resultOf(decided));
  if (changesAws(command)) return result;
  const { group, observation } = decided.assessment;
  const { name, members } = group;
  const hooks = await hooksOf(aws, name, memory);
  const ids = members.filter(isEnding).map(({ instanceId }) => instanceId);
  const now = clock.now();
  const read = await tryRead(describeCurrentTerminations(aws, name, ids, now));
  const ending = endingNow(members, hooks, read.kind === 'read' ? read.answer : new Map(), now);
  const waits = isDrainedByUs(hooks) && (await hasSimplePolicy(aws, name));
  const { cluster } = observation;
  const warnings = [
    ...(result.warnings ?? []),
    ...(waits ? [describeWarning({ code: 'simple-policy-waits' })] : []),
    ...(await warnOfShortTime(progress, group, cluster, minutesToDrain(hooks))).map(describeWarning),
  ];
  return {
    ...result,
    ...(command.action === 'plan' ? plan : timeLeft)(decided.assessment, request),
    ...instancesInRoll(decided),
    ...(group.notice && { announcedFor: group.notice.until.toISOString() }),
    endsDrainedBy: drainedBy(hooks),
    ...(ending.length > 0 && { ending }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** What can't be read is no reason to warn. */
async function warnOfShortTime(
  { aws, memory }: Progress,
  { trafficSources }: Group,
  cluster: string,
  minutes: number | undefined,
): Promise<Warning[]> {
  if (minutes === undefined) return [];
  const read = await tryRead(longestLeave(aws, memory, cluster, trafficSources));
  if (read.kind === 'unread' || read.answer === undefined || read.answer.seconds <= minutes * 60) return [];
  return [{ code: 'termination-time-short', minutes, ...read.answer }];
}

async function tellOf(progress: Progress, decided: GroupDecision): Promise<void> {
  const { command, memory, request } = progress;
  const { group, observation } = decided.assessment;
  if (!changesAws(command)) return;
  await tell(progress, memory, targetOf(group, observation.cluster), decided, request);
}

/** Nobody but the reader of a result learns that events are missing. */
function withFailureToTell(memory: Memory, result: GroupResult): GroupResult {
  const failure = failureToTell(memory, result.group);
  if (failure === undefined) return result;
  return { ...result, warnings: [...(result.warnings ?? []), describeUntold(failure)] };
}

/** If two clusters have an equal claim to a group, either may give it orders. */
function isOfCluster({ notOurs }: Group): boolean {
  return notOurs === undefined || notOurs.kind === 'contested';
}

function targetOf({ name, uuid, roll, notice }: Group, cluster: string): Target {
  return { cluster, group: name, uuid, begun: roll?.startedAt ?? notice?.givenAt };
}

function noteOrder(progress: Progress, observation: Observation, group: Ordered, done?: Decision): void {
  if (isOrderDone(group, progress.request, observation.now, done))
    progress.recordedOn.get(observation.cluster)?.add(group.name);
}

/** This invocation has nothing more to do for the group. */
function isAtRest({ kind }: Decision): boolean {
  return kind !== 'act' && kind !== 'wait' && kind !== 'finish';
}
