import { expect, test } from 'vitest';
import { pageOf } from '../../lambda/picture/page.ts';
import { ROLL } from './rolls.ts';

test('a page has its pictures in order, and needs nothing else', () => {
  const page = pageOf('Rolls & more', [ROLL, { ...ROLL, group: 'jobs-ecs' }]);
  expect(page).toContain('<title>Rolls &amp; more</title>');
  expect(page.indexOf('web / web-ecs')).toBeLessThan(page.indexOf('web / jobs-ecs'));
  expect(page).not.toMatch(/\b(src|href)=|url\(|@import|https?:/);
  expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
});
