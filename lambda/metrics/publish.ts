import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { Settings } from '../core/model/settings.ts';
import type { GroupResult } from '../core/result.ts';
import { DIMENSIONS, METRIC_NAMESPACE, METRICS, type Metric } from '../metric-names.ts';
import type { Figures } from './figures.ts';

/** By what metrics are told apart: by the function alone, or by the group, too. */
export type Detail = Exclude<Settings['metrics'], 'none'>;

type DimensionValues = Readonly<Record<string, string>>;

/** CloudWatch takes these characters in a dimension; a group's name may have others. */
const NOT_ALLOWED = /[^\x20-\x7e]/g;

/**
 * Writes a group's metrics to the log, in the format that CloudWatch makes metrics of:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function publish(
  functionName: string | undefined,
  detail: Detail,
  result: GroupResult,
  figures: Figures,
): void {
  const metrics = new Metrics({ namespace: METRIC_NAMESPACE, serviceName: functionName });
  const { cluster, group, code, state } = result;
  const place = { [DIMENSIONS.cluster]: cluster, [DIMENSIONS.group]: group.replaceAll(NOT_ALLOWED, '?') };
  const { blockedGroups, ...others } = figures;
  write(metrics, others, detail === 'group' ? [{}, place] : [{}], { ...place, code, state });
  if (blockedGroups !== undefined)
    write(metrics, { blockedGroups }, [{}, { [DIMENSIONS.code]: code }], { ...place, state });
}

/** @param sets each gives every figure a metric of its own, by these dimensions besides the function */
function write(
  metrics: Metrics,
  figures: Figures,
  sets: readonly DimensionValues[],
  fields: DimensionValues,
): void {
  const entries = Object.entries(figures) as [Metric, number][];
  if (entries.length === 0) return;
  for (const set of sets) metrics.addDimensions(set);
  for (const [field, value] of Object.entries(fields))
    if (!sets.some((set) => field in set)) metrics.addMetadata(field, value);
  for (const [metric, value] of entries) metrics.addMetric(METRICS[metric], unitOf(metric), value);
  metrics.publishStoredMetrics();
}

function unitOf(metric: Metric): (typeof MetricUnit)[keyof typeof MetricUnit] {
  return METRICS[metric].endsWith('Seconds') ? MetricUnit.Seconds : MetricUnit.Count;
}
