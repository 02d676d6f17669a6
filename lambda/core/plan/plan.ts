import { describeAction, endedBy, foresee } from '../actions/actions.ts';
import type { Action, Decision } from '../actions/decision.ts';
import type { Foreseen } from '../actions/foreseen.ts';
import { decideGroup } from '../decide.ts';
import { assess } from '../group/assess.ts';
import { feltByOthers } from '../launch-spec/shared-templates.ts';
import type { GroupAssessment } from '../model/assessment.ts';
import type { Forecast } from '../model/forecast.ts';
import type { Group } from '../model/group.ts';
import type { Request } from '../model/request.ts';
import type { Course } from '../model/roll.ts';
import type { Settings } from '../model/settings.ts';
import { sentenceOf } from '../reasons/reason.ts';
import { listIds, subject } from '../reasons/words.ts';
import { describeDecision } from '../text/decision.ts';
import { expectReady } from './expect.ts';
import { type ForecastStretch, forecast, longestGoodbye } from './forecast.ts';

/**
 * A roll of 1,000 instances one by one takes some 3,000 decisions; a plan with more is taken to be endless.
 */
const MOST_DECISIONS = 10_000;

/** What a roll would do. */
export interface Plan {
  readonly steps: readonly string[];
  /** Absent where a roll isn't foreseen to its end. */
  readonly forecast?: Forecast;
}

/**
 * What a roll of the group would do, step by step, if all goes well: the real decisions of a roll, each made
 * on the foreseen result of the one before. The identical endings of a batch are shown as one step.
 */
export function plan(assessment: GroupAssessment, request: Request): Plan {
  const { group, settings } = assessment;
  const course = group.roll?.course;
  if (course !== undefined && course.kind !== 'forward') return { steps: [stepsBack(course)] };
  const steps = feltByOthers(group);
  const stretches: ForecastStretch[] = [];
  const { drainConcurrency, stableSeconds } = settings;
  const before = running(group);
  let ended: string[] = [];
  let isStopped = false;
  for (const { decision, foreseen } of foreseenDecisions(assessment, request)) {
    const actions = actionsOf(decision);
    const others = actions.filter(
      (action) => endedBy(action, foreseen) === undefined && action.kind !== 'record-canary',
    );
    ended.push(...endedIn(decision, foreseen));
    const awaits = awaitsMembers(decision, foreseen);
    isStopped = decision.kind === 'paused' || isUpToOwner(decision);
    if (others.length > 0 || awaits || isStopped) {
      steps.push(...endingStep(ended, drainConcurrency, stableSeconds), ...others.map(describeAction));
      ended = [];
    }
    if (actions.some(beginsTrial)) steps.push(trialStep(foreseen, settings));
    if (isUpToOwner(decision)) steps.push(`stop there: ${describeDecision(decision)}`);
    if (awaits) steps.push(waitStep(membersToCome(foreseen)));
    stretches.push(...stretchesIn(decision, foreseen, running(foreseen.groups[0]) - before));
  }
  const isForeseen = !isStopped && stretches.length > 0;
  return {
    steps,
    ...(isForeseen && {
      forecast: forecast(stretches, settings, longestGoodbye(assessment.observation.details), group.opens),
    }),
  };
}

/** What is left of a roll that is under way, as the plan foresees it. */
export function timeLeft(assessment: GroupAssessment, request: Request): Pick<Plan, 'forecast'> {
  if (!assessment.hasBegun) return {};
  const { forecast } = plan(assessment, request);
  return forecast === undefined ? {} : { forecast };
}

/** It may go on otherwise, but nobody can foresee when. */
function isUpToOwner(decision: Decision): boolean {
  return (
    decision.kind === 'blocked' || (decision.kind === 'wait' && decision.reason.code === 'standby-awaited')
  );
}

function actionsOf(decision: Decision): readonly Action[] {
  return 'actions' in decision ? decision.actions : [];
}

function endedIn(decision: Decision, foreseen: Foreseen): string[] {
  return actionsOf(decision).flatMap((action) => endedBy(action, foreseen) ?? []);
}

