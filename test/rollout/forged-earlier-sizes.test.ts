import { expect, test } from 'vitest';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import { afterTag, groupOf, keepInvoking } from './happenings.ts';
import { standardStage } from './stage.ts';
import { BRISK } from './sweep.ts';

/**
 * What the function itself has noted of sizes on the same group in the same roll, and somebody puts back
 * later.
 */

const INSTANCES = 3;

/** What the notes say while the first batch of two is replaced, in their order. */
const NOTES = [
  /^\+0\/\+0 since \S+ less 0 3\/8 to 5\/8 of 2 marked$/,
  /^\+2\/\+0 over 3\/8 since \S+ less 0$/,
  /^\+2\/\+0 over 3\/8 since \S+ less 0 5\/8 to 4\/8 of 2 marked$/,
] as const;

/** Its members end in turn, so that one of them has left while another still counts. */
function scene() {
  return standardStage(
    { instances: INSTANCES, group: { maxSize: 8 } },
    {
      ...BRISK,
      environment: { ...BRISK.environment, TERMINATE_HOOKS: 'run', MAX_SURGE: '2' },
      expectations: { maxSurge: 2 },
      furnish: ({ owner }) =>
        owner.addLifecycleHook('demo-ecs', { name: 'logs', transition: 'terminating', seconds: 40 }),
    },
  );
}

test.each([1, 6])(
  'an earlier record, restored %d s after a member has left, costs no other member',
  async (seconds) => {
    for (const note of NOTES) {
      const staged = scene();
      const group = groupOf(staged);
      let earlier: string | undefined;
      let smallest = INSTANCES;
      staged.world.subscribe(() => {
        const sealed = group.tags.get(GROUP_TAGS.addedSizes)?.value ?? '';
        if (note.test(sealed.split(' ').slice(0, -2).join(' '))) earlier = sealed;
        smallest = Math.min(smallest, group.desiredCapacity);
      });
      let isPutBack = false;
      afterTag(
        staged,
        GROUP_TAGS.addedSizes,
        (held) => /^\+1\/\+0 over 3\/8 \S+ \S+ less 1$/.test(held),
        seconds,
        () => {
          if (earlier === undefined) throw new Error('nothing like it was noted');
          staged.world.forger.tagGroup(group, GROUP_TAGS.addedSizes, earlier);
          isPutBack = true;
        },
      );
      await keepInvoking(staged, 40);
      expect(isPutBack).toBe(true);
      expect(smallest).toBe(INSTANCES);
      expect(group).toMatchObject({ desiredCapacity: INSTANCES, maxSize: 8 });
      staged.invariants.assertFinished();
    }
  },
);
