import { createAws } from '../lambda/aws/clients.ts';
import { StateKeyUnusable } from '../lambda/aws/state-key.ts';
import { systemClock } from '../lambda/clock.ts';
import type { GroupResult } from '../lambda/core/result.ts';
import type { Command } from '../lambda/event.ts';
import type { Journal } from '../lambda/invocation.ts';
import { discoverBegun } from '../lambda/look/discover.ts';
import { rollOut } from '../lambda/rollout.ts';
import { parseSettings } from '../lambda/settings/parse-settings.ts';
import { SEAL_OVERHEAD, type Seal } from '../lambda/tags/seal.ts';
import { Complaint } from './session.ts';

/** What may be looked at from here: nothing of it changes anything. */
export type Look = Pick<Command, 'clusters' | 'force'> & { readonly action: 'status' | 'plan' };

/**
 * Looks with the credentials of whoever runs this, by the function's own code.
 *
 * @param environment the function's settings
 * @param note hears what limits the look
 */
export async function lookHere(
  { action, clusters, force }: Look,
  environment: Readonly<Record<string, string>>,
  note: (text: string) => void,
): Promise<GroupResult[]> {
  const settings = parseSettings({ ...environment, AWS_REGION: process.env.AWS_REGION });
  const stranger = clusters.find((cluster) => !settings.clusters.includes(cluster));
  if (stranger !== undefined)
    throw new Complaint(`${stranger} isn't one of the function's clusters: ${settings.clusters.join(', ')}`);
  const sealed = createAws({}, {}, settings);
  const aws = { ...sealed, seal: once(() => sealOrNone(sealed.seal, note)) };
  const invocation = {
    aws,
    settings,
    clock: systemClock,
    journal: SILENT,
    remainingSeconds: () => Number.POSITIVE_INFINITY,
  };
  const chosen = clusters.length > 0 ? clusters : settings.clusters;
  const common = { asked: true, origin: 'command line', mentionedImageIds: [] };
  const begun = await discoverBegun(aws, chosen);
  return rollOut(invocation, { action, clusters: chosen, force, ...common }, begun);
}

const SILENT: Journal = { decided() {}, acting() {}, overtaken() {}, untold() {}, failed() {} };

/** Few people may use the key, and before a deployment there is none. */
async function sealOrNone(seal: () => Promise<Seal>, note: (text: string) => void): Promise<Seal> {
  try {
    return await seal();
  } catch (error) {
    if (!(error instanceof StateKeyUnusable)) throw error;
    note(`The seals on tags can't be checked from here, so tags are taken at their word (${error.message})`);
    return UNCHECKED;
  }
}

/** For looks only: it can't seal. */
const UNCHECKED: Seal = {
  seal() {
    throw new Complaint("nothing can be sealed without the state key's right");
  },
  open(sealed) {
    const end = sealed.length - SEAL_OVERHEAD;
    return sealed[end] === ' ' ? sealed.slice(0, end) : undefined;
  },
};

function once<Result>(ask: () => Promise<Result>): () => Promise<Result> {
  let asked: Promise<Result> | undefined;
  return () => {
    asked ??= ask();
    return asked;
  };
}