function awaitsMembers(decision: Decision, foreseen: Foreseen): boolean {
  return decision.kind === 'wait' && membersToCome(foreseen) > 0;
}

/** What of a decision takes time, with `extra` instances beyond the usual. */
function stretchesIn(decision: Decision, foreseen: Foreseen, extra: number): ForecastStretch[] {
  const instances = endedIn(decision, foreseen).length;
  return [
    ...(instances > 0 ? [{ kind: 'drain', extra, instances } as const] : []),
    ...(actionsOf(decision).some(beginsTrial) ? [{ kind: 'trial', extra } as const] : []),
    ...(awaitsMembers(decision, foreseen) ? [{ kind: 'launch', extra } as const] : []),
  ];
}

/** Members, and instances that have left the group and live on. */
function running({ instances, members }: Group): number {
  const alive = instances.flatMap(({ alive, instanceId }) => (alive ? [instanceId] : []));
  return new Set([...alive, ...members.map(({ instanceId }) => instanceId)]).size;
}

/** How a rollback goes depends on what the replacements do, which nobody can foresee. */
function stepsBack({ kind, because }: Exclude<Course, { kind: 'forward' }>): string {
  const why = sentenceOf(because);
  return kind === 'abort' ? `wind the roll up (${why})` : `roll back (${why})`;
}

/** Assesses again only what has changed. */
function* foreseenDecisions(
  assessment: GroupAssessment,
  request: Request,
): Generator<{ readonly decision: Decision; readonly foreseen: Foreseen }> {
  const { group, observation, settings } = assessment;
  if (group.notOurs !== undefined) return;
  // A plan says what happens once a window is open.
  const open = { ...group, closed: undefined };
  let foreseen: Foreseen = { ...observation, groups: [open] };
  let assessed: GroupAssessment = { ...assessment, group: open, observation: foreseen };
  for (let count = 0; count < MOST_DECISIONS; count++) {
    const decision = decideGroup(assessed, { ...request, looks: true });
    yield { decision, foreseen };
    if (decision.kind === 'act') foreseen = decision.actions.reduce(foresee, foreseen);
    else if (decision.kind === 'wait' && !isUpToOwner(decision)) foreseen = expectReady(foreseen);
    else return;
    assessed = assess(foreseen.groups[0], foreseen, settings);
  }
  throw new Error(`the plan for ${group.name} has no end`);
}

/** The members of a foreseen group that are still to be launched. */
function membersToCome({ groups: [group] }: Foreseen): number {
  return group.members.filter(({ lifecycleState }) => lifecycleState === 'Pending').length;
}

function beginsTrial(action: Action): boolean {
  return action.kind === 'record-canary' && action.canary.kind === 'baking';
}

function waitStep(count: number): string {
  const members = count === 1 ? '1 new member is' : `${count} new members are`;
  return `wait until ${members} InService, ACTIVE in ECS and connected`;
}

/** It is in the middle of an ending, which is shown as one step after it. */
function trialStep({ groups: [group] }: Foreseen, { bakeSeconds }: Settings): string {
  const drained = group.instances.filter(({ alive, mark }) => alive && mark?.drainStartedAt !== undefined);
  const old =
    drained.length === 0
      ? ''
      : `when ${subject(
          drained.map(({ instanceId }) => instanceId),
          'is',
          'are',
        )} drained, `;
  return `${old}try the first batch out for ${bakeSeconds} s, and begin the next only then`;
}

function endingStep(
  instanceIds: readonly string[],
  drainConcurrency: Settings['drainConcurrency'],
  stableSeconds: number,
): string[] {
  if (instanceIds.length === 0) return [];
  const atOnce =
    drainConcurrency === 'auto' && instanceIds.length > 1
      ? 'as many at a time as their services and the free capacity allow'
      : `${drainConcurrency === 'auto' ? 1 : drainConcurrency} at a time`;
  return [
    `drain, deregister and terminate ${listIds(instanceIds)}, ${atOnce}, ` +
      `each when it is empty and the services have been steady for ${stableSeconds} s`,
  ];
}
