import type { Assessment } from '../model/assessment.ts';
import { takesTasks } from '../model/registrations.ts';
import { detachedOf } from './marked.ts';
import { readiness } from './readiness.ts';

/**
 * How many instances may drain though the group lacks members, where all that it lacks is room to launch:
 * what drains may hold that room. As many stay as its owner wants, with those that were detached and still
 * serve.
 *
 * @returns undefined if that isn't what it lacks
 */
export function spareInstances(assessment: Assessment): number | undefined {
  const serving = detachedOf(assessment.group).filter(({ instanceId }) =>
    takesTasks(assessment.observation, instanceId),
  );
  const members = spareMembers(assessment);
  return members === undefined ? undefined : members + serving.length;
}

/** How many of its members may leave it then: behind a load balancer nothing else gets requests. */
export function spareMembers(assessment: Assessment): number | undefined {
  const { group, observation } = assessment;
  const [lack, ...others] = readiness(assessment);
  if (lack?.what.kind !== 'members-lacking' || others.length > 0) return undefined;
  const { launched, failure } = lack.what;
  // Nobody knows what a detached one weighed.
  if (!failure?.ofNoImage || group.members.some(({ weight }) => weight !== 1)) return undefined;
  const { drifted, current } = assessment.classified;
  const going = [...drifted, ...current].filter(
    ({ instance: { instanceId, mark } }) => mark !== undefined && !takesTasks(observation, instanceId),
  );
  const added = group.roll?.changes.addedSizes.desiredCapacity ?? 0;
  return launched - going.length - (group.desiredCapacity - added);
}

/** The group is whole, or some may leave though it isn't. */
export function mayLeave(assessment: Assessment, spare: number | undefined): boolean {
  return (spare !== undefined && spare > 0) || readiness(assessment).length === 0;
}

/** So many at most, or no more than are spare if the group isn't whole. */
export function upToSpare(spare: number | undefined, most: number): number {
  return spare === undefined || spare <= 0 ? most : Math.min(most, spare);
}
