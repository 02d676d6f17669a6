import { type PlacementGroup as Described, DescribePlacementGroupsCommand } from '@aws-sdk/client-ec2';
import { type Operation, on } from '../../account/operation.ts';
import { ec2Filter, type Filterable } from '../filters.ts';
import type { State } from '../state.ts';

export interface PlacementGroup {
  readonly id: string;
  readonly name: string;
  readonly strategy: 'cluster' | 'partition' | 'spread';
}

/** Of a spread one at rack level, in one zone. */
const MOST_IN_ZONE = 7;

export function addPlacementGroup(
  state: State,
  { name, strategy = 'spread' }: Pick<PlacementGroup, 'name'> & Partial<PlacementGroup>,
): PlacementGroup {
  const group = { id: state.ids.next('pg-'), name, strategy };
  state.placementGroups.set(group.id, group);
  return group;
}

/** By its name or its id. */
export const findPlacementGroup = ({ placementGroups }: State, named: string) =>
  [...placementGroups.values()].find(({ id, name }) => named === id || named === name);

/**
 * "it supports a maximum of seven running instances in each Availability Zone. … the instance does not
 * launch": in which words isn't said, nor whether one that shuts down still counts: here it does, which is
 * worse.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/placement-strategies.html
 */
export function placementProblem(state: State, named: string, zone: string): string | undefined {
  const group = findPlacementGroup(state, named);
  if (!group) return `The Placement Group '${named}' is unknown.`;
  const inZone = [...state.instances.values()].filter(
    ({ placementGroup, availabilityZone, state: now }) =>
      placementGroup === group && availabilityZone === zone && now !== 'stopped' && now !== 'terminated',
  );
  if (group.strategy !== 'spread' || inZone.length < MOST_IN_ZONE) return undefined;
  return `Placement Group '${group.name}' has ${MOST_IN_ZONE} instances in ${zone} already.`;
}

const FILTERED: Filterable<PlacementGroup> = {
  operation: 'DescribePlacementGroups',
  tagsOf: () => new Map(),
  fields: { 'group-name': ({ name }) => [name], strategy: ({ strategy }) => [strategy] },
};

/** https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribePlacementGroups.html */
export const placementGroupOperation = (state: State): Operation =>
  on(DescribePlacementGroupsCommand, { Filters: 'all' }, ({ Filters }) => ({
    PlacementGroups: [...state.placementGroups.values()]
      .filter(ec2Filter(Filters, FILTERED))
      .map(describePlacementGroup),
  }));

const describePlacementGroup = ({ id, name, strategy }: PlacementGroup): Described => ({
  GroupId: id,
  GroupName: name,
  Strategy: strategy,
  State: 'available',
  ...(strategy === 'spread' && { SpreadLevel: 'rack' }),
});
