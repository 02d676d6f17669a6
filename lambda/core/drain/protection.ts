import type { Decision } from '../actions/decision.ts';
import { endsThroughGroup, strategyOf } from '../group/strategy.ts';
import type { Assessment } from '../model/assessment.ts';
import { instanceIdsOf } from '../model/registrations.ts';
import type { Obstacle } from '../reasons/obstacles.ts';
import type { Candidate } from './phase.ts';

/**
 * Ids of protected instances that a roll would terminate directly rather than through their group. We check
 * before the roll begins.
 */
export function endedPastGroup({
  group,
  settings,
  classified,
}: Pick<Assessment, 'group' | 'settings' | 'classified'>): string[] {
  const isByGroup = endsThroughGroup(settings) || strategyOf(group, settings) === 'in-place';
  const members = isByGroup ? [] : classified.drifted;
  return [...members, ...classified.warm].map(({ instance }) => instance.instanceId);
}

/** The obstacle that termination protection puts before a roll. */
export function protectionObstacles({ group }: Assessment): Obstacle[] {
  const instanceIds = group.details?.preflight?.terminationProtected ?? [];
  return instanceIds.length === 0 ? [] : [{ code: 'termination-protected-before', instanceIds }];
}

/**
 * Blocks on protection that was found in the middle of a roll.
 *
 * Termination protection (DisableApiTermination) and stop protection (DisableApiStop) both make EC2's
 * TerminateInstances fail, so a detached instance can't end. They don't stop a group from ending its members.
 *
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/Using_ChangingDisableAPITermination.html
 */
export function blockOnProtection(instanceIds: readonly string[]): Decision {
  return { kind: 'blocked', reason: { code: 'termination-protected', instanceIds } };
}

/** Undoes the drain of instances that can't be ended yet: they keep serving until they can. */
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
