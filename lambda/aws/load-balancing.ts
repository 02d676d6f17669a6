import type { TargetHealth, TrafficSource } from '../core/model/group.ts';
import type { Aws } from './clients.ts';
import { hasCode } from './errors.ts';
import { OwnError } from './faults.ts';
import { rare } from './rare.ts';
import type { RegisteredTarget } from './target-groups.ts';

/** A group refers to a target group or classic load balancer that has been deleted. */
export class TrafficSourceNotFound extends OwnError {
  override readonly name = 'TrafficSourceNotFound';
  readonly source: TrafficSource;

  constructor(source: TrafficSource, cause: unknown) {
    super(`${nameOf(source)} does not exist; detach it from its Auto Scaling group or create it`, { cause });
    this.source = source;
  }
}

const nameOf = (source: TrafficSource) =>
  source.kind === 'target-group' ? `target group ${source.arn}` : `classic load balancer ${source.name}`;

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
  return orNotFound(source, async () =>
    source.kind === 'target-group'
      ? (await rare.targetGroups()).healthOfTargets(aws, source.arn)
      : (await rare.classicLoadBalancers()).healthOfInstances(aws, source.name),
  );
}

/**
 * All that a traffic source knows; a classic load balancer knows instances.
 *
 * @throws TrafficSourceNotFound
 */
export async function describeTargets(aws: Aws, source: TrafficSource): Promise<readonly RegisteredTarget[]> {
  if (source.kind === 'target-group')
    return orNotFound(source, async () => (await rare.targetGroups()).targetsIn(aws, source.arn));
  const byInstance = await describeTargetHealth(aws, source);
  return [...byInstance].map(([id, health]) => ({
    id,
    // It counts as InService until it is gone.
    leaving: health.state === 'InService' && !health.healthy,
    ...health,
  }));
}

async function orNotFound<Answer>(source: TrafficSource, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!hasCode(error, 'TargetGroupNotFoundException', 'AccessPointNotFoundException')) throw error;
    throw new TrafficSourceNotFound(source, error);
  }
}

/**
 * Whether the load balancer's nodes send requests only to targets in their own Availability Zone. One that
 * has none there answers no request, or is taken out of DNS.
 */
export async function isZonal(aws: Aws, source: TrafficSource): Promise<boolean> {
  const [reader, key] = await readerOf(source);
  return reader.servesZonesApart(aws, key);
}

/** Below which share of healthy targets it helps itself, in percent; a classic load balancer has none. */
export async function leastHealthyPercent(aws: Aws, source: TrafficSource): Promise<number> {
  if (source.kind === 'load-balancer') return 0;
  return await (await rare.targetGroups()).leastHealthyPercent(aws, source.arn);
}

/** How long the load balancer may let requests run out to what leaves it. */
export async function deregistrationSeconds(aws: Aws, source: TrafficSource): Promise<number> {
  const [reader, key] = await readerOf(source);
  return reader.deregistrationSeconds(aws, key);
}

/** What reads it, and by which key. */
async function readerOf(source: TrafficSource) {
  return source.kind === 'target-group'
    ? ([await rare.targetGroups(), source.arn] as const)
    : ([await rare.classicLoadBalancers(), source.name] as const);
}
