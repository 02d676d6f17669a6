import { describe, expect, test } from 'vitest';
import { haltedBySequence, warnOfSequence } from '../../../lambda/core/group/in-sequence.ts';
import type { LaunchPlace } from '../../../lambda/core/model/launch.ts';
import type { InSequence } from '../../../lambda/core/model/permit.ts';
import { fresh, NEWER, OLD, observe, old, PLACE, type Scene, TARGET, told } from '../builders.ts';

const LINE = 'amazon-linux-2023/x86_64';
const ALIAS: LaunchPlace = {
  kind: 'launch-template',
  templateId: 'lt-1',
  reference: '$Latest',
  version: 1,
  alias: 'resolve:ssm:/ecs',
};

/** What a group launches, and how a sequence stands to it. */
const launch = (inSequence: InSequence, place: LaunchPlace = PLACE, more: object = {}): Scene => ({
  launch: { sources: [{ place, imageId: OLD.imageId, target: TARGET, inSequence, ...more }], mixed: false },
});
const groupOf = (scene: Scene) => {
  const [group] = observe([old('i-1')], scene).groups;
  if (group === undefined) throw new Error('no group');
  return group;
};
const AWAITS: InSequence = { line: LINE, newest: TARGET.name };
const GOES: InSequence = { ...AWAITS, release: TARGET.name };

describe('a member of a sequence', () => {
  test('that may roll onto the newest is told nothing', () => {
    expect(warnOfSequence(groupOf(launch(GOES)))).toEqual([]);
    expect(haltedBySequence(groupOf(launch(GOES)))).toBeUndefined();
  });

  test('that may not yet says so once, and why if the table is at fault', () => {
    expect(warnOfSequence(groupOf(launch(AWAITS)))).toStrictEqual([
      { code: 'awaits-sequence', line: LINE, newest: TARGET.name },
    ]);
    expect(warnOfSequence(groupOf(launch({ ...AWAITS, unread: 'down' })))).toEqual([
      { code: 'awaits-sequence', line: LINE, newest: TARGET.name, unread: 'down' },
    ]);
  });

  test('whose launches follow a parameter gets each image before its stage', () => {
    expect(warnOfSequence(groupOf(launch(AWAITS, ALIAS))).map(({ code }) => code)).toEqual([
      'awaits-sequence',
      'launched-before-stage',
    ]);
    expect(warnOfSequence(groupOf(launch({ ...AWAITS, unread: 'down' }, ALIAS)))).toHaveLength(1);
  });

  test('is stopped by its sequence only in a roll that goes forward', () => {
    const halted = { ...GOES, stops: true } as const;
    const closed = { code: 'halted-in-sequence', releases: [TARGET.name] };
    expect(haltedBySequence(groupOf(launch(halted)))).toEqual(closed);
    expect(haltedBySequence(groupOf(launch({ ...AWAITS, stops: true })))).toBeUndefined();
    expect(haltedBySequence(groupOf({}))).toBeUndefined();
    expect(haltedBySequence(groupOf({ ...launch(halted), roll: null }))).toBeUndefined();
    const course = { kind: 'rollback', since: new Date(), because: { code: 'asked' } } as const;
    expect(haltedBySequence(groupOf({ ...launch(halted), roll: { course } }))).toBeUndefined();
  });

  test('goes back to an older image than it runs only where its sequence says so', () => {
    const newer = { ...fresh('i-1'), image: NEWER };
    const back = (isBack?: true) =>
      told(
        observe([newer], {
          launch: {
            sources: [
              {
                place: PLACE,
                imageId: TARGET.imageId,
                target: TARGET,
                inSequence: { ...GOES, ...(isBack && { isBack }) },
              },
            ],
            mixed: false,
          },
          roll: null,
        }),
      );
    expect(back()[0]).toMatch(/^up-to-date: /);
    expect(back(true)[0]).toMatch(/^tag group web-ecs/);
  });
});
