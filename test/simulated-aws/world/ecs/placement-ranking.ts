import type { PlacementStrategy } from '@aws-sdk/client-ecs';
import { notSimulated } from '../../account/aws-error.ts';
import { invalidParameter } from './lookup.ts';
import type { ContainerInstance, Service, Task } from './model.ts';

/** Compared number by number, the first that differs decides. */
type Rank = readonly number[];
type Ranking = (containerInstance: ContainerInstance) => Rank;

export const ZONE_ATTRIBUTE = 'attribute:ecs.availability-zone';

/**
 * "By default, the service scheduler attempts to balance tasks across Availability Zones", and in a zone
 * across instances.
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_UpdateService.html
 */
const BY_DEFAULT: readonly PlacementStrategy[] = [
  { type: 'spread', field: ZONE_ATTRIBUTE },
  { type: 'spread', field: 'instanceId' },
];

/** @throws AwsError for a strategy that doesn't exist or isn't simulated */
export function assertPlaceable(strategies: readonly PlacementStrategy[]): void {
  for (const strategy of strategies) numberBy(strategy, []);
}

/** The lowest is where a task of the service goes first, the highest where one is stopped first. */
export function rankingFor({ placementStrategy, tasks }: Service): Ranking {
  const strategies = placementStrategy.length > 0 ? placementStrategy : BY_DEFAULT;
  const wanted = [...tasks].filter(({ desiredStatus }) => desiredStatus === 'RUNNING');
  const numbers = strategies.map((strategy) => numberBy(strategy, wanted));
  // Between equals the emptier one: AWS names nothing.
  return (one) => [...numbers.map((numberOf) => numberOf(one)), one.reservedCpu / one.cpu];
}

export function isLower(rank: Rank, other: Rank): boolean {
  const index = rank.findIndex((number, at) => number !== other[at]);
  return index >= 0 && (rank[index] ?? 0) < (other[index] ?? 0);
}

/** https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_PlacementStrategy.html */
function numberBy(
  { type, field = '' }: PlacementStrategy,
  wanted: readonly Task[],
): (one: ContainerInstance) => number {
  if (type === 'spread') return countBy(field, wanted);
  if (type === 'binpack' && field.toLowerCase() === 'cpu') return ({ cpu, reservedCpu }) => cpu - reservedCpu;
  throw notSimulated(`a placement strategy ${type} by ${field}`);
}

/** How many tasks run where the same is said of the instance. */
function countBy(field: string, wanted: readonly Task[]): (one: ContainerInstance) => number {
  const said = valueBy(field);
  const counts = new Map<string | undefined, number>();
  for (const { containerInstance } of wanted) {
    const value = said(containerInstance);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return (one) => counts.get(said(one)) ?? 0;
}

function valueBy(field: string): (one: ContainerInstance) => string | undefined {
  if (field === 'instanceId' || field === 'host') return ({ arn }) => arn;
  if (field.startsWith('attribute:')) return ({ attributes }) => attributes.get(field.slice(10));
  // ledger: create-service-spread-field
  throw invalidParameter(`Invalid field: ${field}`);
}
