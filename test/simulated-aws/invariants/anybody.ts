import { registrationsOf } from '../world/ecs/agents.ts';
import { ANYBODYS_CUSTOMS } from './customs.ts';
import type { Expectations } from './expectations.ts';

/**
 * What is asked of every roller: nobody notices it while it rolls, and afterwards only the image has changed.
 * How many instances it replaces at once, how large it makes the group meanwhile and how many old launch
 * specs it keeps is up to it, as long as services, tasks and neighbours don't suffer.
 */
export const OF_ANYBODY: Expectations = {
  maxSurge: Number.POSITIVE_INFINITY,
  drainConcurrency: Number.POSITIVE_INFINITY,
  drainsThatStarve: Number.POSITIVE_INFINITY,
  keepLaunchSpecs: Number.POSITIVE_INFINITY,
  raisesMaxSize: true,
};

/**
 * For a roller that ends members before it has replacements, such as on reserved capacity.
 * @param missing members that may be missing at once
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
