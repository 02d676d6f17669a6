import { launchedFirst } from '../group/budget.ts';
import type { Assessment } from '../model/assessment.ts';
import type { Obstacle } from '../reasons/obstacles.ts';
import type { Warning } from '../reasons/warnings.ts';

/**
 * Checks that replacements have room in the Capacity Reservations that the group is bound to: old instances
 * keep their places until they end. In place they end first.
 */
export function lackOfReservations(assessment: Assessment): Obstacle[] {
  const instances = launchedFirst(assessment);
  return (assessment.group.details?.preflight?.reservations ?? []).flatMap(({ id, free }) => {
    if (id === undefined || free === undefined || instances <= free) return [];
    return [{ code: 'reservation-full', id, free, instances } as const];
  });
}

/** Warns where nobody tells how much room there is. */
export function warnOfReservations(assessment: Assessment): Warning[] {
  const instances = launchedFirst(assessment);
  const { reservations = [] } = assessment.group.details?.preflight ?? {};
  const unknown = reservations.filter(({ free }) => free === undefined);
  if (instances === 0) return [];
  return unknown.map(({ id }) => ({
    code: 'reserved-room-unknown',
    instances,
    ...(id !== undefined && { id }),
  }));
}

/** Checks that replacements have room in the spread placement groups of the old instances, beside these. */
export function lackOfSpreadRoom(assessment: Assessment): Obstacle[] {
  const instances = launchedFirst(assessment);
  return (assessment.group.details?.preflight?.spreadGroups ?? []).flatMap(({ name, free }) =>
    instances <= free ? [] : [{ code: 'placement-group-full', name, free, instances } as const],
  );
}
