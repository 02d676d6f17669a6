import type { Assessment } from '../model/assessment.ts';
import { listIds, subject } from '../text/describe.ts';

/** AWS lets an instance have so many, not counting its own; and so many are ours. */
const MOST_TAGS = 50;
const OURS = 6;

/** What keeps our tags from instances, or would give them to those that they are not meant for. */
export function tagsInTheWay({ group, classified }: Assessment): string[] {
  const propagated = group.details?.preflight?.propagatedTags ?? [];
  const full = [...classified.drifted, ...classified.warm].filter(
    ({ instance: { otherTags = 0 } }) => otherTags + OURS > MOST_TAGS,
  );
  const ids = full.map(({ instance }) => instance.instanceId);
  return [
    ...(propagated.length === 0
      ? []
      : [
          `the group gives its tags ${listIds(propagated)} to each instance it launches, which would be taken for one to be ` +
            'replaced; take them from the group, or let them not propagate at launch',
        ]),
    ...(ids.length === 0
      ? []
      : [
          `${subject(ids, 'has', 'have')} more than ${MOST_TAGS - OURS} tags of the ${MOST_TAGS} that AWS allows, and ours need ` +
            `room for ${OURS}; take some away`,
        ]),
  ];
}
