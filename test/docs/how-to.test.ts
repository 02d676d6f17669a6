import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const read = (page: string) => readFileSync(join(import.meta.dirname, '../../docs', page), 'utf8');
const HOW_TO = read('how-to.md');
const named = (pattern: RegExp) => [...new Set([...HOW_TO.matchAll(pattern)].map(([, name = '']) => name))];

const OF_THE_CDK = ['addCapacity', 'taskDrainTime'];

// That docs/settings.md and docs/cli.md are complete, other tests hold.
test('docs/how-to.md names only props and context keys that docs/settings.md has', () => {
  const keys = [...named(/-c '?(\w+)=/g), ...named(/`([a-z]+[A-Z]\w*)(?:: [^`]*)?`/g)];
  expect(keys.length).toBeGreaterThan(15);
  const settings = read('settings.md');
  const isThere = (key: string) => new RegExp(`(?:\`|-c )${key}[\`:=]`).test(settings);
  expect(keys.filter((key) => !OF_THE_CDK.includes(key) && !isThere(key))).toEqual([]);
});

test('docs/how-to.md names only tags that docs/settings.md has', () => {
  const tags = named(/ecs-ami-deploy:([a-z-]+)/g);
  expect(tags).toContain('exclude');
  const settings = read('settings.md');
  expect(tags.filter((tag) => !new RegExp(`(?:tag \`|ecs-ami-deploy:)${tag}\``).test(settings))).toEqual([]);
});

test('docs/how-to.md names only commands that docs/cli.md has', () => {
  const commands = named(/npx ecs-ami-deploy (\w+)/g);
  expect(commands).toContain('pause');
  const cli = read('cli.md');
  expect(commands.filter((each) => !new RegExp(`\`${each}[ \`]`).test(cli))).toEqual([]);
});
