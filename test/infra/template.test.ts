import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkContext, writeTemplate } from '../../infra/template.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'template-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('CloudFormation alone deploys the template: its code stands beside it, and nothing of the CDK is asked for', () => {
  const own = join(folder, 'template', 'own.txt');
  mkdirSync(join(folder, 'template'));
  writeFileSync(own, 'mine');
  const told = writeTemplate({ clusters: 'web,jobs', dashboard: 'true' }, join(folder, 'template'));
  expect(told.join('\n')).toMatch(/^One instance drains at a time[^\n]*\nwarning: In the whole account/);
  expect(existsSync(own)).toBe(true);
  const text = readFileSync(join(folder, 'template', 'template.json'), 'utf8');
  const { Resources, Parameters } = JSON.parse(text);
  const all = Object.values<{ Type: string; Properties: Record<string, unknown> }>(Resources);
  const functions = all.filter(({ Type }) => Type === 'AWS::Lambda::Function');
  expect(functions.map(({ Properties }) => Properties.Code)).toEqual(Array(3).fill('./function'));
  expect(existsSync(join(folder, 'template', 'function', 'index.js'))).toBe(true);
  expect(Parameters).toBeUndefined();
  expect(text).not.toMatch(/bootstrap|cdk-hnb659fds|AWS::CDK|Custom::/i);
  // What CloudFormation takes without a bucket.
  expect(text.length).toBeLessThan(51_200);
});

test.each([
  ['before the build', () => checkContext({ clusters: 'web', sequence: 'stages.json' })],
  [
    'as it is written',
    () => writeTemplate({ clusters: 'web', sequence: 'stages.json' }, join(folder, 'none')),
  ],
])('a sequence is refused %s, as a template of a rollout would come instead', (_, asked) => {
  expect(asked).toThrow(
    /^This can't be deployed:\n {2}- sequence was set; .*`npx cdk deploy -c sequence=stages.json`/,
  );
  expect(existsSync(join(folder, 'none'))).toBe(false);
});

test('the example for Terraform names what is there, and ignores what OWNERSHIP.md says', () => {
  const example = readFileSync('examples/terraform/main.tf', 'utf8');
  const ownership = readFileSync('OWNERSHIP.md', 'utf8');
  const ignored = (text: string) => text.match(/ignore_changes = \[.*(?=\])|key_prefixes = \[.*?\]/g)?.sort();
  expect(ignored(example)).toEqual(ignored(/```hcl[\s\S]*?```/.exec(ownership)?.[0] ?? ''));
  expect(example).toContain('"\\"./function\\""');
});
