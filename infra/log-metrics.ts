import { Duration } from 'aws-cdk-lib';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type IFilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import {
  HELD_BACK_DAYS_FIELD,
  METRIC_NAMESPACE,
  REQUESTED_BY_TAG_FIELD,
  ROLLOUT_AGE_FIELD,
  UNTRUSTED_TAGS_FIELD,
} from '../lambda/contract.ts';

/** Messages that `lambda/journal.ts` logs at the end of an invocation for groups that stay as they are. */
export const BLOCKED = 'result: blocked';
export const PAUSED = 'result: paused';

/**
 * The log, and the function whose name is part of the metric names, so that several deployments in an
 * account stay apart.
 */
interface Source extends Construct {
  readonly logGroup: ILogGroup;
  readonly function: { readonly functionName: string };
}

/** Metrics that CloudWatch extracts from each group's log line at the end of an invocation. */
export interface LogMetrics {
  readonly rolloutAge: Metric;
  readonly blockedGroups: Metric;
  readonly untrustedTags: Metric;
  readonly requestsByTag: Metric;
  readonly heldBackDays: Metric;
}

/**
 * During a roll an invocation ends every 15 minutes and the next begins within 5, so a period of 30 minutes
 * always includes an end. Outside of rolls groups are looked at once a day by default; the alarms allow for
 * that with `LASTING_A_DAY`.
 */
const [IN_ROLLS, BETWEEN_LOOKS] = [Duration.minutes(30), Duration.hours(1)];

export function logMetrics(source: Source): LogMetrics {
  const filtered = (id: string, filterPattern: IFilterPattern, metricValue: string) =>
    new MetricFilter(source, id, {
      logGroup: source.logGroup,
      filterPattern,
      metricNamespace: METRIC_NAMESPACE,
      metricName: `${id}-${source.function.functionName}`,
      metricValue,
    });
  const field = (id: string, name: string, least: number) =>
    filtered(id, FilterPattern.numberValue(`$.${name}`, '>=', least), `$.${name}`);
  const inRolls = { period: IN_ROLLS, statistic: 'Maximum' };
  const betweenLooks = { period: BETWEEN_LOOKS, statistic: 'Maximum' };
  return {
    rolloutAge: field('RolloutAge', ROLLOUT_AGE_FIELD, 0).metric(inRolls),
    blockedGroups: filtered('BlockedGroups', BLOCKED_OR_PAUSED, '1').metric({
      ...betweenLooks,
      statistic: 'Sum',
    }),
    untrustedTags: field('UntrustedTags', UNTRUSTED_TAGS_FIELD, 1).metric(betweenLooks),
    requestsByTag: field('RequestsByTag', REQUESTED_BY_TAG_FIELD, 1).metric(inRolls),
    heldBackDays: field('HeldBackDays', HELD_BACK_DAYS_FIELD, 0).metric(betweenLooks),
  };
}

/**
 * Groups that get no new image and whose roll hasn't begun: blocked ones, and paused ones, whose pause may
 * have been forgotten. A roll that has begun has an age, and with it an alarm of its own.
 */
const BLOCKED_OR_PAUSED = FilterPattern.all(
  FilterPattern.any(
    FilterPattern.stringValue('$.message', '=', BLOCKED),
    FilterPattern.stringValue('$.message', '=', PAUSED),
  ),
  FilterPattern.notExists(`$.${ROLLOUT_AGE_FIELD}`),
);
