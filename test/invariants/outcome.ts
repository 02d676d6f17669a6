import { GROUP_TAGS } from '../../lambda/contract.ts';
import { textOn } from '../sealed.ts';
import type { Outcome } from '../simulated-aws/invariants/customs.ts';
import type { Expectations } from '../simulated-aws/invariants/expectations.ts';
import type { Group } from '../simulated-aws/world/autoscaling/model.ts';
import type { Instance } from '../simulated-aws/world/ec2/model.ts';

const REJECTION_TAGS: readonly string[] = [GROUP_TAGS.rejected, GROUP_TAGS.rejectedBecause];

export type { Outcome };

/** Judged by the tags that are left and carry our seal. */
export function outcomeOf(group: Pick<Group, 'arn' | 'tags'>): Outcome {
  const because = textOn(group, GROUP_TAGS.rejectedBecause);
  // Somebody has spoilt the reason: nobody can tell any more which of the two it was, and the latter allows
  // more.
  if (because === undefined)
    return textOn(group, GROUP_TAGS.rejected) === undefined ? 'completed' : 'aborted';
  if (because.startsWith('rolled back')) return 'rolled-back';
  return because.startsWith('aborted') ? 'aborted' : 'completed';
}

/** Whether a tag of ours may stay behind: an image's rejection must outlast its roll. */
export function mayStay(key: string, group: Group): boolean {
  return outcomeOf(group) !== 'completed' && REJECTION_TAGS.includes(key);
}

/** Whether an instance may run at the end what it does run. */
export function mayRun({ imageId }: Instance, group: Group, target: string | undefined): boolean {
  switch (outcomeOf(group)) {
    case 'completed':
      return imageId === target;
    case 'rolled-back':
      return !(textOn(group, GROUP_TAGS.rejected) ?? '').split(' ').includes(imageId);
    case 'aborted':
      return true;
  }
}

/** Whether a roll may take an instance away that runs what the group was rolled onto. */
export function isTakenBack(expectations: Expectations, { launchedBy, tags }: Instance): boolean {
  const { endings = ['completed'] } = expectations;
  if (!endings.includes('rolled-back') || launchedBy === undefined) return false;
  return isGoingBack(launchedBy) && tags.size > 0;
}

export function isGoingBack(group: Group): boolean {
  return textOn(group, GROUP_TAGS.course)?.startsWith('rollback') ?? false;
}
