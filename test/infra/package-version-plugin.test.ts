import { expect, test } from 'vitest';
import { versionIn } from '../../infra/package-version-plugin.ts';

test('leaves nothing but the version', () => {
  expect(versionIn('{ "name": "a", "version": "3.1.0", "scripts": { "build": "tsc" } }')).toBe(
    '{"version":"3.1.0"}',
  );
});
