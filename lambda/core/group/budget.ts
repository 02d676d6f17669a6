import type { Surge } from '../model/settings.ts';

/** Most instances that DetachInstances takes in one call. */
export const DETACH_BATCH = 20;

/**
 * How many more instances than usual there may be of a group at once: a percentage is rounded up, and never below one.
 * 100% of 6 are 6; 10% of 6 are 1; 34% of 6 are 3. Only a count of 0 is none.
 */
export function surgeCount(surge: Surge, groupSize: number): number {
  if (surge.kind === 'count') return surge.count;
  if (surge.kind === 'least') return Math.min(...surge.of.map((each) => surgeCount(each, groupSize)));
  return Math.max(1, Math.ceil((groupSize * surge.percent) / 100));
}

/** How many more members a group may have. */
export function roomFor(
  { desiredCapacity, maxSize }: { readonly desiredCapacity: number; readonly maxSize: number },
  { raiseMaxSize }: { readonly raiseMaxSize: boolean },
): number {
  return raiseMaxSize ? Number.POSITIVE_INFINITY : Math.max(0, maxSize - desiredCapacity);
}

/** Cuts a list into pieces of `size` at the most. */
export function batches<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
