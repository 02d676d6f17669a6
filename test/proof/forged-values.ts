import { GROUP_TAGS, INSTANCE_TAGS, SETTING_TAG_PREFIX } from '../../lambda/contract.ts';
import type { Group } from '../simulated-aws/world/autoscaling/model.ts';
import type { World } from '../simulated-aws/world/world.ts';

/** What a forger would want: see `furnishForger`. */
export const DECOY = 'decoy';

export const STRANGERS = 'strangers';

/** The far future, so that ages are negative and limits never run out. */
const FAR = '2099-01-01T00:00:00.000Z';

/**
 * Tags through which somebody would get what their own rights don't allow; without seals, which they can't
 * make.
 */
export function forgedGroupTags({ state }: World, group: Group): readonly (readonly [string, string])[] {
  const decoy = [...state.images.values()].find(({ name }) => name === DECOY)?.id ?? '';
  const newest = [...state.images.values()].reduce((one, other) =>
    other.createdAtMs > one.createdAtMs && other.name !== DECOY ? other : one,
  );
  const { desiredCapacity, maxSize } = group;
  return [
    [GROUP_TAGS.cluster, 'demo'],
    [GROUP_TAGS.cluster, 'of-somebody-else'],
    [GROUP_TAGS.image, decoy],
    [GROUP_TAGS.image, ''],
    [GROUP_TAGS.exact, 'true'],
    [GROUP_TAGS.startedAt, FAR],
    [GROUP_TAGS.forceBefore, FAR],
    [GROUP_TAGS.addedSizes, `+400/+400 over ${desiredCapacity}/${maxSize}`],
    [GROUP_TAGS.addedSizes, `+${desiredCapacity - 1}/+${maxSize - 1} over 1/1`],
    [GROUP_TAGS.minSize, '0 400'],
    [GROUP_TAGS.suspended, 'Launch Terminate HealthCheck'],
    [GROUP_TAGS.previous, `=${STRANGERS}-launch-configuration`],
    [GROUP_TAGS.canary, 'passed'],
    [GROUP_TAGS.hook, `${FAR} before-batch 00c0ffee go ${FAR} ${FAR} 1`],
    [GROUP_TAGS.unsteady, 'web=0'],
    [GROUP_TAGS.because, 'it was broken'],
    [GROUP_TAGS.course, `rollback ${FAR}`],
    [GROUP_TAGS.course, 'rollback'],
    [GROUP_TAGS.paused, 'true'],
    [GROUP_TAGS.rejected, newest.id],
    [GROUP_TAGS.rejectedBecause, 'rolled back'],
    [`${SETTING_TAG_PREFIX}image`, decoy],
    [`${SETTING_TAG_PREFIX}drain-concurrency`, '10'],
    [`${SETTING_TAG_PREFIX}on-drain-timeout`, 'force'],
    [`${SETTING_TAG_PREFIX}drain-timeout-seconds`, '0.1'],
    [`${SETTING_TAG_PREFIX}max-surge`, '400'],
  ];
}

/** The four by which an instance would be ended; or one of them, or one that is too long. */
export function forgedMarks(group: Group, now: number): readonly Readonly<Record<string, string>>[] {
  const mark = {
    [INSTANCE_TAGS.group]: group.name,
    [INSTANCE_TAGS.terminate]: 'true',
    [INSTANCE_TAGS.cluster]: group.clusterName ?? '',
    [INSTANCE_TAGS.detachStartedAt]: new Date(now).toISOString(),
  };
  return [
    mark,
    mark,
    { ...mark, [INSTANCE_TAGS.detachStartedAt]: FAR },
    { [INSTANCE_TAGS.cluster]: 'jobs' },
    { [INSTANCE_TAGS.group]: 'x'.repeat(256) },
    { [INSTANCE_TAGS.drainGivenUpAt]: FAR },
  ];
}
