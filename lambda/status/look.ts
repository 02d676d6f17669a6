import { awsTime } from '../aws/aws-time.ts';
import { type Aws, createAws } from '../aws/clients.ts';
import { once } from '../aws/rare.ts';
import { StateKeyUnusable } from '../aws/state-key.ts';
import { systemClock } from '../clock.ts';
import type { Settings } from '../core/model/settings.ts';
import type { GroupResult } from '../core/result.ts';
import type { Command } from '../event.ts';
import type { Journal, SequenceMember } from '../invocation.ts';
import { discoverBegun } from '../look/discover.ts';
import { rollOut } from '../look-act-loop.ts';
import { SEAL_OVERHEAD, type Seal } from '../tags/trusted-tags.ts';

/** What may be looked at beside the function that rolls: nothing of it changes anything. */
export type StatusLook = Pick<Command, 'clusters' | 'force' | 'origin'> & {
  readonly action: 'status' | 'plan';
};

/**
 * Looks with the rights of whoever runs this, by the function's own code.
 *
 * @param unsealed hears why seals can't be checked, where they can't; if it is absent, none is. Tags are
 *   taken at their word then
 * @param memberBy what has to do with the sequence that the stack is a member of
 */
export async function lookBeside(
  look: StatusLook,
  settings: Settings,
  unsealed?: (why: string) => void,
  memberBy?: (aws: Aws) => Promise<SequenceMember | undefined>,
): Promise<{ readonly aws: Aws; readonly groups: GroupResult[] }> {
  const sealed = createAws({}, {}, settings);
  const seal = unsealed ? once(() => sealOrNone(sealed.seal, unsealed)) : () => Promise.resolve(UNCHECKED);
  const aws = { ...sealed, seal };
  const now = awsTime(sealed.autoScaling);
  const invocation = {
    aws,
    settings,
    clock: { ...systemClock, now },
    journal: SILENT,
    remainingSeconds: () => Number.POSITIVE_INFINITY,
  };
  const begun = await discoverBegun(aws, look.clusters);
  const member = await memberBy?.(aws);
  const sequence = member && { sequence: member };
  const groups = await rollOut(
    { ...invocation, ...sequence },
    { ...look, asked: true, mentionedImageIds: [] },
    begun,
  );
  return { aws, groups };
}

const SILENT: Journal = { decided() {}, acting() {}, overtaken() {}, untold() {}, failed() {} };

/** Few may use the key, and before a deployment there is none. */
async function sealOrNone(seal: () => Promise<Seal>, unsealed: (why: string) => void): Promise<Seal> {
  try {
    return await seal();
  } catch (error) {
    if (!(error instanceof StateKeyUnusable)) throw error;
    unsealed(error.message);
    return UNCHECKED;
  }
}

/** For looks only: it can't seal. */
const UNCHECKED: Seal = {
  seal() {
    throw new Error("nothing can be sealed without the state key's right");
  },
  open(sealed) {
    const end = sealed.length - SEAL_OVERHEAD;
    return sealed[end] === ' ' ? sealed.slice(0, end) : undefined;
  },
};
