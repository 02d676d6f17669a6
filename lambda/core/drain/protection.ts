import type { Decision } from '../actions/decision.ts';
import { endsThroughGroup, strategyOf } from '../group/strategy.ts';
import type { Assessment } from '../model/assessment.ts';
import { instanceIdsOf } from '../model/registrations.ts';
import { listIds, subject } from '../text/describe.ts';
import type { Candidate } from './candidate.ts';

/**
 * Termination protection (DisableApiTermination), and stop protection (DisableApiStop) as well, refuse EC2's
 * TerminateInstances, and so the end of what is detached. They don't stop a group from ending its members.
 *
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/Using_ChangingDisableAPITermination.html
 */
const ADVICE =
  'aws ec2 modify-instance-attribute --no-disable-api-termination --instance-id <id> (or --no-disable-api-stop, which ' +
  'protects it, too)';

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
export function tellProtection({ group }: Assessment): string[] {
  const ids = group.details?.preflight?.terminationProtected ?? [];
  if (ids.length === 0) return [];
  return [
    `${subject(ids, 'is', 'are')} protected from termination: take that away with ${ADVICE}; or set TERMINATE_HOOKS to run ` +
      'or MAX_SURGE to 0, as what the group itself ends is not protected from it',
  ];
}

/** What is to be said of those whose protection was found in the middle of a roll. */
export function tellProtected(instanceIds: readonly string[]): Decision {
  return {
    kind: 'blocked',
    reason:
      `${subject(instanceIds, 'is', 'are')} detached and protected from termination, and so not ended; take that away with ` +
      `${ADVICE}, and the roll goes on`,
  };
}

/** One that can't be ended yet serves on until it can. */
export function letProtectedServe(candidates: readonly Candidate[]): Decision | undefined {
  const containerInstances = candidates
    .filter(({ phase }) => phase === 'protected')
    .flatMap((candidate) => candidate.containerInstances.filter(({ status }) => status === 'DRAINING'));
  if (containerInstances.length === 0) return undefined;
  const ids = instanceIdsOf(containerInstances);
  return {
    kind: 'act',
    reason: `sets ${listIds(ids)} back, which may not be terminated`,
    actions: [{ kind: 'activate', containerInstances }],
  };
}
