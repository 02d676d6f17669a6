import type { Decision } from '../actions/decision.ts';
import { driftedIn } from '../group/assess.ts';
import type { GroupDecision } from '../group-decision.ts';
import type { Group, Instance } from '../model/group.ts';
import type { Request } from '../model/request.ts';
import type { Roll } from '../model/roll.ts';
import type { RollEvent } from '../model/roll-event.ts';
import { type Milestone, NOTHING_TOLD, type Stop, type Told } from '../model/told.ts';
import { rollEvent, type Subject } from './roll-event.ts';

/** What is to be told of a group, and what its tag says then. */
export interface Due {
  readonly events: readonly RollEvent[];
  /** Absent if no tag is to be written: nothing has changed, or the roll is over and takes its tags along. */
  readonly told?: Told;
}

type DueStep = (subject: Subject & { readonly roll: Roll }, told: Told) => Due;

/** In the order in which they are told. */
const STEPS: readonly DueStep[] = [begun, trial, batch, course, stop, ending];

/**
 * What has become of a group's roll, as the observation and the decision show it, that nobody was told yet.
 * Published first and noted then, each event comes at least once, however often an invocation is killed; its
 * id is the same each time.
 *
 * A group that is blocked before its roll begins keeps no note: it is told at each look for a new image.
 *
 * @param marked members that were seen marked, even if they are gone since
 */
export function dueEvents(decided: GroupDecision, request: Request, marked: readonly Instance[]): Due {
  const { group } = decided.assessment;
  if (group.notOurs !== undefined) return { events: [] };
  const { roll, told: before = NOTHING_TOLD } = group;
  if (roll === undefined) return beforeRoll(decided, request);
  const from = before.from.length > 0 ? before.from : outdatedImages(decided);
  const subject = { decided, marked, from, roll };
  let told: Told = { ...before, from };
  const events: RollEvent[] = [];
  for (const step of roll.onlyAnnounced ? [ending] : STEPS) {
    const due = step(subject, told);
    events.push(...due.events);
    told = due.told ?? told;
  }
  const isOver = decided.decision.kind === 'finish';
  return { events, ...(!isOver && JSON.stringify(told) !== JSON.stringify(before) && { told }) };
}

function beforeRoll(decided: GroupDecision, { begin }: Request): Due {
  const { decision, assessment } = decided;
  const { notice, closed, told = NOTHING_TOLD } = assessment.group;
  const subject = { decided, marked: [], from: outdatedImages(decided) };
  // Whatever keeps it from beginning now, such as a window that isn't open yet.
  if (notice !== undefined) return once(subject, told, 'announced', [notice.givenAt.toISOString()]);
  // Schedules look every few minutes where windows are, and nothing would begin now.
  if (!begin || decision.kind !== 'blocked' || closed !== undefined) return { events: [] };
  const { images } = rollEvent(subject, 'blocked');
  return { events: [rollEvent(subject, 'blocked', [decision.reason.code, ...images.to])] };
}

/** Those of the members to be replaced, each once. */
function outdatedImages({ assessment }: GroupDecision): string[] {
  return [...new Set(driftedIn(assessment).map(({ instance }) => instance.imageId))].sort();
}

function once(subject: Subject, told: Told, milestone: Milestone, distinct: readonly string[] = []): Due {
  if (told.milestones.includes(milestone)) return { events: [] };
  return {
    events: [rollEvent(subject, milestone, distinct)],
    told: { ...told, milestones: [...told.milestones, milestone] },
  };
}

function begun(subject: Subject, told: Told): Due {
  return once(subject, told, 'begun');
}

function trial(subject: Subject & { readonly roll: Roll }, told: Told): Due {
  return subject.roll.canary.kind === 'passed' ? once(subject, told, 'trial-passed') : { events: [] };
}

/** A batch is in hand from when a member is first seen marked until no marked one is left. */
function batch(subject: Subject & { readonly roll: Roll }, told: Told): Due {
  const inHand = marksInHand(subject.decided.assessment.group);
  const { batchSince, ...others } = told;
  if (batchSince === undefined) {
    const [first] = inHand.sort((a, b) => a.getTime() - b.getTime());
    return { events: [], ...(first && { told: { ...told, batchSince: first } }) };
  }
  if (inHand.length > 0) return { events: [] };
  const isForward = subject.roll.course.kind === 'forward';
  return {
    events: isForward ? [rollEvent(subject, 'batch-done', [batchSince.toISOString()])] : [],
    told: others,
  };
}

/** When they were marked; one whose drain was given up isn't waited for. */
function marksInHand({ instances }: Group): Date[] {
  return instances.flatMap(({ alive, mark }) =>
    alive && mark !== undefined && mark.drainGivenUpAt === undefined ? [mark.detachStartedAt] : [],
  );
}

function course(subject: Subject & { readonly roll: Roll }, told: Told): Due {
  switch (subject.roll.course.kind) {
    case 'forward':
      return { events: [] };
    case 'abort':
      return once(subject, told, 'aborting');
    case 'rollback':
      return once(subject, told, 'rolling-back');
  }
}

function stop(subject: Subject, told: Told): Due {
  const { decision, assessment } = subject.decided;
  const found = stopOf(decision);
  if (found === undefined)
    return told.stop !== undefined && goesOn(assessment.group, decision, told.stop)
      ? turn(subject, told, undefined)
      : { events: [] };
  const isTold = told.stop?.kind === found.kind && told.stop.code === found.code;
  return isTold ? { events: [] } : turn(subject, told, found);
}

function turn(subject: Subject, { stop: _, ...told }: Told, found: Stop | undefined): Due {
  const turns = told.turns + 1;
  const distinct = [...(found === undefined ? [] : [found.code]), String(turns)];
  return {
    events: [rollEvent(subject, found?.kind ?? 'continued', distinct)],
    told: { ...told, turns, ...(found && { stop: found }) },
  };
}

function stopOf({ kind, reason: { code } }: Decision): Stop | undefined {
  if (kind === 'paused' || code === 'hook-holds' || code === 'approval-awaited')
    return { kind: 'held', code };
  return kind === 'blocked' ? { kind, code } : undefined;
}

/** Not while it only finishes what is in hand, nor by another try of what AWS has refused. */
function goesOn(group: Group, { kind, reason }: Decision, { code }: Stop): boolean {
  if (reason.code === 'hook-asked' || reason.code === 'question-answered') return false;
  if (group.pausedSince !== undefined || group.closed !== undefined) return false;
  const isRefused = code === 'launch-spec-refused' || code === 'call-refused';
  return kind === 'wait' || kind === 'finish' || (kind === 'act' && !isRefused);
}

/** Not noted, as a tag that is written now might outlast the roll; its id tells that it came before. */
function ending(subject: Subject): Due {
  const { decision } = subject.decided;
  return { events: decision.kind === 'finish' ? [rollEvent(subject, decision.ending)] : [] };
}
