import type { State } from '../state.ts';
import { endMember } from './ending.ts';
import { launchesOf } from './launch-sources.ts';
import type { Group, LaunchedFrom, Member } from './model.ts';
import { byPurchaseOption } from './purchase-options.ts';
import { returnToPool } from './warm-pool.ts';
import { weightOf } from './weights.ts';

/** Ends members that make up no more than what is too much, but for those that are protected. */
export function scaleIn(state: State, group: Group, counted: readonly Member[], excess: number) {
  const why = 'a difference between desired and actual capacity';
  let left = excess;
  const staying = new Set(counted);
  const next = () =>
    terminationOrder(state, group, [...staying]).find((member) => weightOf(group, [member]) <= left);
  for (let member = next(); member !== undefined; member = next()) {
    left -= weightOf(group, [member]);
    staying.delete(member);
    if (group.warmPool?.reusesOnScaleIn) returnToPool(state, group, group.warmPool, member);
    else endMember(state, group, member, { why, cause: 'group' });
  }
}

/**
 * Follows the default termination policy: of the purchase option that there is too much of, members of an
 * outdated launch spec first, then the oldest.
 */
export function terminationOrder(state: State, group: Group, members: readonly Member[]): Member[] {
  const current = new Set(launchesOf(state, group.launchSpec).map((launch) => nameOf(launch?.launchedFrom)));
  const isOutdated = ({ launchedFrom }: Member) => !current.has(nameOf(launchedFrom));
  const candidates = members.filter((member) => !member.isProtectedFromScaleIn);
  const inOrder = [...candidates.filter(isOutdated), ...candidates.filter((member) => !isOutdated(member))];
  const chosen = byPurchaseOption(group, inOrder);
  return [
    ...chosen.filter((member) => !isReserved(group, member)),
    ...chosen.filter((member) => isReserved(group, member)),
  ];
}

/** "During scale in, Auto Scaling removes instances that are not in a reservation first". */
function isReserved({ zoneDistribution }: Group, { instance }: Member): boolean {
  return zoneDistribution === 'reservations-then-balanced' && instance.capacityReservationId !== undefined;
}

function nameOf(from: LaunchedFrom | undefined): string {
  return from?.kind === 'launch-template' ? `${from.template.id} ${from.version}` : `${from?.name}`;
}
