import fc from 'fast-check';
import { expect, test } from 'vitest';
import { elapsedText, marksOn } from '../../lambda/picture/time-axis.ts';

test('an axis has few enough marks to read, from its beginning on and none beyond its end', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 * 86_400 }), (seconds) => {
      const marks = marksOn(seconds);
      expect(marks[0]).toBe(0);
      expect(marks.length).toBeLessThanOrEqual(10);
      expect(marks.at(-1)).toBeLessThanOrEqual(seconds);
      expect(marks).toEqual([...new Set(marks)].sort((a, b) => a - b));
    }),
  );
});

test.each([
  [0, '0 min'],
  [45, '45 s'],
  [60, '1 min'],
  [716, '12 min'],
  [5400, '1 h 30 min'],
  [90_000, '1 d 1 h'],
])('%i seconds read %s', (seconds, text) => {
  expect(elapsedText(seconds)).toBe(text);
});
