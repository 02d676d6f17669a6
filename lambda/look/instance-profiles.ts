import type { Aws } from '../aws/clients.ts';
import { rare } from '../aws/rare.ts';
import type { UnusableProfile } from '../core/model/preflight-facts.ts';
import type { Warning } from '../core/reasons/warnings.ts';

/** Instance profiles, as far as IAM can be reached. */
export interface InstanceProfiles {
  /** Why some can't be read, if any can't. */
  readonly unread: () => readonly Warning[];
  /** Those of them that EC2 won't launch with. */
  unusable(names: Iterable<string>): Promise<UnusableProfile[]>;
}

/**
 * One that can't be read may well be there: it is in the way of no roll, only told of. No other is asked for
 * after it, as IAM may be out of reach for all of them, and each takes its time to show that.
 */
export function instanceProfiles(aws: Aws): InstanceProfiles {
  let unread: readonly Warning[] = [];
  return {
    unread: () => unread,
    async unusable(names) {
      const found: UnusableProfile[] = [];
      for (const name of names) {
        if (unread.length > 0) break;
        const { instanceProfileState } = await rare.instanceProfiles();
        const read = await instanceProfileState(aws, name);
        if (read.kind === 'unread')
          unread = [{ code: 'instance-profiles-unread', name, because: read.because }];
        else if (read.answer !== 'there') found.push({ name, state: read.answer });
      }
      return found;
    },
  };
}
