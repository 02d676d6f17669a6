import type { Untrusted } from '../model/untrusted.ts';
import { listIds } from '../reasons/words.ts';

/** The ignored tags: one sentence for groups and one for instances, with what to do. */
export function describeUntrusted(untrusted: readonly Untrusted[]): string[] {
  return [
    ...sentence('group', 'autoscaling:CreateOrUpdateTags', untrusted),
    ...sentence('instance', 'ec2:CreateTags', untrusted),
  ];
}

function sentence(kind: Untrusted['kind'], call: string, untrusted: readonly Untrusted[]): string[] {
  const told = untrusted.filter((each) => each.kind === kind);
  if (told.length === 0) return [];
  const keys = [...new Set(told.flatMap((each) => each.keys))].sort().join(', ');
  const where = `${kind === 'group' ? 'group ' : ''}${listIds(told.map(({ resource }) => resource).sort())}`;
  return [
    `tags of ${where} are ignored, as this function did not write them: ${keys}; remove them, and see in ` +
      `CloudTrail (${call}) who wrote them`,
  ];
}
