import { expect, test } from 'vitest';
import { hasRoll } from '../../../lambda/core/group/assess.ts';
import { keptFromGivingBack } from '../../../lambda/core/launch-spec/restore-image.ts';
import { assessed, fresh, NEWER, OLD, observe, old, type Sketch, TARGET } from '../builders.ts';

/** Whether an override may get this image back, instead of another. */
function mayGet(before: string, instead: string, ...sketches: Sketch[]) {
  const assessment = assessed(observe(sketches));
  if (!hasRoll(assessment)) throw new Error('there is a roll');
  const obstacle = keptFromGivingBack(assessment, before, instead);
  if (obstacle !== undefined)
    expect(obstacle).toEqual({ code: 'override-image-unproven', imageId: instead, noted: before });
  return obstacle === undefined;
}
const gone = (age: number) => old('i-1', { image: { ...OLD, imageId: 'ami-gone' }, age });

test('an override gets back what instances of its group ran before the roll, even if it is gone', () => {
  expect(mayGet('ami-gone', TARGET.imageId, gone(501))).toBe(true);
  expect(mayGet('ami-gone', TARGET.imageId, gone(500))).toBe(false);
  expect(mayGet('ami-gone', TARGET.imageId, old('i-1', { image: NEWER }))).toBe(false);
});

test('an override gets back what nobody runs only if it is of the line of what came instead', () => {
  expect(mayGet(OLD.imageId, TARGET.imageId, fresh('i-9'))).toBe(true);
  expect(mayGet('ami-gone', TARGET.imageId, fresh('i-9'))).toBe(false);
  expect(mayGet(OLD.imageId, 'ami-gone', fresh('i-9'))).toBe(false);
});
