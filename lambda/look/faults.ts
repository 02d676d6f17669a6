import type { GroupAssessment } from '../core/model/assessment.ts';

/** By the group's name. */
export type Faults = ReadonlyMap<string, unknown>;

/** One group's fault doesn't keep the others from being looked at. */
export async function eachOrFault<Item, Found>(
  items: readonly Item[],
  faults: Map<string, unknown>,
  nameOf: (item: Item) => string,
  look: (item: Item) => Promise<Found>,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const item of items) {
    try {
      found.push(await look(item));
    } catch (error) {
      faults.set(nameOf(item), error);
    }
  }
  return found;
}

export function nameOf({ group }: GroupAssessment): string {
  return group.name;
}
