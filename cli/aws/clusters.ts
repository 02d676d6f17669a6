import { DescribeClustersCommand, ECSClient, paginateListClusters } from '@aws-sdk/client-ecs';
import { piecesOf } from '../../lambda/core/model/pieces.ts';

/** An ECS cluster, with its counts as ECS has them. */
export interface ListedCluster {
  readonly cluster: string;
  readonly status: string;
  readonly containerInstances: number;
  readonly services: number;
  readonly runningTasks: number;
}

/** https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_DescribeClusters.html */
const CLUSTERS_AT_ONCE = 100;

/** All clusters of this Region, by name. */
export async function listClusters(): Promise<ListedCluster[]> {
  const client = new ECSClient({});
  const arns: string[] = [];
  for await (const { clusterArns = [] } of paginateListClusters({ client }, {})) arns.push(...clusterArns);
  const found: ListedCluster[] = [];
  for (const clusters of piecesOf(arns, CLUSTERS_AT_ONCE)) {
    const { clusters: described = [] } = await client.send(new DescribeClustersCommand({ clusters }));
    for (const each of described)
      found.push({
        cluster: each.clusterName ?? '',
        status: each.status ?? '',
        containerInstances: each.registeredContainerInstancesCount ?? 0,
        services: each.activeServicesCount ?? 0,
        runningTasks: each.runningTasksCount ?? 0,
      });
  }
  return found.sort((a, b) => a.cluster.localeCompare(b.cluster));
}
