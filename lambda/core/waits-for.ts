import type { Action, ActionKind } from './actions/decision.ts';
import { isLosable } from './group/steadiness.ts';
import type { GroupDecision } from './group-decision.ts';
import type { GroupAssessment } from './model/assessment.ts';
import type { Service, Task } from './model/cluster.ts';
import type { Observation } from './model/observation.ts';
import { instanceIdsOf } from './model/registrations.ts';
import { serviceIn } from './model/task-group.ts';
import type { WaitsFor } from './model/waits-for.ts';
import type { Fault } from './reasons/faults.ts';
import type { HoldUp } from './reasons/hold-ups.ts';
import type { Step } from './reasons/steps.ts';

const NOTHING: WaitsFor = { tasks: [], services: [], registrations: 0, group: false };
const GROUP_ALONE: WaitsFor = { ...NOTHING, group: true };

/** So many services are described in two calls. */
const MOST_SERVICES = 20;

/** @returns undefined if only a whole look can tell */
export function waitsFor({ assessment, decision }: GroupDecision): WaitsFor | undefined {
  if (decision.kind !== 'wait') return undefined;
  const { reason } = decision;
  const { observation } = assessment;
  switch (reason.code) {
    case 'draining':
      return reason.faults.every(isOfMove) ? { ...NOTHING, ...moved(reason, assessment) } : undefined;
    case 'services-settling':
      return { ...NOTHING, services: few(observation.details?.services) };
    case 'replacements-not-ready':
      return reason.faults.every(isOnItsWay) ? comingOf(reason.faults, observation) : undefined;
    case 'on-trial':
      return reason.faults.length === 0 ? GROUP_ALONE : undefined;
    case 'approval-awaited':
    case 'hook-holds':
    case 'other-groups-first':
      return GROUP_ALONE;
    default:
      return undefined;
  }
}

/**
 * What has to come of actions before a look shows anything new but their own effect; undefined if only a
 * whole look can tell.
 */
export function begunBy({ assessment, decision }: GroupDecision): WaitsFor | undefined {
  if (decision.kind !== 'act') return undefined;
  const { reason, actions } = decision;
  if (reason.code === 'turns-taken') return movedBy(reason, actions, assessment);
  const detaching = actions.at(-1);
  if (detaching?.kind !== 'detach-instances' || detaching.decrement) return undefined;
  return { ...NOTHING, registrations: detaching.instanceIds.length };
}

/** Tasks that move off instances that drain, if no other can begin to drain before some have. */
function movedBy(
  { ending, beginning, chosen }: Step<'turns-taken'>,
  actions: readonly Action[],
  assessment: GroupAssessment,
): WaitsFor | undefined {
  const { group, observation, settings } = assessment;
  const { containerInstances, details: { tasksInTurn = [] } = {} } = observation;
  if (!actions.every(({ kind }) => MOVING.has(kind)) || (ending.length > 0 && beginning.length === 0))
    return undefined;
  const moving = actions.flatMap((action) => (action.kind === 'drain' ? action.containerInstances : []));
  const hosts = [...moving, ...containerInstances.filter(({ status }) => status === 'DRAINING')].filter(
    ({ instanceId }) => !ending.includes(instanceId),
  );
  const busy = hosts.filter(({ arn }) => !group.watch.goodbyes.includes(arn));
  const isFull =
    settings.drainConcurrency !== 'auto' && instanceIdsOf(busy).length >= settings.drainConcurrency;
  if (chosen.length > 0 && !isFull) return undefined;
  const tasks = [...tasksLeft(observation), ...losable(tasksInTurn, observation)].filter((task) =>
    hosts.some(({ arn }) => arn === task.containerInstanceArn),
  );
  const isRead = moving.every(({ arn }) =>
    tasks.some(({ containerInstanceArn }) => containerInstanceArn === arn),
  );
  const stops =
    settings.standaloneTasks === 'stop' && tasks.some(({ group }) => serviceIn(group) === undefined);
  return isRead && tasks.length > 0 && !stops ? { ...NOTHING, tasks } : undefined;
}

/** What drains instances one after the other; anything else concerns more than their tasks. */
const MOVING: ReadonlySet<ActionKind> = new Set<ActionKind>([
  'mark-instances',
  'drain',
  'deregister',
  'terminate',
]);

/**
 * Services matter once all tasks left are stopping, before which others still have to replace them, and until
 * others serve in their place.
 */
function moved(
  { faults }: HoldUp<'draining'>,
  { group: { watch }, observation }: GroupAssessment,
): Partial<WaitsFor> {
  const { services = [] } = observation.details ?? {};
  const tasks = tasksLeft(observation);
  const moving = tasks.filter(({ containerInstanceArn: arn }) => !watch.goodbyes.includes(arn));
  const areServed = watch.servedSince !== undefined;
  if (moving.length > 0 && (areServed || moving.some(({ stopping }) => !stopping))) return { tasks };
  const named = new Set([
    ...faults.flatMap((fault) => ('service' in fault ? [fault.service] : [])),
    ...moving.map(({ group }) => serviceIn(group) ?? group),
  ]);
  return { tasks, services: few(services.filter(({ name }) => named.has(name))) };
}

function tasksLeft(observation: Observation): readonly Task[] {
  return losable(observation.details?.tasks ?? [], observation);
}

function losable(tasks: readonly Task[], observation: Observation): readonly Task[] {
  return tasks.filter((task) => isLosable(task, observation));
}

/** An agent registers after its instance has started: Auto Scaling matters only for those it holds. */
function comingOf(faults: readonly Fault[], { containerInstances }: Observation): WaitsFor {
  const isRegistered = (fault: Fault) =>
    fault.kind === 'member-not-in-service' &&
    containerInstances.some(({ instanceId }) => instanceId === fault.instanceId);
  const lacking = faults.filter((fault) => !isRegistered(fault));
  const registrations = lacking.map(lackingIn).reduce((a, b) => a + b, 0);
  return { ...NOTHING, registrations, group: registrations === 0 };
}

function few(services: readonly Service[] = []): readonly Service[] {
  return services.slice(0, MOST_SERVICES);
}

function isOfMove({ kind }: Fault): boolean {
  return kind === 'tasks-left' || kind === 'service-short' || kind === 'service-pending';
}

function isOnItsWay({ kind }: Fault): boolean {
  return kind === 'members-lacking' || kind === 'member-not-in-service' || kind === 'member-unregistered';
}

function lackingIn(fault: Fault): number {
  return fault.kind === 'members-lacking' ? fault.desired - fault.launched : 1;
}
