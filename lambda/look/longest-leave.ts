import type { Aws } from '../aws/clients.ts';
import { deregistrationSeconds } from '../aws/load-balancing.ts';
import { describeServices, listServices } from '../aws/services.ts';
import type { Service } from '../core/model/cluster.ts';
import type { TrafficSource } from '../core/model/group.ts';
import type { Memory } from './memory.ts';

/** The service whose tasks may take the longest to leave an instance that its group ends. */
export interface LongestLeave {
  readonly service: string;
  readonly seconds: number;
}

/** Unless a container or its agent says otherwise. */
const STOP_SECONDS = 30;

/**
 * The group's own load balancers let go of an instance before its hooks hold it, and those of a service of a
 * task before it stops. Daemons that no load balancer knows end with the instance.
 *
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_ContainerDefinition.html
 */
export async function longestLeave(
  aws: Aws,
  memory: Memory,
  cluster: string,
  own: readonly TrafficSource[],
): Promise<LongestLeave | undefined> {
  const all = await describeServices(aws, cluster, await listServices(aws, cluster));
  const counting = all.filter(({ daemon, sources = [], placement }) => {
    return placement !== undefined && (!daemon || sources.length > 0);
  });
  await memory.taskDefinitions.learn(counting);
  const before = await longestDelay(aws, own);
  let longest: LongestLeave | undefined;
  for (const service of counting) {
    const seconds = before + (await longestDelay(aws, service.sources)) + stopSecondsOf(service, memory);
    if (longest === undefined || seconds > longest.seconds) longest = { service: service.name, seconds };
  }
  return longest;
}

async function longestDelay(aws: Aws, sources: readonly TrafficSource[] = []): Promise<number> {
  let longest = 0;
  for (const source of sources) longest = Math.max(longest, await deregistrationSeconds(aws, source));
  return longest;
}

function stopSecondsOf({ placement }: Service, { taskDefinitions }: Memory): number {
  const { stopTimeoutSeconds } = taskDefinitions.known.get(placement?.taskDefinition ?? '') ?? {};
  return stopTimeoutSeconds ?? STOP_SECONDS;
}
