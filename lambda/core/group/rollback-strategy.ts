import { imagesOfRoll } from '../launch-spec/previous.ts';
import type { Assessed } from '../model/assessment.ts';
import type { Group, Instance } from '../model/group.ts';
import type { Roll } from '../model/roll.ts';
import type { Settings } from '../model/settings.ts';
import { detachedOf, hasTakenLong, isMarked } from './marked.ts';
import { strategyOf } from './strategy.ts';
import { roomFor, silentBeside, surgeOf } from './surge.ts';

/** Whether a roll launched this instance with an image it now takes back. */
export function isFailed(
  roll: Roll,
  { imageId, launchedAt }: Pick<Instance, 'imageId' | 'launchedAt'>,
): boolean {
  return imagesOfRoll(roll).includes(imageId) && launchedAt >= roll.startedAt;
}

/**
 * How to replace the members of a failed roll with others of the old image, if no old instances come back in
 * their place: like any members, as long as there is room next to the old ones that keep serving; without
 * room, in place. A group that is sent requests must not serve with less, so it gets its room beyond the
 * surge.
 *
 * If a detached one takes long to drain, ECS moves its tasks to the other failed members, which are the
 * emptiest: so all of these drain in place.
 */
export function rollbackStrategy(assessed: Assessed): 'detach' | 'scale-out' | 'in-place' {
  const { group, settings } = assessed;
  switch (strategyOf(group, settings)) {
    case 'scale-out':
      return roomFor(group, settings) > 0 ? 'scale-out' : 'in-place';
    case 'detach':
      return isBeyond(group, settings) || isStuck(assessed) ? 'in-place' : 'detach';
    case 'in-place':
      return 'in-place';
  }
}

/** More have to go than may be detached. */
function isBeyond(group: Group, settings: Settings): boolean {
  const ids = new Set(group.members.map(({ instanceId }) => instanceId));
  const marked = group.instances.filter((each) => isMarked(each) && ids.has(each.instanceId));
  const chosen = marked.filter((instance) => group.roll !== undefined && isFailed(group.roll, instance));
  const room = surgeBeside(group, settings) - silentBeside(group).length;
  return room < Math.max(1, chosen.length);
}

function isStuck({ group, observation, settings }: Assessed): boolean {
  const { roll } = group;
  return detachedOf(group).some(
    (instance) =>
      roll !== undefined && isFailed(roll, instance) && hasTakenLong(instance.mark, observation, settings),
  );
}

/** How many members may be detached while old instances keep serving. */
export function surgeBeside(group: Group, settings: Settings): number {
  const { roll } = group;
  const surge = surgeOf(group, settings, roll?.changes.addedSizes.desiredCapacity);
  if (strategyOf(group, settings) === 'scale-out') return surge;
  const old = detachedOf(group).filter((instance) => roll === undefined || !isFailed(roll, instance));
  return surge - old.length;
}
