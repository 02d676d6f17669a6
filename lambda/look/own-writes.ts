import type { DescribedGroup } from '../aws/autoscaling.ts';
import type { Tags } from '../contract.ts';

/** So long may AWS answer as if a tag had not been written yet. */
const LAG_MILLISECONDS = 60_000;

/**
 * What this invocation has written on the tags of groups, for AWS's reads may lag behind its writes: a look
 * that shows an earlier state than one's own writes is none to decide by.
 */
export interface OwnWrites {
  /** Notes tags as they were written; undefined for those that were taken away. */
  note(group: string, tags: Readonly<Record<string, string | undefined>>, at: Date): void;
  /** Whether a record is from before a write of ours, as far as that can be told. */
  isStale(
    record: Pick<DescribedGroup, 'name' | 'tags'> & Partial<Pick<DescribedGroup, 'untrusted'>>,
    now: Date,
  ): boolean;
}

interface Write {
  /** All that the tag has said before, as far as we know. */
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
        const before = last === undefined ? seen.get(group)?.[key] : last.after;
        const earlier = new Set([...(last?.earlier ?? []), before]);
        if (before !== after) writes.set(key, { earlier, after, at });
      }
      written.set(group, writes);
    },
    isStale({ name, tags, untrusted = [] }, now) {
      const writes = [...(written.get(name) ?? [])];
      const isEarlier = writes.some(
        ([key, { earlier, after, at }]) =>
          tags[key] !== after &&
          earlier.has(tags[key]) &&
          // What doesn't hold is somebody's, and nothing from before.
          !untrusted.includes(key) &&
          now.getTime() - at.getTime() < LAG_MILLISECONDS,
      );
      if (isEarlier) return true;
      // What somebody else has written since is his, and stands.
      seen.set(name, tags);
      written.delete(name);
      return false;
    },
  };
}
