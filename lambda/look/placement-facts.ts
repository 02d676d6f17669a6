import type { Aws } from '../aws/clients.ts';
import { describeTaskHosts } from '../aws/task-hosts.ts';
import type { Assessment, ClusterAssessment } from '../core/model/assessment.ts';
import type { PlacedMisfit } from '../core/model/preflight-facts.ts';
import { misfitsOf, runsOnInstances } from '../core/preflight/placement.ts';
import type { TaskHosts } from './preflight-facts.ts';
import type { TaskDefinitionCatalog } from './task-definitions.ts';

/** Services that may not fit on new instances. We ask only for these where their tasks run. */
export async function placedMisfits(
  aws: Aws,
  assessment: Assessment,
  cluster: ClusterAssessment,
  definitions: TaskDefinitionCatalog,
  known: TaskHosts,
): Promise<PlacedMisfit[]> {
  const { observation } = assessment;
  await definitions.learn((observation.details?.services ?? []).filter(runsOnInstances));
  const found: PlacedMisfit[] = [];
  for (const misfit of misfitsOf(assessment, cluster, definitions.known)) {
    const { service } = misfit;
    const hosts = known.get(service) ?? (await describeTaskHosts(aws, observation.cluster, service));
    known.set(service, hosts);
    found.push({ ...misfit, hosts });
  }
  return found;
}
