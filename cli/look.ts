import type { GroupResult } from '../lambda/core/result.ts';
import { parseSettings } from '../lambda/settings/parse-settings.ts';
import { lookBeside, type StatusLook } from '../lambda/status/look.ts';
import { Complaint } from './session.ts';
import { oneLine } from './text.ts';

/** What may be looked at from here. */
export type CliLook = Omit<StatusLook, 'origin'>;

/**
 * Looks with the credentials of whoever runs this.
 *
 * @param environment the function's settings
 * @param note hears what limits the look
 */
export async function lookHere(
  { action, clusters, force }: CliLook,
  environment: Readonly<Record<string, string>>,
  note: (text: string) => void,
): Promise<GroupResult[]> {
  const settings = parseSettings({ ...environment, AWS_REGION: process.env.AWS_REGION });
  const stranger = clusters.find((cluster) => !settings.clusters.includes(cluster));
  if (stranger !== undefined)
    throw new Complaint(`${stranger} isn't one of the function's clusters: ${settings.clusters.join(', ')}`);
  const chosen = clusters.length > 0 ? clusters : settings.clusters;
  const look = { action, clusters: chosen, force, origin: 'command line' };
  const { groups } = await lookBeside(look, settings, (why) =>
    note(`The seals on tags can't be checked from here, so tags are taken at their word (${oneLine(why)})`),
  );
  return groups;
}
