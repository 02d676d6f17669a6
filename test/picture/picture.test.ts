import { describe, expect, test } from 'vitest';
import { pictureOf } from '../../lambda/picture/picture.ts';
import { many, ROLL } from './rolls.ts';

const drawn = (changes: object = {}) => pictureOf({ ...ROLL, ...changes }).text;

describe('the picture of a roll', () => {
  test('has a bar for each thing that an instance did, as long as it did it', () => {
    const bars = [
      ...drawn().matchAll(/<rect x="([\d.]+)"[^>]* width="([\d.]+)"[^>]* fill="var\(--(\w+)\)"/g),
    ];
    expect(bars.map(([, x, width, color]) => [Number(x), Number(width), color])).toEqual([
      [0, 500, 'old'],
      [500, 250, 'draining'],
      [100, 100, 'launched'],
      [200, 100, 'registered'],
      [300, 700, 'serving'],
    ]);
  });

  test('says how few healthy tasks a service had at worst, and what it needs', () => {
    expect(drawn()).toContain('4 wanted, never fewer than 3, at least 2 needed');
  });

  test('says what is waited for, until the roll is over', () => {
    expect(drawn()).toContain('<p class="waits">Now: i-0000000000000000a drains</p>');
    expect(drawn({ waitsFor: undefined })).not.toContain('Now:');
  });

  test('has a line, and words, for each thing that happened to the whole roll', () => {
    expect(drawn()).toContain('<b>4 min</b>The canary has passed');
    expect(drawn().match(/<path d="M400 0V1"/g)).toHaveLength(1);
    expect(drawn({ moments: [] })).not.toContain('class="moments');
  });

  test('has as many lines for a hundred batches as for one instance', () => {
    const moments = Array.from({ length: 100 }, (_, index) => ({
      at: 6 * index,
      text: `batch ${index} done`,
      isTrouble: false,
    }));
    const text = drawn({ instances: many(200), moments });
    expect(text.match(/stroke="var\(--faint\)"/g)).toHaveLength(100);
    expect(text.length).toBeLessThan(400_000);
  });

  test('stays small and legible with many instances', () => {
    const text = drawn({ instances: many(250) });
    expect(text).toContain('from launch to end: 250 of them');
    expect(text.length).toBeLessThan(400_000);
    expect(text).not.toMatch(/>(old|new) …/);
  });

  test('keeps what lies outside its time within its frame', () => {
    const [first] = ROLL.instances;
    const stretches = [{ phase: 'serving', from: -100, to: 900 }];
    expect(drawn({ instances: [{ ...first, stretches }] })).toMatch(/<rect x="0"[^>]* width="1000"/);
  });

  test.each(['light', 'dark'] as const)(
    'has the colours of a %s page, whatever the reader prefers',
    (theme) => {
      const text = pictureOf(ROLL, theme).text;
      expect(text).not.toContain('prefers-color-scheme');
      expect(text).toMatch(theme === 'light' ? /--paper:#fff/ : /--paper:#161d26/);
    },
  );

  test('needs nothing that a page may refuse, and lets no name in as markup', () => {
    const evil = `"><script>alert(1)</script><iframe src='x'></iframe><svg onload=alert(1)><use href=x>`;
    const [service] = ROLL.services;
    const [instance] = ROLL.instances;
    const text = drawn({
      cluster: evil,
      group: evil,
      facts: [[evil, evil]],
      waitsFor: evil,
      services: [{ ...service, name: evil }],
      instances: [{ ...instance, instanceId: evil }],
      moments: [{ at: 1, text: evil, isTrouble: true }],
    });
    const unquoted = text.replaceAll(/"[^"]*"/g, '""');
    expect(unquoted).not.toMatch(/<(script|iframe|use)\b|<[^>]*\son\w+=/i);
    expect([...text.matchAll(/<svg[^>]*>/g)].every(([tag]) => tag.startsWith('<svg viewBox='))).toBe(true);
    expect(text).toContain('&lt;script&gt;');
  });
});
