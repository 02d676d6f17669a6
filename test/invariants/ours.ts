import { EXCLUDE_TAG, GROUP_TAGS, INSTANCE_TAGS, partKeys, TAG_PARTS } from '../../lambda/contract.ts';
import { openedInstance } from '../sealed.ts';
import type { Customs, TemporarySetting } from '../simulated-aws/invariants/customs.ts';
import type { Watch } from '../simulated-aws/invariants/expectations.ts';
import type { Group } from '../simulated-aws/world/autoscaling/model.ts';
import type { Instance } from '../simulated-aws/world/ec2/model.ts';
import { forgedOften, isForged } from './forged.ts';
import { isGoingBack, isTakenBack, mayRun, mayStay, outcomeOf } from './outcome.ts';

/** What all tags of the product begin with; those of owners have a colon there. */
const TAG_PREFIX = 'ecs-ami-deploy-';

const GIVEN = partKeys(GROUP_TAGS.previous, TAG_PARTS.previous);

/** How this product goes about it: by its sealed tags, as far as nobody has forged them. */
export function ourCustoms({ state, expectations }: Omit<Watch, 'customs'>): Customs {
  const forged = (group: Group, ...keys: readonly string[]) => forgedOften(state, group, ...keys);

  const tagsLeftOnGroup = (group: Group) =>
    [...group.tags.keys()].filter(
      (key) =>
        key.startsWith(TAG_PREFIX) &&
        !mayStay(key, group) &&
        !(key === GROUP_TAGS.paused && isInDoubt(group)) &&
        forged(group, key) === 0,
    );

  /** Members' marks of a roll whose begin somebody has forged count as a stranger's, and are told as such. */
  const tagsLeftOnInstance = ({ id, tags, launchedBy: group }: Instance) =>
    group?.members.has(id) && forged(group, GROUP_TAGS.startedAt) > 0
      ? []
      : [...tags.keys()].filter((key) => key.startsWith(TAG_PREFIX));

  /**
   * What a rollback leaves then is reported: nobody knows any more when the roll's launches began. Nor, of an
   * abort after it, that the roll gave the group anything, so that the rejection stays as it was.
   */
  const isForgotten = (group: Group) =>
    outcomeOf(group) === 'rolled-back' && forged(group, GROUP_TAGS.startedAt, ...GIVEN) > 0;

  return {
    isExcluded: (tags) => isSaid(tags.get(EXCLUDE_TAG)),
    isMarked: (instance) => isForged(state, instance) || bearsMark(instance),
    isGoing: (instance) =>
      openedInstance(instance).tags[INSTANCE_TAGS.terminate] === 'true' || isForged(state, instance),
    isUnknown: (instance) => isForged(state, instance),
    isGoingBack,
    isTakenBack: (instance) => isTakenBack(expectations, instance),
    outcomeOf,
    mayRun: (instance, group, target) => mayRun(instance, group, target) || isForgotten(group),
    tagsLeftOn: (one) => ('arn' in one ? tagsLeftOnGroup(one) : tagsLeftOnInstance(one)),
    forgets: (group) =>
      FORGOTTEN_WITH.flatMap(([tag, ...settings]) => (forged(group, tag) > 0 ? settings : [])),
    mistakenSurges: (group) => forged(group, GROUP_TAGS.addedSizes),
  };
}

/**
 * Nobody can tell whose group it is while half of its members aren't registered. It is left alone, which is
 * told, until they are.
 */
function isInDoubt({ members }: Group): boolean {
  const registered = [...members.values()].filter(({ instance }) => instance.containerInstance !== undefined);
  return registered.length * 2 <= members.size;
}

const FORGOTTEN_WITH: readonly (readonly [tag: string, ...settings: TemporarySetting[]])[] = [
  [GROUP_TAGS.minSize, 'minSize'],
  [GROUP_TAGS.suspended, 'suspended'],
  [GROUP_TAGS.addedSizes, 'desiredCapacity', 'maxSize'],
];

/** Mistyped, it is read gently. */
const isSaid = (value: string | undefined) => value !== undefined && value.toLowerCase() !== 'false';

function bearsMark(instance: Instance): boolean {
  const { group, terminate } = INSTANCE_TAGS;
  const { tags } = openedInstance(instance);
  return tags[terminate] === 'true' && tags[group] === instance.launchedBy?.name;
}
