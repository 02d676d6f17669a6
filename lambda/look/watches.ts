import { canRoll, withGroups } from '../core/group/assess.ts';
import { NOT_WATCHED, watch } from '../core/group/steadiness.ts';
import type { ClusterAssessment, GroupAssessment } from '../core/model/assessment.ts';
import type { Memory } from './memory.ts';

/** Adds what this invocation has watched continuously up to this look. */
export function withWatches(assessed: ClusterAssessment, { watches }: Memory): ClusterAssessment {
  const watched = (assessment: GroupAssessment): GroupAssessment => {
    if (!canRoll(assessment)) return assessment;
    const { group, observation } = assessment;
    const key = `${observation.cluster}/${group.name}`;
    const seen = watch(assessment, watches.get(key) ?? NOT_WATCHED);
    watches.set(key, seen);
    return { ...assessment, group: { ...group, watch: seen } };
  };
  return withGroups(assessed, assessed.groups.map(watched));
}
