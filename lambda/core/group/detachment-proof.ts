import type { Decision } from '../actions/decision.ts';
import type { Detachment, Group, Mark, Unproven as UnprovenInstance } from '../model/group.ts';
import type { Observation } from '../model/observation.ts';
import { isOver } from '../model/time.ts';
import type { UnprovenInstances } from '../reasons/launching.ts';
import { detachedOf } from './marked.ts';

/**
 * Anyone who may tag instances can write our tags. So a mark on an instance that is not a member counts only
 * if the group's scaling activities, which only Auto Scaling can write, say that the group detached it.
 */

/** How much Auto Scaling's clock may differ from ours. */
const CLOCK_SECONDS = 60;

/** A generous limit on how long an activity takes to show up. */
export const LAG_SECONDS = 180;

/** So long after it was marked a member is detached at the latest: one marked earlier is marked anew. */
const DETACHED_SECONDS = 3600;

/** The earliest time a detachment can belong to a mark: earlier ones were the owner's. */
export function detachableSince({ detachStartedAt }: Mark): Date {
  return new Date(detachStartedAt.getTime() - CLOCK_SECONDS * 1000);
}

export function proves(detachment: Detachment | undefined, mark: Mark): boolean {
  const isSince = detachment?.kind === 'told' && detachment.at >= detachableSince(mark);
  return isSince && !disproves(detachment, mark);
}

/**
 * A later detachment is the owner's, too: of a member that stayed, whose mark was removed. Whoever has read
 * that mark may put it back.
 */
export function disproves(detachment: Detachment | undefined, mark: Mark): boolean {
  return detachment?.kind === 'told' && isOver(mark.detachStartedAt, DETACHED_SECONDS, detachment.at);
}

/** Removes marked instances that are not members and have no recorded detachment. */
export function withoutUnproven<Some extends Pick<Group, 'members' | 'warmPool' | 'instances'>>(
  group: Some,
  detachments: ReadonlyMap<string, Detachment>,
  now: Date,
): Some & Pick<Group, 'unproven'> {
  const without = detachedOf(group).filter(
    ({ instanceId, mark }) => !proves(detachments.get(instanceId), mark),
  );
  if (without.length === 0) return group;
  const unproven = without.flatMap(({ instanceId, mark }): UnprovenInstance[] => {
    const detachment = detachments.get(instanceId);
    if (disproves(detachment, mark)) return [];
    return [{ instanceId, missedSince: detachment?.kind === 'missed' ? detachment.since : now }];
  });
  const ids = new Set(without.map(({ instanceId }) => instanceId));
  const instances = group.instances.filter(({ instanceId }) => !ids.has(instanceId));
  return { ...group, instances, ...(unproven.length > 0 && { unproven }) };
}

/** Decides nothing about a group while an instance may turn out to be its own, and to be replaced. */
export function awaitProof(
  { unproven = [], detachedLately = [] }: Group,
  { now }: Pick<Observation, 'now'>,
): Decision | undefined {
  const ids = [...unproven, ...detachedLately].flatMap((each) =>
    isOver(each.missedSince, LAG_SECONDS, now) ? [] : [each.instanceId],
  );
  if (ids.length === 0) return undefined;
  return { kind: 'wait', reason: { code: 'detachment-awaited', instanceIds: ids } };
}

/** Instances that carry our tags but aren't ours; undefined if there are none. */
export function unprovenOf({
  name,
  unproven = [],
}: Pick<Group, 'name' | 'unproven'>): UnprovenInstances | undefined {
  if (unproven.length === 0) return undefined;
  return { group: name, instanceIds: unproven.map(({ instanceId }) => instanceId).sort() };
}

/** Begins nothing while the unproven instances may already use up the surge. */
export function blockedByUnproven(group: Group): Decision | undefined {
  const unproven = unprovenOf(group);
  return unproven && { kind: 'blocked', reason: { code: 'detachment-unproven', ...unproven } };
}
