import type { Aws } from '../aws/clients.ts';
import { describeTaskHosts } from '../aws/tasks.ts';
import { assess } from '../core/group/assess.ts';
import type { Group } from '../core/model/group.ts';
import type { Observation } from '../core/model/observation.ts';
import type { PlacedMisfit } from '../core/model/preflight-facts.ts';
import type { Settings } from '../core/model/settings.ts';
import { misfitsOf, runsOnInstances } from '../core/preflight/placement.ts';
import type { TaskHosts } from './preflight-facts.ts';
import type { TaskDefinitionCatalog } from './task-definitions.ts';

/** Services that new instances may have no place for; where their tasks run is asked of these alone. */
export async function placedMisfits(
  aws: Aws,
  group: Group,
  observation: Observation,
  settings: Settings,
  definitions: TaskDefinitionCatalog,
  known: TaskHosts,
): Promise<PlacedMisfit[]> {
  if ('obstacle' in group.launch) return [];
  await definitions.learn((observation.services ?? []).filter(runsOnInstances));
  const all = assess(group, group.launch, observation, settings);
  const found: PlacedMisfit[] = [];
  for (const misfit of misfitsOf(all, settings, definitions.known)) {
    const { service } = misfit;
    const hosts = known.get(service) ?? (await describeTaskHosts(aws, observation.cluster, service));
    known.set(service, hosts);
    found.push({ ...misfit, hosts });
  }
  return found;
}
