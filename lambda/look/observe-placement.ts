import type { Aws } from '../aws/clients.ts';
import { describeTasks } from '../aws/tasks.ts';
import { classificationOf, isConcerned } from '../core/group/assess.ts';
import type { Observation } from '../core/model/observation.ts';
import { inTurn, strandedOn } from '../core/placement/stranded.ts';
import type { Memory } from './memory.ts';
import type { Look } from './observe-group.ts';

/**
 * Compares what the services on instances in turn need with what there is elsewhere, before these drain. Their tasks, and
 * the task definitions of their services, are read only then.
 */
export async function withPlacement(
  aws: Aws,
  observation: Observation,
  { settings }: Look,
  { stoppedTasks, taskDefinitions }: Memory,
): Promise<Observation> {
  const { cluster, groups, containerInstances, services = [] } = observation;
  const concerned = groups.filter((group) => isConcerned(group, observation, settings));
  const turns = concerned.flatMap((group) => {
    const classified = classificationOf(group, observation, settings);
    return classified === undefined ? [] : inTurn(group, classified);
  });
  const active = containerInstances.filter(
    ({ instanceId, status }) => status === 'ACTIVE' && turns.some((each) => each.instanceId === instanceId),
  );
  if (active.length === 0) return observation;
  const held = new Set(turns.flatMap((each) => (each.mark.drainGivenUpAt ? [each.instanceId] : [])));
  const next = active.filter(({ instanceId }) => !held.has(instanceId));
  const tasks = [...observation.tasks, ...(await describeTasks(aws, cluster, next, stoppedTasks))];
  const names = new Set(tasks.map(({ group }) => group));
  await taskDefinitions.learn(services.filter(({ name, daemon }) => !daemon && names.has(`service:${name}`)));
  return {
    ...observation,
    stranded: strandedOn(observation, settings, tasks, taskDefinitions.known),
  };
}
