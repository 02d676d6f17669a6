import { registrationsOf } from '../world/ecs/agents.ts';
import { ANYBODYS_CUSTOMS } from './customs.ts';
import type { Expectations } from './expectations.ts';

/**
 * What is asked of every roller, whoever wrote it: that nobody notices it while it rolls, and that all is as before once it has,
 * but for the image. How many instances it replaces at once, how large it makes the group meanwhile and how many old launch
 * specs it keeps is its own affair, as long as its services, its tasks and its neighbours don't suffer for it.
 */
export const OF_ANYBODY: Expectations = {
  maxSurge: Number.POSITIVE_INFINITY,
  drainConcurrency: Number.POSITIVE_INFINITY,
  drainsThatStarve: Number.POSITIVE_INFINITY,
  keepLaunchSpecs: Number.POSITIVE_INFINITY,
  raisesMaxSize: true,
};

/**
 * Of a roller that ends members before it has others in their place, such as on reserved capacity: so many may be missing at
 * once, and what drains is known to go.
 */
export const inPlace = (missing: number): Expectations => ({
  inPlace: true,
  drainConcurrency: missing,
  allowsFewerTargets: true,
  customs: () => ({
    ...ANYBODYS_CUSTOMS,
    isGoing: (instance) => registrationsOf(instance).some(({ status }) => status === 'DRAINING'),
  }),
});
