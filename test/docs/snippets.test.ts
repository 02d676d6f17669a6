import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** What stands around a snippet in somebody's app: what it imports, and what there is. */
const AROUND = `
import { CfnOutput, Duration, Stack, TimeZone } from 'aws-cdk-lib';
import { CfnCluster, type ICluster } from 'aws-cdk-lib/aws-ecs';
import { EventBus, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { EcsAmiDeploy, ImageOwner, ImageSource, MaintenanceWindow, RollHook, RolloutSequence, Surge, TopicEvents } from 'ecs-ami-deploy';
declare const cluster: ICluster, clusters: ICluster[], topic: ITopic, onCall: ITopic;
declare const noIncident: IFunction, rollout: EcsAmiDeploy;
`;

const PAGES = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)].filter((file) =>
  file.endsWith('.md'),
);

/** What pages have as TypeScript, and the props that stand in docs/how-to.md and docs/settings.md. */
function snippets(): string[] {
  const blocks = PAGES.flatMap((file) => [...read(file).matchAll(/^```ts\n([\s\S]*?)^```/gm)]);
  const props = ['docs/how-to.md', 'docs/settings.md'].flatMap((file) => [
    ...read(file).matchAll(/`(\w+: (?:\[?[A-Z]\w*\.|topic\b)[^`]*)`/g),
  ]);
  return [
    ...blocks.map(([, code = '']) => code.replaceAll(/^import .*$/gm, '')),
    ...props.map(([, prop = '']) => `new EcsAmiDeploy(this, 'Deploy', { clusters, ${prop} });`),
  ];
}

test('every piece of TypeScript on a page compiles', () => {
  const all = snippets();
  expect(all.length).toBeGreaterThan(10);
  // Within the package, so that its own name is found, as built.
  const folder = mkdtempSync(join(ROOT, 'dist', 'snippets-'));
  try {
    const files = all.map((code, index) => {
      const file = join(folder, `${index}.ts`);
      writeFileSync(file, `${AROUND}export class Example extends Stack { make() {\n${code}\n} }\n`);
      return file;
    });
    const tsc = join(ROOT, 'node_modules', '.bin', 'tsc');
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext'];
    const { stdout, status } = spawnSync(tsc, [...options, '--types', 'node', ...files], {
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
    expect(status).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
