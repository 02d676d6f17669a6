import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lookPermissions, sequenceOrderPermissions } from '../../infra/permissions/sequence.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/permissions.md'), 'utf8');

test('docs/permissions.md has what a sequence grants to those who look at it and give it orders', () => {
  const [, json = ''] = /```json\n([\s\S]*?)```/.exec(PAGE) ?? [];
  const [, ...statements] = JSON.parse(json).Statement;
  const table = '<table ARN>';
  const granted = [...lookPermissions(table), ...sequenceOrderPermissions(table)];
  expect(statements).toEqual(
    granted.map(({ actions: [Action], resources: [Resource], conditions: Condition }) => ({
      Effect: 'Allow',
      Action,
      Resource,
      Condition,
    })),
  );
});
