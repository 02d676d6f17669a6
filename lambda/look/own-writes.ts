import type { DescribedGroup } from '../aws/autoscaling.ts';
import { GROUP_TAGS, type Tags } from '../contract.ts';

/** For this long AWS may answer as if a group or its tags had not been written yet. */
export const LAG_MILLISECONDS = 60_000;

/**
 * What this invocation has written on the tags of groups. AWS's reads may lag behind its writes, and we must
 * not decide on a look from before our own.
 */
export interface OwnWrites {
  /** Notes tags as written; undefined for removed ones. */
  note(group: string, tags: Readonly<Record<string, string | undefined>>, at: Date): void;
  /** Whether a record seems to be from before a write of ours. */
  isStale(
    record: Pick<DescribedGroup, 'name' | 'tags'> & Partial<Pick<DescribedGroup, 'untrusted'>>,
    now: Date,
  ): boolean;
}

interface Write {
  /** All known earlier values of the tag. */
  readonly earlier: ReadonlySet<string | undefined>;
  readonly after: string | undefined;
  readonly at: Date;
}

export function ownWrites(): OwnWrites {
  const seen = new Map<string, Tags>();
  const written = new Map<string, Map<string, Write>>();
  return {
    note(group, tags, at) {
      const writes = written.get(group) ?? new Map<string, Write>();
      for (const [key, after] of Object.entries(tags)) {
        const last = writes.get(key);
        const before = seen.get(group)?.[key];
        const earlier = new Set([...(last === undefined ? [] : [...last.earlier, last.after]), before]);
        if (before !== after || last !== undefined) writes.set(key, { earlier, after, at });
      }
      written.set(group, writes);
    },
    isStale({ name, tags, untrusted = [] }, now) {
      const writes = [...(written.get(name) ?? [])];
      const isEarlier = writes.some(
        ([key, { earlier, after, at }]) =>
          tags[key] !== after &&
          (earlier.has(tags[key]) || isOfEarlierRoll(key, tags[key], after)) &&
          // An untrusted value is somebody else's, not an earlier one of ours.
          !untrusted.includes(key) &&
          now.getTime() - at.getTime() < LAG_MILLISECONDS,
      );
      if (isEarlier) return true;
      // Otherwise somebody else has written it since, and it stays. The next read may be an earlier one.
      seen.set(name, tags);
      return false;
    },
  };
}

/** A read may also be from before one that we have had: of the roll before the one that we began. */
function isOfEarlierRoll(key: string, startedAt = '', ours = ''): boolean {
  return key === GROUP_TAGS.startedAt && startedAt < ours;
}
