import type { Decision } from '../actions/decision.ts';
import { endsThroughGroup, strategyOf } from '../group/strategy.ts';
import type { Assessment } from '../model/assessment.ts';
import type { Obstacle } from '../model/obstacle.ts';
import { instanceIdsOf } from '../model/registrations.ts';
import type { Candidate } from './candidate.ts';

/** Instances that a roll would end past their group; that they are protected is to be known before. */
export function endedPastGroup({
  group,
  settings,
  classified,
}: Pick<Assessment, 'group' | 'settings' | 'classified'>): string[] {
  const isByGroup = endsThroughGroup(settings) || strategyOf(group, settings) === 'in-place';
  const members = isByGroup ? [] : classified.drifted;
  return [...members, ...classified.warm].map(({ instance }) => instance.instanceId);
}

/** What keeps a roll from beginning. */
export function tellProtection({ group }: Assessment): Obstacle[] {
  const instanceIds = group.details?.preflight?.terminationProtected ?? [];
  return instanceIds.length === 0 ? [] : [{ code: 'termination-protected-before', instanceIds }];
}

/**
 * What is to be said of those whose protection was found in the middle of a roll.
 *
 * Termination protection (DisableApiTermination), and stop protection (DisableApiStop) as well, refuse EC2's
 * TerminateInstances, and so the end of what is detached. They don't stop a group from ending its members.
 *
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/Using_ChangingDisableAPITermination.html
 */
export function tellProtected(instanceIds: readonly string[]): Decision {
  return { kind: 'blocked', reason: { code: 'termination-protected', instanceIds } };
}

/** One that can't be ended yet serves on until it can. */
export function letProtectedServe(candidates: readonly Candidate[]): Decision | undefined {
  const containerInstances = candidates
    .filter(({ phase }) => phase === 'protected')
    .flatMap((candidate) => candidate.containerInstances.filter(({ status }) => status === 'DRAINING'));
  if (containerInstances.length === 0) return undefined;
  const instanceIds = instanceIdsOf(containerInstances);
  return {
    kind: 'act',
    reason: { code: 'drain-undone', instanceIds, because: 'protected' },
    actions: [{ kind: 'activate', containerInstances }],
  };
}
