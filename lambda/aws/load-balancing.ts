import { DescribeInstanceHealthCommand, type InstanceState } from '@aws-sdk/client-elastic-load-balancing';
import {
  DescribeTargetHealthCommand,
  type TargetHealthDescription,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import type { TargetHealth, TrafficSource } from '../core/model/group.ts';
import type { Aws } from './clients.ts';
import { hasCode, TrafficSourceNotFound } from './errors.ts';

/**
 * How a traffic source finds each instance that it knows, by instance id. One that isn't registered is not among them:
 * Auto Scaling registers a member only after it has made it InService.
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
  // The one answer holds every target: this call has no pages.
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

/** With dynamic ports an instance is several targets, and serves as it should when all that aren't leaving are healthy. */
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

/** To a target group that no load balancer uses a target is `unused`: there is nobody whom it doesn't serve. */
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
 * With connection draining an instance that is being deregistered is `InService` to the last, and only its description
 * tells: https://docs.aws.amazon.com/elasticloadbalancing/latest/classic/config-conn-drain.html
 */
const LEAVING = 'Instance deregistration currently in progress';

function healthOfInstance({ State = '', Description = NOTHING }: InstanceState): TargetHealth {
  return {
    healthy: State === 'InService' && !Description.startsWith(LEAVING),
    state: State,
    description: Description === NOTHING ? undefined : Description,
  };
}

/** How a classic load balancer writes that it has nothing to say. */
const NOTHING = 'N/A';
