import { Stack, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { clusterName } from '../lambda/config.ts';
import type { RolloutSettings } from './props.ts';

export interface ClusterReference {
  readonly name: string;
  readonly arn: string;
}

/** Name and ARN of each cluster: the name is what our tags carry, the ARN what IAM knows it by. */
export function clusterReferences(
  scope: Construct,
  clusters: RolloutSettings['clusters'],
): ClusterReference[] {
  return clusters.map((cluster) => {
    if (typeof cluster !== 'string') return { name: cluster.clusterName, arn: cluster.clusterArn };
    if (cluster.startsWith('arn:')) return { name: nameInArn(cluster), arn: cluster };
    const arn = Stack.of(scope).formatArn({ service: 'ecs', resource: 'cluster', resourceName: cluster });
    return { name: cluster, arn };
  });
}

/** Partition, Region, account and even the name in an ARN may be unresolved values of the CDK. */
function nameInArn(arn: string): string {
  if (!Token.isUnresolved(arn)) return clusterName(arn) ?? arn;
  return arn.slice(arn.indexOf(':cluster/') + ':cluster/'.length);
}
