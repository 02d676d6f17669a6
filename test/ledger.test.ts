import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLedger } from './simulated-aws/ledger/ledger.ts';

const ROOT = join(import.meta.dirname, '..');

/** The operations that the files of a folder import from the SDK, such as `ec2.DescribeImages`. */
function operationsIn(folder: string): string[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(ROOT, folder, file), 'utf8'))
    .flatMap((text) => [...text.matchAll(/\{([^{}]+)\} from '@aws-sdk\/client-([\w-]+)'/g)])
    .flatMap(([, names = '', client = '']) =>
      [...names.matchAll(/\b(?:paginate([A-Z]\w+)|(\w+)Command)\b/g)].map(
        ([, paged, sent]) => `${client.replaceAll('-', '')}.${paged ?? sent}`,
      ),
    );
}

test('the ledger has a row for each operation that is called', () => {
  const called = new Set(['lambda/aws', 'cli/aws'].flatMap(operationsIn));
  expect(called.size).toBeGreaterThan(60);
  const told = new Set(readLedger().map(({ service, operation }) => `${service}.${operation}`));
  expect([...called].filter((operation) => !told.has(operation)).sort()).toEqual([]);
});
