import { once } from '../aws/rare.ts';
import { isConcerned, withGroups } from '../core/group/assess.ts';
import type { ClusterAssessment, GroupAssessment } from '../core/model/assessment.ts';
import type { Closed } from '../core/model/hold-up.ts';
import type { Settings } from '../core/model/settings.ts';

/** What reads cron expressions: loaded only by an invocation that has windows. */
export const openings = once(() => import('./openings.ts'));

/** Adds for each group that is outdated whether something new may begin now. */
export async function withTimes(assessed: ClusterAssessment): Promise<ClusterAssessment> {
  const { groups, observation } = assessed;
  if (!groups.some(isRestricted)) return assessed;
  const timed = groups.map(async (each): Promise<GroupAssessment> => {
    const closed = isRestricted(each) ? await closedAt(observation.now, each.settings) : undefined;
    return closed === undefined ? each : { ...each, group: { ...each.group, closed } };
  });
  return withGroups(assessed, await Promise.all(timed));
}

function isRestricted(assessment: GroupAssessment): boolean {
  return isConcerned(assessment) && assessment.settings.windows !== undefined;
}

async function closedAt(now: Date, { windows = [] }: Settings): Promise<Closed | undefined> {
  const { opensAt } = await openings();
  const at = opensAt(windows, now);
  if (at === now) return undefined;
  return at === undefined ? {} : { opensAt: at };
}
