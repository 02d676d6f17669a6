import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

test('docs/events.md has a row for each kind of event', () => {
  const [, table = ''] = /^\| `kind` \|.*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(read('events.md')) ?? [];
  const told = table.split('\n').flatMap((row) => row.split(' | ')[0]?.match(/[a-z][a-z-]+/g) ?? []);
  expect(told).toEqual(JSON.parse(read('events.schema.json')).properties.kind.enum);
});
