import type { Assessment } from '../model/assessment.ts';
import type { Obstacle } from '../reasons/obstacles.ts';

/** AWS allows 50 tags on an instance, not counting its own; we need 6 of them. */
const MOST_TAGS = 50;
const OURS = 6;

/** What would keep our tags off instances, or copy them to instances they aren't meant for. */
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
