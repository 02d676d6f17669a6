import type { Decision } from '../actions/decision.ts';
import { crashesOfOthers, describeCrashOfOther } from '../group/unmovable.ts';
import type { Assessment } from '../model/assessment.ts';
import type { Observation } from '../model/observation.ts';
import type { Settings } from '../model/settings.ts';
import { listIds, subject } from '../text/describe.ts';
import type { Candidate } from './candidate.ts';
import { whyStranded } from './stranding.ts';
import { enumerate, leftOn } from './wait.ts';

/** Tells of instances that are left as they are for now, once nothing else is left to be done. */
export function tellLeftRunning(
  { group, observation, settings }: Assessment,
  candidates: readonly Candidate[],
): Decision {
  const crash = crashesOfOthers(group, observation).at(-1);
  const why = crash === undefined ? [] : [describeCrashOfOther(crash, observation)];
  const isStranding = ({ instance }: Candidate) =>
    observation.details?.stranded?.has(instance.instanceId) ?? false;
  const stranding = candidates.filter(isStranding);
  const givenUp = candidates.filter((candidate) => !isStranding(candidate));
  const harmful = givenUp.filter(({ instance }) => shortServices(instance.mark).length > 0);
  const others = givenUp.filter((candidate) => !harmful.includes(candidate));
  const reasons = [
    ...(stranding.length > 0 ? [tellStranding(stranding, observation)] : []),
    ...(harmful.length > 0 ? [tellHarmful(harmful, observation, settings)] : []),
    ...(others.length > 0 ? [tellGivenUp(others, observation, settings)] : []),
  ];
  return { kind: 'blocked', reason: [...reasons, ...why].join('; ') };
}

function tellStranding(candidates: readonly Candidate[], observation: Observation): string {
  const ids = idsOf(candidates);
  return (
    `${subject(ids, 'is', 'are')} not drained, as tasks would find no other place: ` +
    `${enumerate(whyStranded(ids, observation))}; let instances that stay have what is needed (attributes by ` +
    'ECS_INSTANCE_ATTRIBUTES in user data, or PutAttributes), or change the service'
  );
}

function tellHarmful(candidates: readonly Candidate[], observation: Observation, settings: Settings): string {
  const names = new Set(candidates.flatMap(({ instance }) => shortServices(instance.mark)));
  return (
    `${undone(candidates, observation, settings)}; meanwhile service ${[...names].join(', ')} ran short of tasks, so ` +
    'that this is tried again only when somebody asks, by {"action":"roll"}'
  );
}

function tellGivenUp(candidates: readonly Candidate[], observation: Observation, settings: Settings): string {
  return (
    `${undone(candidates, observation, settings)}; this is tried again as long after, and ON_DRAIN_TIMEOUT=force would ` +
    'stop what is left'
  );
}

function undone(candidates: readonly Candidate[], observation: Observation, settings: Settings): string {
  const left = candidates.flatMap((candidate) => leftOn(candidate, observation, true));
  const faults = left.length > 0 ? `: ${enumerate(left)}` : '';
  const are = candidates.length === 1 ? 'is ACTIVE again and keeps' : 'are ACTIVE again and keep';
  return `${listIds(idsOf(candidates))} could not be drained in ${settings.drainTimeoutSeconds} s, ${are} running${faults}`;
}

function shortServices({ shortServices = [] }: Candidate['instance']['mark']): readonly string[] {
  return shortServices;
}

function idsOf(candidates: readonly Candidate[]): string[] {
  return candidates.map(({ instance }) => instance.instanceId);
}
