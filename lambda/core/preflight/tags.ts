import type { Assessment } from '../model/assessment.ts';
import type { Obstacle } from '../model/obstacle.ts';

/** AWS lets an instance have so many, not counting its own; and so many are ours. */
const MOST_TAGS = 50;
const OURS = 6;

/** What keeps our tags from instances, or would give them to those that they are not meant for. */
export function tagsInTheWay({ group, classified }: Assessment): Obstacle[] {
  const propagated = group.details?.preflight?.propagatedTags ?? [];
  const full = [...classified.drifted, ...classified.warm].filter(
    ({ instance: { otherTags = 0 } }) => otherTags + OURS > MOST_TAGS,
  );
  const ids = full.map(({ instance }) => instance.instanceId);
  return [
    ...(propagated.length === 0 ? [] : [{ code: 'marks-propagated', keys: propagated } as const]),
    ...(ids.length === 0
      ? []
      : [{ code: 'instance-tags-full', instanceIds: ids, most: MOST_TAGS, ours: OURS } as const]),
  ];
}
