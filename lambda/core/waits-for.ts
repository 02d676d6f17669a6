import { isDaemonTask } from './group/steadiness.ts';
import type { GroupDecision } from './group-decision.ts';
import type { Service } from './model/cluster.ts';
import type { Fault } from './model/fault.ts';
import type { HoldUp } from './model/hold-up.ts';
import type { Observation } from './model/observation.ts';
import type { WaitsFor } from './model/waits-for.ts';

const GROUP_ALONE: WaitsFor = { tasks: [], services: [], registrations: 0 };

/** So many services are described in two calls. */
const MOST_SERVICES = 20;

/** @returns undefined if only a whole look can tell */
export function waitsFor({ assessment, decision }: GroupDecision): WaitsFor | undefined {
  if (decision.kind !== 'wait') return undefined;
  const { reason } = decision;
  const { observation } = assessment;
  switch (reason.code) {
    case 'draining':
      return reason.faults.every(isOfMove) ? { ...GROUP_ALONE, ...moved(reason, observation) } : undefined;
    case 'services-settling':
      return { ...GROUP_ALONE, services: few(observation.details?.services) };
    case 'replacements-not-ready':
      return reason.faults.every(isOnItsWay)
        ? { ...GROUP_ALONE, registrations: reason.faults.map(lackingIn).reduce((a, b) => a + b, 0) }
        : undefined;
    case 'on-trial':
      return reason.faults.length === 0 ? GROUP_ALONE : undefined;
    case 'other-groups-first':
      return GROUP_ALONE;
    default:
      return undefined;
  }
}

/** Services matter once all tasks left are stopping: before that, others still have to replace them. */
function moved({ faults }: HoldUp<'draining'>, observation: Observation) {
  const { tasks: all = [], services = [] } = observation.details ?? {};
  // ECS stops daemons last, and nobody waits for them.
  const tasks = all.filter((task) => !isDaemonTask(task, observation));
  if (tasks.some(({ stopping }) => !stopping)) return { tasks };
  const named = new Set([
    ...faults.flatMap((fault) => ('service' in fault ? [fault.service] : [])),
    ...tasks.map(({ group }) => group.replace(/^service:/, '')),
  ]);
  return { tasks, services: few(services.filter(({ name }) => named.has(name))) };
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
