import {
  type TargetGroup as Described,
  DescribeLoadBalancerAttributesCommand,
  DescribeTargetGroupAttributesCommand,
  DescribeTargetGroupsCommand,
  DescribeTargetHealthCommand,
  type TargetDescription,
  type TargetHealthDescription,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import { createPager } from '../paging.ts';
import type { State } from '../state.ts';
import { type TargetGroupView, type TargetView, targetGroupViews } from './target-group-views.ts';

export function targetGroupOperations(state: State): Operation[] {
  return [
    describeTargetHealth(state),
    describeTargetGroups(state),
    describeTargetGroupAttributes(state),
    describeLoadBalancerAttributes(state),
  ];
}

function describeTargetHealth(state: State): Operation {
  return on(
    DescribeTargetHealthCommand,
    { TargetGroupArn: 'all', Targets: { Id: 'all', Port: 'all' } },
    ({ TargetGroupArn: arn = '', Targets: asked }) => {
      const targetGroup = find(state, arn);
      const { targets } = targetGroup;
      return {
        TargetHealthDescriptions: asked?.length
          ? asked.flatMap((one) => describeAsked(state, targetGroup, one))
          : targets.map((target) => describeTarget(state, targetGroup, target)),
      };
    },
  );
}

function find(state: State, arn: string): TargetGroupView {
  // ledger: target-health-arn
  if (!arn.includes(':targetgroup/'))
    throw new AwsError('ValidationError', `'${arn}' is not a valid target group ARN`);
  return targetGroupViews(state).find((one) => one.arn === arn) ?? notFound();
}

function notFound(): never {
  // ledger: target-health-group-unknown
  throw new AwsError('TargetGroupNotFound', 'One or more target groups not found');
}

/** Without a port, the target group's own is meant. */
function describeAsked(
  state: State,
  targetGroup: TargetGroupView,
  { Id, Port = targetGroup.port }: TargetDescription,
): TargetHealthDescription[] {
  const found = targetGroup.targets.filter(({ id, port }) => id === Id && port === Port);
  if (found.length > 0) return found.map((target) => describeTarget(state, targetGroup, target));
  const TargetHealth = {
    State: 'unused',
    Reason: 'Target.NotRegistered',
    Description: 'Target is not registered to the target group',
  } as const;
  return [{ Target: { Id, Port }, TargetHealth }];
}

const describeTarget = (
  state: State,
  targetGroup: TargetGroupView,
  target: TargetView,
): TargetHealthDescription => ({
  Target: { Id: target.id, Port: target.port },
  HealthCheckPort: `${target.port}`,
  TargetHealth: healthOf(targetGroup, target),
  ...overrideOf(state, targetGroup, target),
});

/**
 * It is "independent from the `TargetHealth` state".
 * https://docs.aws.amazon.com/elasticloadbalancing/latest/application/zonal-shift.html
 */
function overrideOf(
  { loadBalancing: { shifts } }: State,
  { arn, balancer = 'application', isInUse }: TargetGroupView,
  { zone }: TargetView,
): Pick<TargetHealthDescription, 'AdministrativeOverride'> {
  if (!isInUse || balancer === 'gateway') return {};
  return { AdministrativeOverride: zone !== undefined && shifts.get(arn) === zone ? SHIFTED : NOT_SHIFTED };
}

const SHIFTED = {
  State: 'zonal_shift_active',
  Reason: 'AdministrativeOverride.ZonalShiftActive',
  Description: 'Zonal shift is active in target Availability Zone',
} as const;

const NOT_SHIFTED = {
  State: 'no_override',
  Reason: 'AdministrativeOverride.NoOverride',
  Description: 'No override is currently active on target',
} as const;

function healthOf({ isInUse, isKnown = true }: TargetGroupView, { state, zoneDisabled }: TargetView) {
  if (!isInUse && state !== 'draining') return NOT_IN_USE;
  if (!isKnown) return UNAVAILABLE;
  return zoneDisabled && state !== 'draining' ? ZONE_DISABLED : HEALTH[state];
}

const UNAVAILABLE = {
  State: 'unavailable',
  Reason: 'Elb.InternalError',
  Description: 'Target health is unavailable due to an internal error',
} as const;
/** https://docs.aws.amazon.com/elasticloadbalancing/latest/APIReference/API_TargetHealth.html */
const HEALTH: Readonly<Record<TargetView['state'], TargetHealthDescription['TargetHealth']>> = {
  healthy: { State: 'healthy' },
  initial: {
    State: 'initial',
    Reason: 'Elb.InitialHealthChecking',
    Description: 'Initial health checks in progress',
  },
  unhealthy: {
    State: 'unhealthy',
    Reason: 'Target.FailedHealthChecks',
    Description: 'Health checks failed',
  },
  draining: {
    State: 'draining',
    Reason: 'Target.DeregistrationInProgress',
    Description: 'Target deregistration is in progress',
  },
};

const NOT_IN_USE = {
  State: 'unused',
  Reason: 'Target.NotInUse',
  Description: 'Target group is not configured to receive traffic from the load balancer',
} as const;

/** https://docs.aws.amazon.com/elasticloadbalancing/latest/application/target-group-health-checks.html */
const ZONE_DISABLED = {
  State: 'unused',
  Reason: 'Target.NotInUse',
  Description: 'Target is in an Availability Zone that is not enabled for the load balancer',
} as const;

function describeTargetGroups(state: State): Operation {
  const page = createPager<TargetGroupView>('DescribeTargetGroups', {
    default: 400,
    max: 400,
    tokenCode: 'ValidationError',
    limitCode: 'ValidationError',
  });
  return on(DescribeTargetGroupsCommand, 'all', (input) => {
    const all = targetGroupViews(state);
    const arns = input.TargetGroupArns?.map((arn) => find(state, arn));
    const named = input.Names?.map((name) => all.find((one) => one.name === name) ?? notFound());
    const { LoadBalancerArn: balancer } = input;
    const balanced = balancer && all.filter((one) => loadBalancerArns(one).includes(balancer));
    const found = arns ?? named ?? (balanced || all);
    const { items, token } = page(found, { limit: input.PageSize, token: input.Marker });
    return { TargetGroups: items.map(describe), NextMarker: token };
  });
}

const PATHS = { application: 'app', network: 'net', gateway: 'gwy' } as const;

const loadBalancerArns = ({ arn, isInUse, balancer = 'application' }: TargetGroupView) =>
  isInUse ? [arn.replace(':targetgroup/', `:loadbalancer/${PATHS[balancer]}/`)] : [];

const CROSS_ZONE = 'load_balancing.cross_zone.enabled';
const LEAST_HEALTHY = 'target_group_health.unhealthy_state_routing.minimum_healthy_targets.percentage';

/** https://docs.aws.amazon.com/elasticloadbalancing/latest/APIReference/API_TargetGroupAttribute.html */
function describeTargetGroupAttributes(state: State): Operation {
  return on(DescribeTargetGroupAttributesCommand, 'all', ({ TargetGroupArn: arn = '' }) => {
    const targetGroup = find(state, arn);
    const { balancer, crossZone = 'use_load_balancer_configuration', leastHealthyPercent } = targetGroup;
    const delay = { Key: 'deregistration_delay.timeout_seconds', Value: '300' };
    if (balancer === 'gateway') return { Attributes: [delay] };
    return {
      Attributes: [
        delay,
        { Key: CROSS_ZONE, Value: crossZone },
        { Key: LEAST_HEALTHY, Value: leastHealthyPercent === undefined ? 'off' : `${leastHealthyPercent}` },
      ],
    };
  });
}

/** https://docs.aws.amazon.com/elasticloadbalancing/latest/APIReference/API_LoadBalancerAttribute.html */
function describeLoadBalancerAttributes(state: State): Operation {
  return on(DescribeLoadBalancerAttributesCommand, 'all', ({ LoadBalancerArn: arn = '' }) => {
    const user = targetGroupViews(state).find((one) => loadBalancerArns(one).includes(arn));
    // ledger: balancer-attributes-unknown
    if (!user) throw new AwsError('LoadBalancerNotFound', `Load balancer '${arn}' not found`);
    const { balancesAcross = true } = user;
    return {
      Attributes: [
        { Key: 'deletion_protection.enabled', Value: 'false' },
        { Key: CROSS_ZONE, Value: `${balancesAcross}` },
      ],
    };
  });
}

const describe = (targetGroup: TargetGroupView): Described => ({
  TargetGroupArn: targetGroup.arn,
  TargetGroupName: targetGroup.name,
  Protocol: 'HTTP',
  Port: targetGroup.port,
  TargetType: targetGroup.targetType,
  HealthCheckEnabled: true,
  LoadBalancerArns: loadBalancerArns(targetGroup),
});
