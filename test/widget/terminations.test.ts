import { expect, test } from 'vitest';
import type { PastTermination } from '../../lambda/history/past-terminations.ts';
import { terminationsOf } from '../../lambda/widget/terminations.ts';

const ended = (rest: Partial<PastTermination> = {}): PastTermination => ({
  at: '2026-11-23T05:06:00.000Z',
  cluster: 'web',
  group: 'web-a',
  instanceId: 'i-0ab',
  ended: 'drained',
  text: 'web/web-a: lets go of i-0ab, as nothing is left on it',
  ...rest,
});

const shown = (...told: readonly PastTermination[]) => terminationsOf('web', told).text;

test('by group, how many were drained, and the last whose time was over', () => {
  const late = ended({ ended: 'timed-out', text: 'lets go of i-0cd, as its time is over' });
  expect(shown(ended(), late, ended({ group: 'web-b' }), ended({ cluster: 'jobs' }))).toBe(
    '<p class="waits">web-a, outside rolls: 1 drained, 1 timed out, the last at 2026-11-23T05:06:00.000Z: ' +
      'lets go of i-0cd, as its time is over</p><p>web-b, outside rolls: 1 drained</p>',
  );
  expect(shown()).toBe('');
});

test('what strangers tell brings no markup in, and takes little room', () => {
  const evil = '<img src=x onerror=alert(1)>';
  expect(shown(ended({ group: evil, ended: 'timed-out', text: evil }))).not.toContain('<img');
  const many = Array.from({ length: 5000 }, (_, index) =>
    ended({ group: `${index}`, ended: 'timed-out', text: 'x'.repeat(10_000) }),
  );
  expect(shown(...many).length).toBeLessThan(100_000);
});
