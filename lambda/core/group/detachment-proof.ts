import type { Decision } from '../actions/decision.ts';
import type { Detachment, Group, Mark, Unproven as UnprovenInstance } from '../model/group.ts';
import type { Observation } from '../model/observation.ts';
import type { Unproven } from '../model/obstacle.ts';
import { isOver } from '../model/time.ts';
import { detachedOf } from './marked.ts';

/**
 * Tags may be written by anybody who may tag instances. So a mark on an instance that is no member holds only if Auto Scaling's
 * own activities say that the group detached it: nobody can write these but Auto Scaling.
 */

/** By how much Auto Scaling's clock may differ from ours. */
const CLOCK_SECONDS = 60;

/** How long an activity may take to be told of, by far. */
export const LAG_SECONDS = 180;

/** From when on a detachment may be that of a mark: what was detached before it was marked is its owner's. */
export function detachableSince({ detachStartedAt }: Mark): Date {
  return new Date(detachStartedAt.getTime() - CLOCK_SECONDS * 1000);
}

export function proves(detachment: Detachment | undefined, mark: Mark): boolean {
  return detachment?.kind === 'told' && detachment.at >= detachableSince(mark);
}

/** Takes from a group the marked instances that are none of its members and of which no detachment is told. */
export function withoutUnproven<Some extends Pick<Group, 'members' | 'warmPool' | 'instances'>>(
  group: Some,
  detachments: ReadonlyMap<string, Detachment>,
  now: Date,
): Some & Pick<Group, 'unproven'> {
  const without = detachedOf(group).filter(
    ({ instanceId, mark }) => !proves(detachments.get(instanceId), mark),
  );
  if (without.length === 0) return group;
  const unproven = without.map(({ instanceId }): UnprovenInstance => {
    const detachment = detachments.get(instanceId);
    return { instanceId, missedSince: detachment?.kind === 'missed' ? detachment.since : now };
  });
  const ids = new Set(unproven.map(({ instanceId }) => instanceId));
  return { ...group, instances: group.instances.filter(({ instanceId }) => !ids.has(instanceId)), unproven };
}

/** Nothing is decided about a group as long as one of its own may be among what isn't proven yet. */
export function awaitProof(
  { unproven = [] }: Group,
  { now }: Pick<Observation, 'now'>,
): Decision | undefined {
  const ids = unproven.flatMap((each) =>
    isOver(each.missedSince, LAG_SECONDS, now) ? [] : [each.instanceId],
  );
  if (ids.length === 0) return undefined;
  return { kind: 'wait', reason: { code: 'detachment-awaited', instanceIds: ids } };
}

/** What bears our tags and isn't ours; undefined where there is none. */
export function unprovenOf({ name, unproven = [] }: Pick<Group, 'name' | 'unproven'>): Unproven | undefined {
  if (unproven.length === 0) return undefined;
  return { group: name, instanceIds: unproven.map(({ instanceId }) => instanceId).sort() };
}

/** Nothing is begun beside what may be as much as there may be too many at once. */
export function blockedByUnproven(group: Group): Decision | undefined {
  const unproven = unprovenOf(group);
  return unproven && { kind: 'blocked', reason: { code: 'detachment-unproven', ...unproven } };
}
