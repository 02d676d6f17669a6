import type { Instance, Member } from './group.ts';

/** How much of the desired capacity members make up together; Standby members make up none. */
export function weightOfMembers(members: readonly Member[]): number {
  return members.reduce((sum, member) => sum + (isStandby(member) ? 0 : member.weight), 0);
}

export function weightOf(each: readonly { readonly member: Member }[]): number {
  return weightOfMembers(each.map(({ member }) => member));
}

/** Put in Standby by its owner: it doesn't count towards the desired capacity and doesn't serve. */
export function isStandby({ lifecycleState }: Member): boolean {
  return lifecycleState.includes('Standby');
}

/** Leaves out what its group is ending, or retains: that needs neither replacing nor waiting for. */
export function stays({ lifecycleState }: Member): boolean {
  return !/^(Warmed:)?(Terminat|Detach)|:Retained$/.test(lifecycleState);
}

/** Of instances, members or container instances. */
export function idSetOf(each: readonly { readonly instanceId: string }[]): Set<string> {
  return new Set(each.map(({ instanceId }) => instanceId));
}

export function idsOf(each: readonly { readonly instance: Pick<Instance, 'instanceId'> }[]): string[] {
  return each.map(({ instance }) => instance.instanceId);
}
