import { listIds } from './describe.ts';

/** Tags of ours on a resource that say nothing: we did not write them so, or not for this resource. */
export interface Untrusted {
  readonly kind: 'group' | 'instance';
  /** The group's name, or the instance's id. */
  readonly resource: string;
  readonly keys: readonly string[];
}

/** How many tags these are. */
export function countOf(untrusted: readonly Untrusted[]): number {
  return untrusted.reduce((sum, { keys }) => sum + keys.length, 0);
}

/** What any of both tells, each tag but once. */
export function joined(some: readonly Untrusted[], others: readonly Untrusted[]): Untrusted[] {
  const all = new Map<string, Untrusted>();
  for (const each of [...some, ...others]) {
    const key = `${each.kind} ${each.resource}`;
    const keys = [...new Set([...(all.get(key)?.keys ?? []), ...each.keys])];
    if (keys.length > 0) all.set(key, { ...each, keys });
  }
  return [...all.values()];
}

/** What doesn't hold, a sentence for groups and one for instances, with what helps. */
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
    `tags of ${where} count for none, as this function did not write them so: ${keys}; take them away, and see in ` +
      `CloudTrail (${call}) who wrote them`,
  ];
}
