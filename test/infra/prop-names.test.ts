import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PROP_NAMES } from '../../infra/prop-names.ts';

test('every prop that is documented is known, and no other', () => {
  const api = readFileSync('API.md', 'utf8');
  const documented = [...api.matchAll(/EcsAmiDeployProps\.property\.(\w+)/g)].map(([, name]) => name);
  expect([...PROP_NAMES].sort()).toEqual([...new Set(documented)].sort());
});
