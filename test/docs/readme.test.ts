import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const README = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');

test('the README can be read in five minutes', () => {
  expect(README.split(/\s+/).length).toBeLessThanOrEqual(1300);
});

test('its first screen shows it, says how to try it and get it, and what people ask for first', () => {
  const screen = README.split('\n').slice(0, 40).join('\n');
  for (const wanted of ['docs/pictures/demo.svg', 'npm run demo', 'cdk deploy', 'docs/how-to.md'])
    expect(screen).toContain(wanted);
  expect(README.indexOf('docs/how-to.md')).toBeLessThan(README.search(/\]\((?!docs\/how-to)\w/));
});

test('its table of ways has at most five rows', () => {
  const [, table = ''] = /<!-- bench-short -->([\s\S]*?)<!-- \/bench-short -->/.exec(README) ?? [];
  expect(table.trim().split('\n').length - 2).toBeLessThanOrEqual(5);
});
