import { launchedFirst } from '../group/surge.ts';
import type { Assessment } from '../model/assessment.ts';
import type { Obstacle } from '../reasons/obstacles.ts';
import type { Warning } from '../reasons/warnings.ts';

/**
 * Checks that replacements have room in the Capacity Reservations that the group is bound to: old instances
 * keep their places until they end. In place they end first.
 */
export function lackOfReservations(assessment: Assessment): Obstacle[] {
  const instances = launchedFirst(assessment);
  return (assessment.group.details?.preflight?.reservations ?? []).flatMap(({ id, free, orElsewhere }) => {
    if (id === undefined || free === undefined || instances <= free || orElsewhere) return [];
    return [{ code: 'reservation-full', id, free, instances } as const];
  });
}

/** Warns where nobody tells how much room there is, and where there is less than replacements need. */
export function warnOfReservations(assessment: Assessment): Warning[] {
  const instances = launchedFirst(assessment);
  const { reservations = [] } = assessment.group.details?.preflight ?? {};
  if (instances === 0) return [];
  return reservations.flatMap(({ id, free, orElsewhere }): Warning[] => {
    const named = { instances, ...(id !== undefined && { id }) };
    if (orElsewhere) return instances > (free ?? 0) ? [{ code: 'reserved-places-left', ...named }] : [];
    return free === undefined ? [{ code: 'reserved-room-unknown', ...named }] : [];
  });
}

/** Checks that replacements have room in the spread placement groups of the old instances, beside these. */
export function lackOfSpreadRoom(assessment: Assessment): Obstacle[] {
  const instances = launchedFirst(assessment);
  return (assessment.group.details?.preflight?.spreadGroups ?? []).flatMap(({ name, free }) =>
    instances <= free ? [] : [{ code: 'placement-group-full', name, free, instances } as const],
  );
}
