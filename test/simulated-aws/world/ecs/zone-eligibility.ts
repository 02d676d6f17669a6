import type { Service } from './model.ts';
import { ZONE_ATTRIBUTE } from './placement-ranking.ts';

type Kind = Pick<
  Service,
  'strategy' | 'launchType' | 'maximumPercent' | 'placementStrategy' | 'expressions' | 'definition'
>;

/**
 * Whether ECS can rebalance a service across zones, as it does unless told not to. Classic load balancers
 * rule it out, but no service here has one.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service-rebalancing.html
 */
export function isRebalanceable(service: Kind): boolean {
  const { strategy, launchType, maximumPercent, placementStrategy, expressions, definition } = service;
  const [first] = placementStrategy;
  const spreadsByZone = first === undefined || (first.type === 'spread' && first.field === ZONE_ATTRIBUTE);
  const constraints = [...expressions, ...definition.expressions];
  return (
    strategy === 'REPLICA' &&
    launchType !== 'EXTERNAL' &&
    maximumPercent !== 100 &&
    spreadsByZone &&
    !constraints.some((expression) => expression.includes(ZONE_ATTRIBUTE))
  );
}
