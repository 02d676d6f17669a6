import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sequenceBusEvent, sequenceDetailType } from '../../lambda/core/sequence/tell.ts';
import { parseSequence } from '../../lambda/settings/parse-sequence.ts';

const read = (page: string) => readFileSync(join(import.meta.dirname, '../../docs', page), 'utf8');
const jsonIn = (page: string) =>
  [...read(page).matchAll(/^```json\n([\s\S]*?)^```/gm)].map(([, json = '']) => JSON.parse(json));

test.each(['stages.md', 'how-to.md', 'settings.md'])(
  'each file with stages on docs/%s can be deployed',
  (page) => {
    const files = jsonIn(page).filter((each) => 'stages' in each);
    expect(files).toHaveLength(1);
    for (const file of files) parseSequence(JSON.stringify(file));
  },
);

test('docs/stages.md has each key of a stage, with its default', () => {
  const members = [{ account: '111122223333' }];
  const [stage] = parseSequence(JSON.stringify({ stages: [{ name: 'all', members }] })).stages;
  const { name: _, members: __, ...defaults } = stage ?? {};
  const rows = [...read('stages.md').matchAll(/^\| `(\w+)` \| `\w+` \| (?:`(.*?)`|none)? ?\| /gm)];
  const told = rows.flatMap(([, key = '', value]) => (value ? [[key, JSON.parse(value)]] : []));
  expect(Object.fromEntries(told)).toEqual(defaults);
  const keys = ['name', 'members', 'first', 'apart', 'beforeStage', ...Object.keys(defaults)];
  expect(rows.map(([, key]) => key).sort()).toEqual(keys.sort());
});

test('docs/events.md has what a sequence tells', () => {
  const told = jsonIn('events.md').find(({ kind }) => kind === 'ReleaseHalted');
  const { line, stage, release, why, at } = told;
  const { chat: _, ...event } = sequenceBusEvent(
    { kind: 'ReleaseHalted', line, stage, release, why },
    new Date(at),
  );
  expect(told).toEqual(event);
  const rows = [...read('events.md').matchAll(/^\| `([A-Z][a-z]+ [a-z]+)` \| `(\w+)` \| /gm)];
  expect(rows).toHaveLength(6);
  for (const [, detailType, kind] of rows) expect(sequenceDetailType(kind as 'StageBegan')).toBe(detailType);
});
