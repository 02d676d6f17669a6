import { GROUP_TAGS, type Tags } from '../contract.ts';
import type { TemporaryChanges } from '../core/model/roll.ts';
import { readMinSize, writeMinSize } from './min-size-tag.ts';
import { readAddedSizes, readUnevenBy, writeAddedSizes } from './sizes-tag.ts';
import { NONE, wordsIn } from './tag-values.ts';

/**
 * The tags that record what we have to change back. All of them are always written, as one left out would
 * keep its old value.
 */
export function changesTags(
  cluster: string,
  { suspended, addedSizes, raisedMinSize, unevenBy }: TemporaryChanges,
): Tags {
  return {
    [GROUP_TAGS.cluster]: cluster,
    [GROUP_TAGS.suspended]: suspended.join(' ') || NONE,
    [GROUP_TAGS.addedSizes]: writeAddedSizes(addedSizes, unevenBy),
    [GROUP_TAGS.minSize]: writeMinSize(raisedMinSize),
  };
}

/**
 * Only those tags that differ, so that two invocations that record different changes at once don't undo
 * each other; and always the cluster's name, without which nobody would find them.
 */
export function changedTags(cluster: string, before: TemporaryChanges, changes: TemporaryChanges): Tags {
  const [old, tags] = [changesTags(cluster, before), changesTags(cluster, changes)];
  const changed = Object.entries(tags).filter(([key, value]) => old[key] !== value);
  return changed.length === 0 ? {} : { ...Object.fromEntries(changed), [GROUP_TAGS.cluster]: cluster };
}

/** Whether a group's tags still record these changes. */
export function recordsChanges(tags: Tags, changes: TemporaryChanges): boolean {
  return JSON.stringify(changesTags('', readChanges(tags))) === JSON.stringify(changesTags('', changes));
}

export function readChanges(tags: Tags): TemporaryChanges {
  const raisedMinSize = readMinSize(tags[GROUP_TAGS.minSize]);
  const unevenBy = readUnevenBy(tags[GROUP_TAGS.addedSizes]);
  return {
    suspended: wordsIn(tags[GROUP_TAGS.suspended]),
    addedSizes: readAddedSizes(tags[GROUP_TAGS.addedSizes]),
    ...(raisedMinSize && { raisedMinSize }),
    ...(unevenBy && { unevenBy }),
  };
}
