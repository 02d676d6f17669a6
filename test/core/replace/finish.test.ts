import { describe, expect, test } from 'vitest';
import { hasRoll } from '../../../lambda/core/group/assess.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import { finish } from '../../../lambda/core/replace/finish.ts';
import {
  ago,
  assessed,
  decided,
  fresh,
  launching,
  NEWER,
  OLD,
  observe,
  old,
  PLACE,
  type Scene,
  type Sketch,
  TARGET,
  told,
} from '../builders.ts';

const end = (sketches: readonly Sketch[], scene: Scene = {}, settings: Partial<Settings> = {}) =>
  decided(observe(sketches, scene), settings);
const because = { code: 'asked' } as const;

describe('what a roll ends with', () => {
  test('is how many run its images, whether some run others, and who was left alone', () => {
    const images = [{ imageId: TARGET.imageId, name: TARGET.name }];
    const run = { count: 1, images, leftAlone: [] };
    expect(end([fresh('i-1')]).reason).toEqual({ code: 'members-run', run });
    expect(end([fresh('i-1'), old('i-3', { excluded: true })]).reason).toEqual({
      code: 'members-run',
      run: { ...run, leftAlone: ['i-3'] },
    });
    expect(end([fresh('i-1'), fresh('i-2', { image: NEWER })]).reason).toEqual({
      code: 'members-run',
      run: { ...run, count: 2, others: 'newer' },
    });
    const byAge = end([fresh('i-1'), old('i-2'), fresh('i-3', { image: NEWER })], {}, { drift: ['age'] });
    expect(byAge.reason).toEqual({ code: 'members-run', run: { ...run, count: 3, others: 'older' } });
  });

  test('is what members run, and what of the images that failed is still launched, if it was stopped', () => {
    const stopped = (sketches: readonly Sketch[], scene: Scene, kind: 'abort' | 'rollback' = 'abort') =>
      end(sketches, { ...scene, roll: { ...scene.roll, course: { kind, since: ago(60), because } } }).reason;
    const over = { code: 'roll-over', because, course: 'abort' };
    const both = [old('i-1'), fresh('i-2')];
    expect(stopped([...both, fresh('i-3')], {})).toEqual({
      ...over,
      members: 3,
      images: [TARGET.imageId, OLD.imageId],
      launches: [TARGET.imageId],
    });
    expect(stopped([old('i-1')], { launch: launching(PLACE, OLD, OLD) }, 'rollback')).toEqual({
      ...over,
      course: 'rollback',
      members: 1,
      images: [OLD.imageId],
      launches: [],
    });
    expect(stopped(both, { roll: { onlyAnnounced: true } })).toMatchObject({ course: 'skip' });
  });
});

describe('an earlier rejection', () => {
  /** Whether it is forgotten as the roll ends. */
  const isForgotten = (imageIds: readonly string[], scene: Scene = {}): boolean => {
    const rejection = { imageIds, because: { code: 'aborted', because } as const };
    const assessment = assessed(observe([fresh('i-1')], { rejection, ...scene }));
    const decision = hasRoll(assessment) ? finish(assessment) : undefined;
    if (decision?.kind !== 'finish') throw new Error('the roll goes on');
    return decision.actions.some(({ kind }) => kind === 'clear-rejection');
  };
  /** A roll that changed nothing of what its group launches. */
  const forAge = (imageIds = [TARGET.imageId]): Scene => ({ roll: { previous: [], imageIds } });

  test('is forgotten once the group has got another image', () => {
    expect(isForgotten([NEWER.imageId])).toBe(true);
  });

  test('stays if members were replaced for their age, unless the image is newer, or the one', () => {
    expect(isForgotten([NEWER.imageId], forAge())).toBe(false);
    expect(isForgotten([OLD.imageId], forAge())).toBe(true);
    expect(isForgotten([OLD.imageId, NEWER.imageId], forAge())).toBe(false);
    expect(isForgotten(['ami-gone'], forAge())).toBe(false);
    expect(isForgotten([TARGET.imageId, NEWER.imageId], forAge())).toBe(true);
    expect(isForgotten([TARGET.imageId], forAge([OLD.imageId]))).toBe(false);
  });

  test('stays if one of several places launches no newer image', () => {
    const sources = [TARGET, OLD].map((target) => ({ place: PLACE, imageId: target.imageId, target }));
    expect(isForgotten([OLD.imageId], { ...forAge(), launch: { sources, mixed: false } })).toBe(false);
  });
});

test('a member that its group ends is waited for before replacements, unless it has been held for too long', () => {
  const ending = old('i-1', { member: 'Terminating:Wait', marked: 60, turn: 10, ecs: null });
  const scene = { desiredCapacity: 1, endingSince: new Map([['i-1', ago(10)]]) };
  const inPlace = { maxSurge: { kind: 'count', count: 0 } } as const;
  expect(told(observe([ending, fresh('i-2', { agentConnected: false })], scene), inPlace)).toEqual([
    'wait: i-1 is still being ended by the group, held by a terminate hook',
  ]);
});

test('a surplus leaves though launches lack room, as far as there are more than the group had', () => {
  const suspendedProcesses = ['AZRebalance', 'InstanceRefresh', 'AlarmNotification'];
  const lacking = (added: number): Scene => ({
    desiredCapacity: 4,
    maxSize: 9,
    failedLaunches: [{ at: ago(60), message: 'There is no Spot capacity available.' }],
    suspendedProcesses,
    roll: { changes: { suspended: [], addedSizes: { desiredCapacity: added, maxSize: 0 } } },
  });
  const three = ['i-1', 'i-2', 'i-3'].map((id) => fresh(id));
  expect(told(observe(three, lacking(2)))[0]).toMatch(/^tag i-\d to be replaced$/);
  expect(told(observe(three, lacking(1)))[0]).toMatch(/^wait: replacements are not ready/);
});
