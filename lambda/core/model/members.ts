import type { Member } from './group.ts';

/** How much of the desired capacity members make up together; what stands by makes up nothing of it. */
export function weightOf(members: readonly { readonly member: Member }[]): number {
  return members.reduce((sum, { member }) => sum + (isStandby(member) ? 0 : member.weight), 0);
}

/** Put aside by its owner: it neither counts to the desired capacity nor serves. */
export function isStandby({ lifecycleState }: Member): boolean {
  return /Standby/.test(lifecycleState);
}

/** Those that terminate the group ends itself: they are neither to be replaced nor to be waited for. */
export function stays({ lifecycleState }: Member): boolean {
  return !/^(Warmed:)?(Terminat|Detach)/.test(lifecycleState);
}
