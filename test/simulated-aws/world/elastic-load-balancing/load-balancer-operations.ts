import {
  DescribeInstanceHealthCommand,
  DescribeLoadBalancerAttributesCommand,
  DescribeLoadBalancersCommand,
  type InstanceState,
} from '@aws-sdk/client-elastic-load-balancing';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import { createPager } from '../paging.ts';
import type { State } from '../state.ts';
import type { LoadBalancer, Target } from './model.ts';
import { targetsOf } from './sources.ts';

/** Those of classic load balancers. */
export function loadBalancerOperations(state: State): Operation[] {
  return [describeInstanceHealth(state), describeLoadBalancers(state), describeAttributes(state)];
}

function describeAttributes(state: State): Operation {
  return on(DescribeLoadBalancerAttributesCommand, 'all', ({ LoadBalancerName: name = '' }) => {
    const { balancesAcross: Enabled } = find(state, name);
    return { LoadBalancerAttributes: { CrossZoneLoadBalancing: { Enabled } } };
  });
}

function describeInstanceHealth(state: State): Operation {
  return on(DescribeInstanceHealthCommand, 'all', ({ LoadBalancerName: name = '', Instances: asked }) => {
    const loadBalancer = find(state, name);
    const targets = [...loadBalancer.targets.values()];
    return {
      InstanceStates: asked?.length
        ? asked.flatMap(({ InstanceId: id = '' }) => describeAsked(state, loadBalancer, id))
        : targets.filter(isLeft).map((target) => describeTarget(state, loadBalancer, target)),
    };
  });
}

function find({ loadBalancing }: State, name: string): LoadBalancer {
  const loadBalancer = loadBalancing.loadBalancers.get(name);
  // ledger: classic-health-balancer-unknown
  if (!loadBalancer)
    throw new AwsError('LoadBalancerNotFound', `There is no ACTIVE Load Balancer named '${name}'`);
  return loadBalancer;
}

/** Terminated instances aren't answered. */
const isLeft = ({ instance }: Target) => instance.state !== 'terminated';

function describeAsked(state: State, loadBalancer: LoadBalancer, id: string): InstanceState[] {
  const instance = state.instances.get(id);
  // ledger: classic-health-instance-unknown
  if (!instance) throw new AwsError('InvalidInstance', `Could not find EC2 instance ${id}.`);
  const targets = targetsOf(loadBalancer, instance);
  if (targets.length > 0)
    return targets.filter(isLeft).map((target) => describeTarget(state, loadBalancer, target));
  const Description = 'Instance is not currently registered with the LoadBalancer.';
  return [{ InstanceId: id, State: 'OutOfService', ReasonCode: 'Instance', Description }];
}

function describeTarget(
  { readings }: State,
  { isKnown, disabledZones }: LoadBalancer,
  { instance, state }: Target,
): InstanceState {
  const InstanceId = instance.id;
  if (!isKnown) return { InstanceId, State: 'Unknown', ReasonCode: 'ELB', Description: TRANSIENT };
  const isOutside = disabledZones.has(instance.availabilityZone) && state !== 'draining';
  const health = isOutside ? OUTSIDE : HEALTH[state];
  const others = readings.classicDescriptions === 'of-several' && !isOutside ? OTHERS[state] : undefined;
  return { InstanceId, ...health, ...(others && { Description: `${others} ${health.Description}` }) };
}

const IN_SERVICE = { State: 'InService', ReasonCode: 'N/A', Description: 'N/A' } as const;
const TRANSIENT = 'A transient error occurred. Please try again later.';
const OUTSIDE: InstanceState = {
  State: 'OutOfService',
  ReasonCode: 'ELB',
  Description:
    'Instance is in the EC2 Availability Zone for which LoadBalancer is not configured to route traffic to.',
};
/** Other messages, of which a description may have "one or more". */
const OTHERS: Partial<Record<Target['state'], string>> = {
  draining: 'Disable Availability Zone is currently in progress.',
  initial: 'Instance has not passed the configured HealthyThreshold number of health checks consecutively.',
};

/**
 * An instance that drains still counts as InService:
 * https://docs.aws.amazon.com/elasticloadbalancing/latest/classic/config-conn-drain.html
 */
const HEALTH: Readonly<Record<Target['state'], InstanceState>> = {
  healthy: IN_SERVICE,
  draining: { ...IN_SERVICE, Description: 'Instance deregistration currently in progress.' },
  initial: {
    State: 'OutOfService',
    ReasonCode: 'ELB',
    Description: 'Instance registration is still in progress.',
  },
  unhealthy: {
    State: 'OutOfService',
    ReasonCode: 'Instance',
    Description: 'Instance has failed at least the UnhealthyThreshold number of health checks consecutively.',
  },
};

function describeLoadBalancers(state: State): Operation {
  const page = createPager<LoadBalancer>('DescribeLoadBalancers', {
    default: 400,
    max: 400,
    tokenCode: 'ValidationError',
    limitCode: 'ValidationError',
  });
  return on(DescribeLoadBalancersCommand, 'all', ({ LoadBalancerNames: names, Marker, PageSize }) => {
    const found = names?.map((name) => find(state, name)) ?? [...state.loadBalancing.loadBalancers.values()];
    const { items, token } = page(found, { limit: PageSize, token: Marker });
    return {
      LoadBalancerDescriptions: items.map(({ name, createdAtMs, targets }) => ({
        LoadBalancerName: name,
        CreatedTime: new Date(createdAtMs),
        Instances: [...targets.values()].map(({ instance }) => ({ InstanceId: instance.id })),
      })),
      NextMarker: token,
    };
  });
}
