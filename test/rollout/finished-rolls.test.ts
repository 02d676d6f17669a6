import { describe, expect, test } from 'vitest';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import type { Expectations } from '../invariants/invariants.ts';
import type { Group } from '../simulated-aws/world/autoscaling/model.ts';
import type { standardScenario } from '../simulated-aws/world/scenario.ts';
import { groupOf } from './happenings.ts';
import { only } from './outcomes.ts';
import { type Stage, standardStage } from './stage.ts';

const DAY_SECONDS = 86_400;
const INSTANCES = 3;

type LaunchSpec = Parameters<typeof standardScenario>[0]['launchSpec'];

function staged(
  launchSpec: LaunchSpec,
  endings: Expectations['endings'],
  lambdaSeconds?: number,
  {
    environment = { CANARY: '1', MAX_SURGE: '1' },
    target,
  }: { environment?: Readonly<Record<string, string>>; target?: string } = {},
): Stage {
  return standardStage(
    { instances: INSTANCES, launchSpec },
    {
      lambdaSeconds,
      environment,
      expectations: { maxSurge: 1, endings, ...(target && { targetImageId: target }) },
    },
  );
}

type TagValue = ReturnType<Group['tags']['get']>;

/** Our tags as they are once `isAt` holds for the first time, in the midst of a roll. */
function noteTags(staging: Stage, isAt: (tags: Group['tags']) => boolean): Map<string, TagValue> {
  const noted = new Map<string, TagValue>();
  const group = groupOf(staging);
  staging.world.subscribe(() => {
    if (noted.size > 0 || !isAt(group.tags)) return;
    for (const [key, tag] of group.tags) if (key.startsWith('ecs-ami-deploy-')) noted.set(key, { ...tag });
  });
  return noted;
}

function putBack(staging: Stage, noted: ReadonlyMap<string, TagValue>, course?: string): void {
  expect(noted.size).toBeGreaterThan(3);
  const { tags } = groupOf(staging);
  for (const [key, tag] of noted) if (tag) tags.set(key, { ...tag });
  if (course) tags.set(GROUP_TAGS.course, { value: course, propagatesAtLaunch: false });
}

const isPast = (key: string, begins: string) => (tags: Group['tags']) =>
  tags.get(key)?.value.startsWith(begins) ?? false;
const isMidway = isPast(GROUP_TAGS.canary, 'passed');

const idsIn = (staging: Stage) => [...groupOf(staging).members.keys()].sort();
const imagesIn = (staging: Stage) =>
  new Set([...groupOf(staging).members.values()].map(({ instance }) => instance.imageId));

describe.each(['launch-template', 'launch-configuration'] as const)(
  'tags of a finished roll by %s, put back',
  (launchSpec) => {
    test.each([1, 30, 60, 90])('after %d days with a request, take nothing back', async (days) => {
      const staging = staged(launchSpec, ['completed', 'completed']);
      const noted = noteTags(staging, isMidway);
      await staging.invoke();
      await staging.finish();
      const ids = idsIn(staging);
      staging.clock.advance(days * DAY_SECONDS);
      putBack(staging, noted, 'rollback');
      await staging.roll({ action: 'continue' });
      expect(idsIn(staging)).toEqual(ids);
      expect([...groupOf(staging).tags.keys()].filter((key) => key.startsWith('ecs-ami-deploy-'))).toEqual(
        [],
      );
    });

    test.each([0.01, 10, 60])(
      'after %d days, when it was rolled back by order, begin nothing, though its image passed a trial',
      async (days) => {
        const staging = staged(launchSpec, ['rolled-back', 'aborted']);
        const noted = noteTags(staging, isMidway);
        const rolling = staging.invoke();
        while (noted.size === 0) await staging.clock.drive(staging.clock.sleep(1));
        await Promise.all([rolling, staging.invoke({ action: 'rollback' })]);
        await staging.finish();
        const ids = idsIn(staging);
        staging.clock.advance(days * DAY_SECONDS);
        putBack(staging, noted);
        groupOf(staging).tags.delete(GROUP_TAGS.rejected);
        expect(only(await staging.invoke({ action: 'continue' })).because).toMatch(/only its tags are left/);
        await staging.finish();
        expect(idsIn(staging)).toEqual(ids);
        staging.invariants.assertFinished();
      },
    );

    test.each([{ MODE: 'plan' }, { ANNOUNCE_MINUTES: '60' }, {}])(
      'without its image, once there is a newer one, begin no roll with %j',
      async (settings) => {
        const environment: Record<string, string> = { CANARY: '1', MAX_SURGE: '1' };
        const target = 'ami-00000000000000002';
        const staging = staged(launchSpec, ['completed', 'aborted'], undefined, { environment, target });
        const noted = noteTags(staging, isMidway);
        await staging.invoke();
        await staging.finish();
        const ids = idsIn(staging);
        staging.clock.advance(DAY_SECONDS);
        staging.world.release('amazon-linux-2023');
        Object.assign(environment, settings);
        noted.delete(GROUP_TAGS.image);
        putBack(staging, noted);
        await staging.invoke({ action: 'continue' });
        await staging.finish();
        expect(idsIn(staging)).toEqual(ids);
        expect(groupOf(staging).tags.has(GROUP_TAGS.rejected)).toBe(false);
        staging.invariants.assertFinished();
      },
    );

    test('in the midst of the next roll, takes that one back by no more than its own image', async () => {
      const staging = staged(launchSpec, ['completed', 'completed']);
      const noted = noteTags(staging, isMidway);
      await staging.invoke();
      await staging.finish();
      const [second] = imagesIn(staging);
      staging.clock.advance(DAY_SECONDS);
      staging.world.release('amazon-linux-2023');
      let isDone = false;
      staging.world.subscribe(() => {
        if (isDone || !isMidway(groupOf(staging).tags)) return;
        isDone = true;
        putBack(staging, noted, 'rollback');
      });
      await staging.invoke();
      await staging.finish();
      expect(isDone).toBe(true);
      const images = imagesIn(staging);
      expect(images.size).toBe(1);
      const oldest = [...staging.world.state.images.keys()][0];
      expect([...images]).not.toContain(oldest);
      expect(second).not.toBe(oldest);
    });
  },
);

test.each([10, 60])(
  'tags of a roll that went back, put back after %d days of its image, need somebody who orders it',
  async (days) => {
    const staging = staged('launch-template', ['rolled-back', 'completed', 'rolled-back'], 200);
    const noted = noteTags(staging, isPast(GROUP_TAGS.course, 'rollback 2026'));
    await staging.invoke();
    await staging.invoke({ action: 'rollback' });
    await staging.finish();
    expect(staging.endings).toEqual(['rolled-back']);
    staging.clock.advance(5 * DAY_SECONDS);
    await staging.invoke({ action: 'roll', force: true });
    await staging.finish();
    const ids = idsIn(staging);
    staging.clock.advance(days * DAY_SECONDS);
    putBack(staging, noted);
    await staging.invoke({ action: 'continue' });
    expect(only(await staging.invoke({ action: 'continue' })).state).toBe('blocked');
    expect(idsIn(staging)).toEqual(ids);
    await staging.roll({ action: 'rollback' });
    expect(idsIn(staging)).not.toEqual(ids);
  },
);
