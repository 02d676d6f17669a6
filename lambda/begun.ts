import type { Aws } from './aws/clients.ts';
import type { Command } from './event.ts';
import { type Begun, discoverBegun } from './look/discover.ts';

/**
 * The rolls that have begun.
 *
 * @returns undefined if the command is to continue rolls and there are none, as at most ticks of the schedule
 */
export async function findBegun(aws: Aws, { action, clusters }: Command): Promise<Begun | undefined> {
  const begun = await discoverBegun(aws, clusters);
  const isNone = begun.forged.length === 0 && [...begun.groups.values()].every(({ size }) => size === 0);
  return action === 'continue' && isNone ? undefined : begun;
}
