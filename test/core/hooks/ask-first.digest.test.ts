import { expect, test } from 'vitest';
import { digest } from '../../../lambda/core/hooks/ask-first.ts';

test('a digest is eight digits, the same in every order, and of other words another', () => {
  const both = digest(['i-1', 'i-2']);
  expect(both).toMatch(/^[0-9a-f]{8}$/);
  expect(digest(['i-2', 'i-1'])).toBe(both);
  const others = [[], ['i-1'], ['i-2'], ['i-1', 'i-3'], ['i-1i-2']].map(digest);
  expect(new Set([both, ...others]).size).toBe(6);
});
