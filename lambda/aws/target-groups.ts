import {
  DescribeLoadBalancerAttributesCommand,
  DescribeTargetGroupAttributesCommand,
  DescribeTargetGroupsCommand,
  DescribeTargetHealthCommand,
  ElasticLoadBalancingV2Client,
  type TargetGroupAttribute,
  type TargetHealthDescription,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import type { TargetHealth } from '../core/model/group.ts';
import { type Aws, rareClient } from './clients.ts';

export const loadBalancingV2Of = rareClient(ElasticLoadBalancingV2Client, 'elasticloadbalancing');

/** One target of a target group. */
export interface RegisteredTarget extends TargetHealth {
  /** An instance, or an address. */
  readonly id: string;
  readonly port?: number;
  /** It is being deregistered. */
  readonly leaving: boolean;
}

/** All of a target group, those that leave included. */
export async function targetsIn(aws: Aws, arn: string): Promise<RegisteredTarget[]> {
  // This call isn't paginated: its answer has every target.
  const { TargetHealthDescriptions: all = [] } = await loadBalancingV2Of(aws).send(
    new DescribeTargetHealthCommand({ TargetGroupArn: arn }),
  );
  const isUnused = all.filter((each) => !isLeaving(each) && !isStopped(each)).every(servesNobody);
  return all.map((each) => targetOf(each, isUnused));
}

function targetOf(described: TargetHealthDescription, isUnused: boolean): RegisteredTarget {
  const { Target: { Id = '', Port } = {}, TargetHealth = {}, AdministrativeOverride: override } = described;
  const { State = '', Reason, Description } = TargetHealth;
  const shifted = override?.State === SHIFTED;
  return {
    id: Id,
    leaving: isLeaving(described),
    healthy: !shifted && (State === 'healthy' || (isUnused && servesNobody(described))),
    state: shifted ? SHIFTED : State,
    description: (shifted ? override.Description : undefined) ?? Description ?? Reason,
    ...(Port !== undefined && { port: Port }),
    ...(shifted && { shifted }),
    ...(State === 'initial' && { starting: true }),
    ...(isUnknown(described) && { unknown: true }),
    ...((Reason === IP_UNUSABLE || (Reason === NOT_IN_USE && !isUnused)) && { barred: true }),
  };
}

/**
 * A load balancer "stops routing new traffic" to such a target, whatever its state.
 * https://docs.aws.amazon.com/elasticloadbalancing/latest/application/zonal-shift.html
 */
const SHIFTED = 'zonal_shift_active';

function isLeaving({ TargetHealth }: TargetHealthDescription): boolean {
  return TargetHealth?.State === 'draining';
}

/** It serves nobody either way, so that it doesn't tell whether its target group is used. */
function isStopped({ TargetHealth }: TargetHealthDescription): boolean {
  return TargetHealth?.Reason === 'Target.InvalidState';
}

const NOT_IN_USE = 'Target.NotInUse';
/** "The target IP address is reserved for use by a load balancer." */
const IP_UNUSABLE = 'Target.IpUnusable';

/**
 * Targets of a target group that no load balancer uses are `unused`: they have nobody to serve. For the same
 * reason is one "in an Availability Zone that is not enabled for its load balancer", where others of its
 * target group are of use, or its description says so.
 * https://docs.aws.amazon.com/elasticloadbalancing/latest/APIReference/API_TargetHealth.html
 */
function servesNobody({ TargetHealth: { Reason, Description = '' } = {} }: TargetHealthDescription): boolean {
  return Reason === NOT_IN_USE && !/Availability Zone/i.test(Description);
}

/** By the load balancer's "internal error", whether `unavailable` or `unhealthy`. */
function isUnknown({ TargetHealth }: TargetHealthDescription): boolean {
  return TargetHealth?.Reason === 'Elb.InternalError';
}

/** By instance id. */
export async function healthOfTargets(aws: Aws, arn: string): Promise<Map<string, TargetHealth>> {
  const byInstance = new Map<string, RegisteredTarget[]>();
  for (const target of await targetsIn(aws, arn))
    byInstance.set(target.id, [...(byInstance.get(target.id) ?? []), target]);
  return new Map([...byInstance].map(([id, ports]) => [id, healthOfPorts(ports)]));
}

/**
 * With dynamic ports an instance is several targets. It serves properly if all that aren't draining are
 * healthy.
 */
function healthOfPorts(ports: readonly RegisteredTarget[]): TargetHealth {
  const staying = ports.filter(({ leaving }) => !leaving);
  const unhealthy = staying.filter(({ healthy }) => !healthy);
  const known = unhealthy.filter(({ unknown }) => !unknown);
  const failing = known.find(({ starting }) => !starting);
  const worst = failing ?? known[0] ?? unhealthy[0] ?? staying[0] ?? ports[0];
  const { state = '', description, unknown, barred, shifted, starting } = worst ?? {};
  return {
    healthy: staying.length > 0 && unhealthy.length === 0,
    ...(unknown && { unknown }),
    ...(barred && { barred }),
    ...(shifted && { shifted }),
    ...(starting && { starting }),
    state,
    description,
  };
}

/**
 * What the target group says of cross-zone load balancing comes before what its load balancer says; a Gateway
 * Load Balancer's target group says nothing of it.
 * https://docs.aws.amazon.com/elasticloadbalancing/latest/APIReference/API_TargetGroupAttribute.html
 */
export async function servesZonesApart(aws: Aws, arn: string): Promise<boolean> {
  const client = loadBalancingV2Of(aws);
  const ofTargetGroup = crossZoneIn(await attributesOf(aws, arn));
  if (ofTargetGroup === 'true' || ofTargetGroup === 'false') return ofTargetGroup === 'false';
  const { TargetGroups = [] } = await client.send(
    new DescribeTargetGroupsCommand({ TargetGroupArns: [arn] }),
  );
  for (const LoadBalancerArn of TargetGroups.flatMap(({ LoadBalancerArns = [] }) => LoadBalancerArns)) {
    // Of an Application Load Balancer it "can't be changed".
    if (LoadBalancerArn.includes(':loadbalancer/app/')) continue;
    const { Attributes: theirs } = await client.send(
      new DescribeLoadBalancerAttributesCommand({ LoadBalancerArn }),
    );
    if (crossZoneIn(theirs) !== 'true') return true;
  }
  return false;
}

async function attributesOf(aws: Aws, arn: string): Promise<TargetGroupAttribute[]> {
  const command = new DescribeTargetGroupAttributesCommand({ TargetGroupArn: arn });
  const { Attributes = [] } = await loadBalancingV2Of(aws).send(command);
  return Attributes;
}

function crossZoneIn(attributes: TargetGroupAttribute[] = []): string | undefined {
  return attributes.find(({ Key }) => Key === 'load_balancing.cross_zone.enabled')?.Value;
}

/**
 * The share of its registered targets, in percent, below which it sends requests to unhealthy ones as well,
 * or its load balancer fails over; 0 if that is off.
 * https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-target-groups.html
 */
export async function leastHealthyPercent(aws: Aws, arn: string): Promise<number> {
  const percents = (await attributesOf(aws, arn)).filter(({ Key = '' }) => LEAST_HEALTHY.test(Key));
  return Math.max(0, ...percents.map(({ Value }) => Number(Value) || 0));
}

const LEAST_HEALTHY =
  /^target_group_health\.(dns_failover|unhealthy_state_routing)\.minimum_healthy_targets\.percentage$/;

/**
 * How long the target group may let requests to a target run out.
 * https://docs.aws.amazon.com/elasticloadbalancing/latest/APIReference/API_TargetGroupAttribute.html
 */
export async function deregistrationSeconds(aws: Aws, arn: string): Promise<number> {
  const delay = (await attributesOf(aws, arn)).find(
    ({ Key }) => Key === 'deregistration_delay.timeout_seconds',
  );
  return Number(delay?.Value ?? DEREGISTRATION_SECONDS);
}

/** AWS's default. */
const DEREGISTRATION_SECONDS = 300;
