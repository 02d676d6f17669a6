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

/** The messages of the lines that `lambda/journal.ts` writes at an invocation's end for groups that stay as they are. */
export const BLOCKED = 'result: blocked';
export const PAUSED = 'result: paused';

/** The log, and whose name the metrics bear, so that several deployments of one account stay apart. */
interface Source {
  readonly logGroup: ILogGroup;
  readonly function: { readonly functionName: string };
}

/** What CloudWatch reads from the log line that each group gets at an invocation's end. */
export interface LogMetrics {
  readonly rolloutAge: Metric;
  readonly blockedGroups: Metric;
  readonly untrustedTags: Metric;
  readonly requestsByTag: Metric;
  readonly heldBackDays: Metric;
}

/**
 * While a roll goes on an invocation ends every 15 minutes, and the next begins within 5: a period of 30 always holds an
 * end. Outside of rolls groups are looked at once a day, unless scheduled otherwise, which an alarm takes into account.
 */
const [IN_ROLLS, BETWEEN_LOOKS] = [Duration.minutes(30), Duration.hours(1)];

export function logMetrics(scope: Construct, source: Source): LogMetrics {
  const filtered = (id: string, filterPattern: IFilterPattern, metricValue: string) =>
    new MetricFilter(scope, id, {
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
 * Groups whose roll hasn't begun and that get no new image: blocked ones, and those of which a pause may be forgotten.
 * A roll that has begun has an age, and with it an alarm of its own.
 */
const BLOCKED_OR_PAUSED = FilterPattern.all(
  FilterPattern.any(
    FilterPattern.stringValue('$.message', '=', BLOCKED),
    FilterPattern.stringValue('$.message', '=', PAUSED),
  ),
  FilterPattern.notExists(`$.${ROLLOUT_AGE_FIELD}`),
);
