import type { Expectations } from './expectations.ts';

/**
 * What is asked of every roller, whoever wrote it: that nobody notices it while it rolls, and that all is as before once it has,
 * but for the image. How many instances it replaces at once, how large it makes the group meanwhile and how many old launch
 * specs it keeps is its own affair, as long as its services, its tasks and its neighbours don't suffer for it.
 */
export const OF_ANYBODY: Expectations = {
  roller: 'anybody',
  maxSurge: Number.POSITIVE_INFINITY,
  drainConcurrency: Number.POSITIVE_INFINITY,
  drainsThatStarve: Number.POSITIVE_INFINITY,
  keepLaunchSpecs: Number.POSITIVE_INFINITY,
  raisesMaxSize: true,
};

/** All but number 6, which is about what this project's function answers. */
export const ASKED_OF_ANYBODY: readonly number[] = [1, 2, 3, 4, 5, 7];
