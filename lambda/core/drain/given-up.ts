import { blockedBy, type Decision } from '../actions/decision.ts';
import { failedDeployments } from '../group/deployments.ts';
import { crashesOfOthers, crashFactsOfOther } from '../group/unmovable.ts';
import type { Assessment } from '../model/assessment.ts';
import type { Observation } from '../model/observation.ts';
import type { HoldUp } from '../reasons/hold-ups.ts';
import { type Candidate, idsOf } from './phase.ts';
import { whyStranded } from './stranding.ts';
import { leftOn } from './wait.ts';

/** Blocks once only instances whose drain was given up are left. */
export function blockOnGivenUp(assessment: Assessment, candidates: readonly Candidate[]): Decision {
  const { group, observation } = assessment;
  const crash = crashesOfOthers(group, observation).at(-1);
  const isStranding = ({ instance }: Candidate) =>
    observation.details?.stranded?.has(instance.instanceId) ?? false;
  const stranding = candidates.filter(isStranding);
  const givenUp = candidates.filter((candidate) => !isStranding(candidate));
  const harmful = givenUp.filter(({ instance }) => shortServices(instance.mark).length > 0);
  const others = givenUp.filter((candidate) => !harmful.includes(candidate));
  const reasons = [
    ...(stranding.length > 0 ? [strandingHoldUp(stranding, observation)] : []),
    ...(harmful.length > 0 ? [harmfulHoldUp(harmful, assessment)] : []),
    ...(others.length > 0 ? [timedOutHoldUp(others, assessment)] : []),
  ];
  const last = crash === undefined ? {} : { crash: crashFactsOfOther(crash, observation) };
  return blockedBy(
    reasons.map((each, index) => (index === reasons.length - 1 ? { ...each, ...last } : each)),
  );
}

function strandingHoldUp(
  candidates: readonly Candidate[],
  observation: Observation,
): HoldUp<'drain-stranding'> {
  const instanceIds = idsOf(candidates);
  return { code: 'drain-stranding', instanceIds, faults: whyStranded(instanceIds, observation) };
}

function harmfulHoldUp(candidates: readonly Candidate[], assessment: Assessment): HoldUp<'drain-harmful'> {
  const services = [...new Set(candidates.flatMap(({ instance }) => shortServices(instance.mark)))];
  return { code: 'drain-harmful', ...undrained(candidates, assessment), services };
}

function timedOutHoldUp(candidates: readonly Candidate[], assessment: Assessment): HoldUp<'drain-timed-out'> {
  return { code: 'drain-timed-out', ...undrained(candidates, assessment) };
}

function undrained(candidates: readonly Candidate[], { group, observation, settings }: Assessment) {
  return {
    instanceIds: idsOf(candidates),
    afterSeconds: settings.drainTimeoutSeconds,
    faults: candidates.flatMap((candidate) => leftOn(candidate, observation, true)),
    failedDeployments: failedDeployments(group, observation),
  };
}

function shortServices({ shortServices = [] }: Candidate['instance']['mark']): readonly string[] {
  return shortServices;
}
