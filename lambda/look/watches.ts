import type { Aws } from '../aws/clients.ts';
import { listTasksIn } from '../aws/task-lists.ts';
import { describeTaskDates } from '../aws/tasks.ts';
import { canRoll, withGroups } from '../core/group/assess.ts';
import { isServedNow, watchedBefore } from '../core/group/dated-steadiness.ts';
import { watch } from '../core/group/steadiness.ts';
import type { Assessment, ClusterAssessment, GroupAssessment } from '../core/model/assessment.ts';
import type { DatedTask } from '../core/model/cluster.ts';
import type { Observation } from '../core/model/observation.ts';
import type { Memory } from './memory.ts';

/** To list and describe more of them takes about as long as to watch them for a stable window. */
const MOST_TASKS = 1000;

/**
 * Adds what has been watched continuously up to this look: by this invocation, and before its first look as
 * far as AWS dates it.
 */
export async function withWatches(
  aws: Aws,
  assessed: ClusterAssessment,
  { watches, tasksRead }: Memory,
): Promise<ClusterAssessment> {
  const { cluster } = assessed.observation;
  const keyOf = ({ group }: GroupAssessment) => `${cluster}/${group.name}`;
  const isResumed = (each: Assessment) => !watches.has(keyOf(each)) && isServedNow(each);
  const needsDates = assessed.groups.filter(canRoll).some(isResumed);
  const areFew = runningIn(assessed.observation) <= MOST_TASKS;
  const arns = needsDates && areFew ? await listTasksIn(aws, cluster, tasksRead) : [];
  const dated: readonly DatedTask[] = await describeTaskDates(aws, cluster, arns, tasksRead);
  const watched = (assessment: GroupAssessment): GroupAssessment => {
    if (!canRoll(assessment)) return assessment;
    const previous = watches.get(keyOf(assessment)) ?? watchedBefore(assessment, dated);
    const seen = watch(assessment, previous);
    watches.set(keyOf(assessment), seen);
    return { ...assessment, group: { ...assessment.group, watch: seen } };
  };
  return withGroups(assessed, assessed.groups.map(watched));
}

function runningIn({ containerInstances }: Observation): number {
  return containerInstances.reduce((sum, { runningTasksCount }) => sum + runningTasksCount, 0);
}
