import { describe, expect, test } from 'vitest';
import {
  leaveRejected,
  stepsToReject,
  warnOfRejected,
} from '../../../lambda/core/launch-spec/rejected-images.ts';
import type { Launch } from '../../../lambda/core/model/launch.ts';
import type { Roll } from '../../../lambda/core/model/roll.ts';
import {
  ago,
  assessed,
  fresh,
  groupOf,
  launching,
  NEWER,
  OLD,
  observe,
  old,
  PLACE,
  type Scene,
  TARGET,
} from '../builders.ts';

const cause = { code: 'recorded', text: 'it fails' } as const;
const BACK = { kind: 'rollback', since: ago(100), because: cause } as const;
const ABORT = { kind: 'abort', since: ago(100), because: cause } as const;
const rejected = (code: 'aborted' | 'rolled-back', ...imageIds: string[]) => ({
  imageIds,
  because: { code, because: cause } as const,
});
/** The roll gave a template this image. */
const gave = (imageId: string) =>
  ({ kind: 'launch-template', templateId: 'lt-1', version: 3, imageId }) as const;

describe('what must not be rolled onto again', () => {
  const steps = (
    roll: Partial<Roll>,
    rejection?: Scene['rejection'],
    course: typeof BACK | typeof ABORT = BACK,
  ) => {
    const group = groupOf(observe([], { roll, ...(rejection && { rejection }) }));
    if (group.roll === undefined) throw new Error('there is a roll');
    return stepsToReject(group, group.roll, course).map((each) =>
      each.kind === 'record-rejection' ? [each.group, each.rejection] : each.kind,
    );
  };
  const given = { previous: [gave('ami-1'), gave('ami-2')] };

  test('is what the roll has given, and why, before what was rejected earlier', () => {
    expect(steps(given)).toEqual([['web-ecs', rejected('rolled-back', 'ami-1', 'ami-2')]]);
    expect(steps(given, undefined, ABORT)).toEqual([['web-ecs', rejected('aborted', 'ami-1', 'ami-2')]]);
    expect(steps(given, rejected('rolled-back', 'ami-0', 'ami-1'))).toEqual([
      ['web-ecs', rejected('rolled-back', 'ami-1', 'ami-2', 'ami-0')],
    ]);
  });

  test('is recorded once, unless it was for another reason', () => {
    expect(steps(given, rejected('rolled-back', 'ami-0', 'ami-1', 'ami-2'))).toEqual([]);
    expect(steps(given, rejected('aborted', 'ami-1', 'ami-2'))).toHaveLength(1);
    expect(steps(given, rejected('aborted', 'ami-1', 'ami-2'), ABORT)).toEqual([]);
  });

  test('is nothing where nothing was given', () => {
    expect(steps({ previous: [] }, undefined, ABORT)).toEqual([]);
    expect(steps({ previous: [] }, rejected('rolled-back', 'ami-0'), ABORT)).toEqual([]);
  });

  test('is what was only announced, too', () => {
    expect(steps({ previous: [], imageIds: ['ami-5'], onlyAnnounced: true }, undefined, ABORT)).toEqual([
      ['web-ecs', rejected('aborted', 'ami-5')],
    ]);
  });
});

describe('a group whose newest image is rejected', () => {
  const [source] = launching(PLACE).sources;
  const launch = (...all: (string | undefined)[]) =>
    ({
      sources: all.map((each) => ({ ...source, ...(each !== undefined && { rejected: each }) })),
      mixed: false,
    }) as Launch;
  const left = (sources: Launch, rejection?: Scene['rejection']) =>
    leaveRejected(groupOf(observe([], rejection && { rejection })), sources);

  test('is left, and told which it is, once each, and why', () => {
    expect(left(launch('ami-1', undefined, 'ami-2', 'ami-1'), rejected('aborted', 'ami-1'))).toEqual({
      kind: 'skipped',
      reason: {
        code: 'image-rejected',
        imageIds: ['ami-1', 'ami-2'],
        because: { code: 'aborted', because: cause },
      },
    });
    expect(left(launch('ami-1'))).toEqual({
      kind: 'skipped',
      reason: { code: 'image-rejected', imageIds: ['ami-1'] },
    });
  });

  test('is not left if nothing is rejected', () => {
    expect(left(launch(undefined))).toBeUndefined();
  });
});

describe('members that still run a rejected image', () => {
  const sketches = [old('i-1'), fresh('i-8', { excluded: true }), fresh('i-9')];
  const back = launching(PLACE, OLD, OLD);
  const rejection = rejected('rolled-back', TARGET.imageId, NEWER.imageId);
  const warned = (scene: Scene, members = sketches) =>
    warnOfRejected(assessed(observe(members, { launch: back, rejection, roll: null, ...scene }))).map(
      (each) => (each.code === 'rejected-image-runs' ? [...each.instanceIds].sort() : each.code),
    );

  test('are told of after a rollback, and of their owner’s as well', () => {
    expect(warned({})).toEqual([['i-8', 'i-9']]);
    expect(warned({}, [old('i-1')])).toEqual([]);
    expect(warned({ rejection: undefined })).toEqual([]);
  });

  test('are told of in a rollback, if it leaves them, and of its own images alone, recorded or not', () => {
    const roll = (imageId: string) => ({ course: BACK, previous: [gave(imageId)] });
    expect(warned({ roll: roll(TARGET.imageId) })).toEqual([['i-8']]);
    expect(warned({ roll: roll(TARGET.imageId), rejection: undefined })).toEqual([['i-8']]);
    expect(warned({ roll: roll(NEWER.imageId) })).toEqual([]);
  });

  test('are told of with what their own roll was taken back for', () => {
    const roll = { course: BACK, previous: [gave(TARGET.imageId)] };
    const earlier = rejected('aborted', NEWER.imageId);
    const scene = { launch: back, rejection: earlier, roll };
    expect(warnOfRejected(assessed(observe(sketches, scene)))).toMatchObject([
      { because: { code: 'rolled-back', because: cause } },
    ]);
  });

  test('are not told of for an earlier rejection', () => {
    expect(warned({ rejection: rejected('rolled-back', NEWER.imageId, TARGET.imageId) })).toEqual([]);
  });

  test('are not told of while a roll goes forward, or where the group goes on with the image', () => {
    expect(warned({ roll: {} })).toEqual([]);
    const launch = { sources: [...back.sources, ...launching(PLACE, TARGET).sources], mixed: false };
    expect(warned({ launch })).toEqual([]);
  });
});
