import { GROUP_TAGS, INSTANCE_TAGS } from './contract.ts';
import type { Mark, Rollout } from './core/model.ts';

/** Tags by key, as everything in this project has them. */
export type Tags = Readonly<Record<string, string>>;

/** The tags that mark an instance for replacement. */
export function markTags(cluster: string, mark: Mark): Tags {
  return {
    [INSTANCE_TAGS.group]: mark.group,
    [INSTANCE_TAGS.terminate]: 'true',
    [INSTANCE_TAGS.cluster]: cluster,
    [INSTANCE_TAGS.detachStartedAt]: mark.detachStartedAt.toISOString(),
    ...(mark.drainStartedAt && { [INSTANCE_TAGS.drainStartedAt]: mark.drainStartedAt.toISOString() }),
  };
}

/**
 * Reads the tags of an instance: undefined unless both, the group's name and the word to terminate, are there. A time
 * that somebody has spoilt counts as now, so that a limit begins anew rather than runs out.
 */
export function readMark(tags: Tags, now: Date): Mark | undefined {
  const group = tags[INSTANCE_TAGS.group];
  if (!group || tags[INSTANCE_TAGS.terminate] !== 'true') return undefined;
  const drainStartedAt = tags[INSTANCE_TAGS.drainStartedAt];
  return {
    group,
    detachStartedAt: readTime(tags[INSTANCE_TAGS.detachStartedAt], now),
    ...(drainStartedAt !== undefined && { drainStartedAt: readTime(drainStartedAt, now) }),
  };
}

/** The tags that record a rollout on its group. */
export function rolloutTags(cluster: string, rollout: Rollout): Tags {
  return {
    [GROUP_TAGS.cluster]: cluster,
    [GROUP_TAGS.image]: rollout.imageId,
    [GROUP_TAGS.startedAt]: rollout.startedAt.toISOString(),
    ...(rollout.exact && { [GROUP_TAGS.exact]: 'true' }),
    ...(rollout.forceBefore && { [GROUP_TAGS.forceBefore]: rollout.forceBefore.toISOString() }),
  };
}

/** Reads the tags of a group: undefined when no rollout for this cluster is recorded there. */
export function readRollout(tags: Tags, cluster: string, now: Date): Rollout | undefined {
  const imageId = tags[GROUP_TAGS.image];
  if (!imageId || tags[GROUP_TAGS.cluster] !== cluster) return undefined;
  const forceBefore = tags[GROUP_TAGS.forceBefore];
  return {
    imageId,
    startedAt: readTime(tags[GROUP_TAGS.startedAt], now),
    exact: tags[GROUP_TAGS.exact] === 'true',
    ...(forceBefore !== undefined && { forceBefore: readTime(forceBefore, now) }),
  };
}

function readTime(text: string | undefined, now: Date): Date {
  const time = new Date(text ?? '');
  return Number.isNaN(time.getTime()) ? now : time;
}
