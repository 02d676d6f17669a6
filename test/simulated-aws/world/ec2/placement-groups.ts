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
