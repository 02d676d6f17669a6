import {
  DescribeInstanceHealthCommand,
  DescribeLoadBalancerAttributesCommand,
  ElasticLoadBalancingClient,
  type InstanceState,
} from '@aws-sdk/client-elastic-load-balancing';
import type { TargetHealth } from '../core/model/group.ts';
import { type Aws, rareClient } from './clients.ts';

export const loadBalancingOf = rareClient(ElasticLoadBalancingClient, 'elasticloadbalancing');

/** By instance id. */
export async function healthOfInstances(aws: Aws, name: string): Promise<Map<string, TargetHealth>> {
  const { InstanceStates: states = [] } = await loadBalancingOf(aws).send(
    new DescribeInstanceHealthCommand({ LoadBalancerName: name }),
  );
  return new Map(states.map((state) => [state.InstanceId ?? '', healthOfInstance(state)]));
}

/**
 * With connection draining an instance stays `InService` until it is deregistered; only the description
 * shows it: https://docs.aws.amazon.com/elasticloadbalancing/latest/classic/config-conn-drain.html
 *
 * A description "can contain one or more" messages, in no order that is documented:
 * https://docs.aws.amazon.com/elasticloadbalancing/2012-06-01/APIReference/API_InstanceState.html
 */
const LEAVING = 'Instance deregistration currently in progress';

/** In a zone that the load balancer isn't enabled in nothing is served, whatever runs there. */
const OUTSIDE = /Availability Zone for which LoadBalancer is not configured|Disable Availability Zone is/;

/** One that comes says either, or both; one that has failed checks says so, too. */
const STARTING =
  /registration is still in progress|has not passed the configured HealthyThreshold|in pending state/;
const FAILED = 'failed at least the UnhealthyThreshold';

function healthOfInstance({ State = '', Description = NOTHING }: InstanceState): TargetHealth {
  const healthy = State === 'InService' && !Description.includes(LEAVING);
  const starting = State === 'OutOfService' && STARTING.test(Description) && !Description.includes(FAILED);
  return {
    healthy,
    ...(State === 'Unknown' && { unknown: true }),
    ...(State === 'OutOfService' && OUTSIDE.test(Description) && { barred: true }),
    ...(starting && { starting }),
    state: State,
    description: Description === NOTHING ? undefined : Description,
  };
}

/** What a classic load balancer writes for nothing. */
const NOTHING = 'N/A';

/** The default depends on how it was made. */
export async function servesZonesApart(aws: Aws, name: string): Promise<boolean> {
  const { LoadBalancerAttributes: { CrossZoneLoadBalancing } = {} } = await loadBalancingOf(aws).send(
    new DescribeLoadBalancerAttributesCommand({ LoadBalancerName: name }),
  );
  return CrossZoneLoadBalancing?.Enabled !== true;
}

/** How long it may let requests to an instance run out. */
export async function deregistrationSeconds(aws: Aws, name: string): Promise<number> {
  const { LoadBalancerAttributes: { ConnectionDraining } = {} } = await loadBalancingOf(aws).send(
    new DescribeLoadBalancerAttributesCommand({ LoadBalancerName: name }),
  );
  return ConnectionDraining?.Enabled ? (ConnectionDraining.Timeout ?? DRAINING_SECONDS) : 0;
}

/** AWS's default. */
const DRAINING_SECONDS = 300;
