import { DescribeInstanceHealthCommand, type InstanceState } from '@aws-sdk/client-elastic-load-balancing';
import {
  DescribeTargetHealthCommand,
  type TargetHealthDescription,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import type { TargetHealth, TrafficSource } from '../core/model/group.ts';
import type { Aws } from './clients.ts';
import { hasCode, TrafficSourceNotFound } from './errors.ts';

/**
 * The health of each instance that a traffic source knows, by instance id. Unregistered instances are
 * missing: Auto Scaling registers a member only after it is InService.
 *
 * @throws TrafficSourceNotFound
 */
export async function describeTargetHealth(
  aws: Aws,
  source: TrafficSource,
): Promise<ReadonlyMap<string, TargetHealth>> {
  try {
    return source.kind === 'target-group'
      ? await healthOfTargets(aws, source.arn)
      : await healthOfInstances(aws, source.name);
  } catch (error) {
    if (!hasCode(error, 'TargetGroupNotFoundException', 'AccessPointNotFoundException')) throw error;
    throw new TrafficSourceNotFound(source, error);
  }
}

async function healthOfTargets({ loadBalancingV2 }: Aws, arn: string): Promise<Map<string, TargetHealth>> {
  // This call isn't paginated: its answer has every target.
  const { TargetHealthDescriptions: targets = [] } = await loadBalancingV2.send(
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

async function healthOfInstances({ loadBalancing }: Aws, name: string): Promise<Map<string, TargetHealth>> {
  const { InstanceStates: states = [] } = await loadBalancing.send(
    new DescribeInstanceHealthCommand({ LoadBalancerName: name }),
  );
  return new Map(states.map((state) => [state.InstanceId ?? '', healthOfInstance(state)]));
}

/**
 * With connection draining an instance stays `InService` until it is deregistered; only the description
 * shows it: https://docs.aws.amazon.com/elasticloadbalancing/latest/classic/config-conn-drain.html
 */
const LEAVING = 'Instance deregistration currently in progress';

function healthOfInstance({ State = '', Description = NOTHING }: InstanceState): TargetHealth {
  return {
    healthy: State === 'InService' && !Description.startsWith(LEAVING),
    state: State,
    description: Description === NOTHING ? undefined : Description,
  };
}

/** What a classic load balancer writes for nothing. */
const NOTHING = 'N/A';
