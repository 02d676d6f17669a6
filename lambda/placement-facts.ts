import type { Aws } from './aws/clients.ts';
import { describeTaskHosts } from './aws/tasks.ts';
import { caseOf } from './core/case.ts';
import type { Group, Observation } from './core/model.ts';
import { misfitsOf, type PlacedMisfit, runsOnInstances } from './core/placement-preflight.ts';
import type { Settings } from './core/settings.ts';
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
  const all = caseOf(group, group.launch, observation, settings);
  const found: PlacedMisfit[] = [];
  for (const misfit of misfitsOf(all, settings, definitions.known)) {
    const { service } = misfit;
    const hosts = known.get(service) ?? (await describeTaskHosts(aws, observation.cluster, service));
    known.set(service, hosts);
    found.push({ ...misfit, hosts });
  }
  return found;
}
