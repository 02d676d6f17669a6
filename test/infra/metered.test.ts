import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { describe, expect, test } from 'vitest';
import { RolloutSequence, RollPhase } from '../../infra/ecs-ami-deploy.ts';
import type { GroupResult } from '../../lambda/core/result.ts';
import { METRICS, SEQUENCE_METRICS, TERMINATION_METRICS } from '../../lambda/metric-names.ts';
import type { Figures } from '../../lambda/metrics/figures.ts';
import { publish } from '../../lambda/metrics/publish.ts';
import { dimensionsIn, emfOf, valuesIn } from '../metrics/emf.ts';
import { deployment } from './deployment.ts';

const { construct, stack } = deployment();

const PHASES = [RollPhase.LAUNCH, RollPhase.TRIAL, RollPhase.DRAIN, RollPhase.HELD];

/** What the construct offers of the function's own metrics. */
const OFFERED: readonly Metric[] = [
  construct.metricImageAge(),
  construct.metricReleasesBehind(),
  construct.metricOutdatedMembers(),
  construct.metricHeldBack(),
  construct.metricUntrustedTags(),
  construct.metricRollAge(),
  construct.metricRequestsByTag(),
  ...PHASES.map((phase) => construct.metricPhase(phase)),
  construct.metricBlockedGroups(),
  construct.metricReplacedMembers(),
  construct.metricRollbacks(),
];

const RESULT = { cluster: 'web', group: 'web-ecs', state: 'blocked', code: 'no-room' } as GroupResult;
const FIGURES = Object.fromEntries(Object.keys(METRICS).map((metric) => [metric, 1])) as Figures;

describe('what the function tells and what the construct offers', () => {
  test('have the same names, namespace and dimension', async () => {
    const lines = await emfOf(() => publish('ecs-ami-deploy', 'function', RESULT, FIGURES));
    const told = lines.flatMap((line) =>
      Object.keys(valuesIn(line)).map((name) => ({
        name,
        namespace: line._aws.CloudWatchMetrics[0].Namespace,
        dimensions: dimensionsIn(line)[0],
      })),
    );
    const offered = OFFERED.map(({ metricName, namespace, dimensions }) => ({
      name: metricName,
      namespace,
      dimensions: Object.keys(dimensions ?? {}),
    }));
    expect(offered.sort(byName)).toEqual(told.sort(byName));
    expect(offered).toHaveLength(Object.keys(METRICS).length);
  });
});

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name.localeCompare(b.name);
}

test('docs/metrics.md has a row for each, in the order of their names, and its method', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/metrics.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| `(metric\w+)\(/gm)].map(([, name, method]) => ({
    name,
    method,
  }));
  expect(rows.map(({ name }) => name)).toEqual([
    ...Object.values(METRICS),
    ...Object.values(TERMINATION_METRICS),
    ...Object.values(SEQUENCE_METRICS),
  ]);
  const ofSequence = Object.values(SEQUENCE_METRICS);
  for (const { name = '', method = '' } of rows)
    expect(ofSequence.some((each) => each === name) ? RolloutSequence.prototype : construct).toHaveProperty(
      method,
    );
});

test('the dimension has the name of the function', () => {
  expect(OFFERED.map(({ dimensions }) => stack.resolve(dimensions))).toEqual(
    OFFERED.map(() => ({ service: stack.resolve(construct.function.functionName) })),
  );
});

test('options take precedence', () => {
  const metric = construct.metricImageAge({
    statistic: 'Minimum',
    dimensionsMap: { service: construct.function.functionName, cluster: 'web', group: 'web-ecs' },
  });
  expect(metric).toMatchObject({ statistic: 'Minimum', dimensions: { cluster: 'web', group: 'web-ecs' } });
});

test('dropped orders are counted by Lambda', () => {
  expect(construct.metricOrdersDropped()).toMatchObject({
    namespace: 'AWS/Lambda',
    metricName: 'AsyncEventsDropped',
    statistic: 'Sum',
  });
});
