import {
  DescribeTargetHealthCommand,
  ElasticLoadBalancingV2Client,
  type TargetHealthDescription,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import type { TargetHealth } from '../core/model/group.ts';
import { type Aws, rareClient } from './clients.ts';
import { noteOperations } from './operations.ts';

export const loadBalancingV2Of = rareClient((config) =>
  noteOperations(new ElasticLoadBalancingV2Client(config), 'elasticloadbalancing'),
);

/** By instance id. */
export async function healthOfTargets(aws: Aws, arn: string): Promise<Map<string, TargetHealth>> {
  // This call isn't paginated: its answer has every target.
  const { TargetHealthDescriptions: targets = [] } = await loadBalancingV2Of(aws).send(
    new DescribeTargetHealthCommand({ TargetGroupArn: arn }),
  );
  const byInstance = new Map<string, TargetHealthDescription[]>();
  for (const target of targets) {
    const id = target.Target?.Id ?? '';
    byInstance.set(id, [...(byInstance.get(id) ?? []), target]);
  }
  return new Map([...byInstance].map(([id, ports]) => [id, healthOfPorts(ports)]));
}

/**
 * With dynamic ports an instance is several targets. It serves properly if all that aren't draining are
 * healthy.
 */
function healthOfPorts(ports: readonly TargetHealthDescription[]): TargetHealth {
  const staying = ports.filter(({ TargetHealth: health }) => health?.State !== 'draining');
  const unhealthy = staying.find((port) => !serves(port));
  const { State = '', Reason, Description } = (unhealthy ?? staying[0] ?? ports[0])?.TargetHealth ?? {};
  return {
    healthy: staying.length > 0 && unhealthy === undefined,
    state: State,
    description: Description ?? Reason,
  };
}

/** Targets of a target group that no load balancer uses are `unused`: they have nobody to serve. */
function serves({ TargetHealth: { State, Reason } = {} }: TargetHealthDescription): boolean {
  return State === 'healthy' || (State === 'unused' && Reason === 'Target.NotInUse');
}
