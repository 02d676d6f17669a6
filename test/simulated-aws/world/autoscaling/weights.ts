import type { Group, Member } from './model.ts';

/** What the instance type weighs by the group's policy; undefined where it has no weights. */
export function policyWeight(
  { launchSpec }: Group,
  { instance }: { readonly instance: Pick<Member['instance'], 'instanceType'> },
): string | undefined {
  if (launchSpec.kind !== 'mixed-instances') return undefined;
  return launchSpec.overrides.find(({ instanceType }) => instanceType === instance.instanceType)
    ?.weightedCapacity;
}

/** How much of the desired capacity members make up, or those that were. */
export function weightOf(group: Group, members: readonly Pick<Member, 'instance'>[]): number {
  return members.reduce((sum, member) => sum + Number(policyWeight(group, member) ?? 1), 0);
}
