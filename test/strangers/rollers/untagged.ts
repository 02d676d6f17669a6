import { launchFrom } from '../change.ts';
import type { Roller } from '../roller.ts';
import { rollCarefully } from './careful.ts';

/**
 * Careful, except for the one thing that a kill in the middle needs: nothing says whose the detached
 * instances are.
 */
export const untagged: Roller = {
  name: 'untagged',
  source: 'runbooks that call `aws autoscaling detach-instances` by hand',
  roll: (job) => rollCarefully(job, { launchFrom, mark: async () => undefined }),
};
