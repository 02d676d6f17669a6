import { Cron } from 'croner';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { windows } from '../../lambda/settings/parse-windows.ts';

const read = (text: string) => windows.read(text)?.flat();

describe('a window', () => {
  test.each([
    ['with names', '0 2 * jan-MAR MON-FRI/2,sun 4h', { cron: '0 2 * jan-MAR MON-FRI/2,sun', minutes: 240 }],
    ['with more spaces', '0  2 * *  7 1h30m', { cron: '0  2 * *  7', minutes: 90 }],
    ['of ten minutes', '*/15 0-23 1-31 1-12 0-7 10m', { minutes: 10 }],
    ['of a week', '0 0 * * 0 168h Etc/GMT+5', { minutes: 10_080, timeZone: 'Etc/GMT+5' }],
  ])('is read %s', (_, text, expected) => {
    expect(read(text)).toMatchObject([expected]);
  });

  test.each([
    '',
    'always',
    '0 2 * * * ',
    '0 2 * * 4h',
    '0 2 * * * 9m',
    '0 2 * * * 168h1m',
    '0 2 * * * 4d',
    '60 2 * * * 4h',
    '0 24 * * * 4h',
    '0 2 0 * * 4h',
    '0 2 32 * * 4h',
    '0 2 * 13 * 4h',
    '0 2 * * 8 4h',
    '0 2 * * FRI-MON 4h',
    '0 2 * MON * 4h',
    '0 2 ? * * 4h',
    '0 2 * * 1/2 4h',
    '0 2 */0 * * 4h',
    '0 2 * */13 * 4h',
    '0 2 1, * * 4h',
    '0 2 L * * 4h',
    '0 0 2 * * * 4h',
    '0 2 * * * 4h Europe/Bonn',
    '0 2 * * * 4h +02:00',
    '0 2 * * * 4h, 0 3 * * *',
    '0 2 * * * 4h; 0 3 * * * 1h',
  ])('may not be "%s"', (text) => {
    expect(read(text)).toBeUndefined();
  });
});

/** What is accepted here is read by another program later. */
test('every expression that is accepted can be read', () => {
  const field = (least: number, most: number, names: readonly string[] = []) => {
    const value = fc.oneof(
      fc.integer({ min: least, max: most + 1 }).map(String),
      fc.constantFrom('1', ...names),
    );
    const range = fc.tuple(value, value).map(([from, to]) => `${from}-${to}`);
    const stepped = fc
      .tuple(fc.oneof(fc.constant('*'), range), fc.integer({ min: 1, max: most + 1 }))
      .map(([of, step]) => `${of}/${step}`);
    const part = fc.oneof(fc.constant('*'), value, range, stepped);
    return fc.array(part, { minLength: 1, maxLength: 2 }).map((parts) => parts.join());
  };
  const fields = fc.tuple(
    field(0, 59),
    field(0, 23),
    field(1, 31),
    field(1, 12, ['JAN', 'dec']),
    field(0, 7, ['SUN', 'sat']),
  );
  let accepted = 0;
  fc.assert(
    fc.property(fields, (each) => {
      const cron = each.join(' ');
      if (read(`${cron} 1h`) === undefined) return;
      accepted += 1;
      expect(() => new Cron(cron)).not.toThrow();
    }),
    { numRuns: 3_000, seed: 1 },
  );
  expect(accepted).toBeGreaterThan(100);
});
