import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  type Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { FUNCTION_TIMEOUT_MINUTES, METRIC_NAMESPACE, ROLLOUT_AGE_FIELD } from '../lambda/contract.ts';
import type { EcsAmiDeployProps } from './props.ts';

export const DEFAULT_ROLLOUT_ALARM_AFTER = Duration.hours(6);
/** So old is a roll at the end of its first invocation. */
export const LEAST_ROLLOUT_ALARM_AFTER = Duration.minutes(FUNCTION_TIMEOUT_MINUTES);
export const MOST_ROLLOUT_ALARM_AFTER = Duration.days(365);

/** The messages of the lines that `lambda/journal.ts` writes at an invocation's end for groups that stay as they are. */
const BLOCKED = 'result: blocked';
const PAUSED = 'result: paused';

/**
 * One of the last 26 hours is enough. A group whose roll hasn't begun is told of with each look for an image,
 * once a day unless scheduled otherwise: so the alarm lasts from one look to the next, and doesn't go off
 * anew with each.
 */
const LASTING_A_DAY = { evaluationPeriods: 26, datapointsToAlarm: 1 };

/** What wants a person: an event that came to nothing, a failed invocation, a roll that does not end, a group whose roll can't, or may not, begin. */
export interface Alarms {
  readonly failuresAlarm: Alarm;
  readonly errorsAlarm: Alarm;
  readonly rolloutAlarm: Alarm;
  readonly blockedAlarm: Alarm;
}

interface Watched {
  readonly function: LambdaFunction;
  readonly logGroup: ILogGroup;
  readonly failureQueue: IQueue;
}

/** Adds the alarms, which notify the topic if there is one. */
export function monitor(
  scope: Construct,
  watched: Watched,
  {
    rolloutAlarmAfter = DEFAULT_ROLLOUT_ALARM_AFTER,
    alarmTopic,
  }: Pick<EcsAmiDeployProps, 'rolloutAlarmAfter' | 'alarmTopic'>,
): Alarms {
  const errorsAlarm = alarm(scope, 'ErrorsAlarm', {
    metric: watched.function.metricErrors({ period: Duration.minutes(5), statistic: 'Sum' }),
    threshold: 1,
    alarmDescription:
      'An invocation failed: its log names the group and the reason. The next one tries again.',
  });
  const failuresAlarm = alarm(scope, 'FailuresAlarm', {
    metric: watched.failureQueue.metricApproximateNumberOfMessagesVisible({
      period: Duration.minutes(1),
      statistic: 'Maximum',
    }),
    threshold: 1,
    alarmDescription:
      'An order, or another event that somebody sent, came to nothing: it is in the failure queue, with the reason.',
  });
  const rolloutAlarm = alarm(scope, 'RolloutAlarm', {
    metric: rolloutAge(scope, watched),
    threshold: rolloutAlarmAfter.toSeconds({ integral: false }),
    alarmDescription: `A roll has been going on for ${rolloutAlarmAfter.toHumanString()}: the function's log says what it waits for.`,
  });
  const blockedAlarm = alarm(scope, 'BlockedAlarm', {
    metric: blockedGroups(scope, watched),
    threshold: 1,
    ...LASTING_A_DAY,
    alarmDescription: `A group can't be rolled as it is, or is paused: the function's log says why, in the line "${BLOCKED}" or "${PAUSED}".`,
  });
  const alarms = { failuresAlarm, errorsAlarm, rolloutAlarm, blockedAlarm };
  if (alarmTopic !== undefined)
    for (const each of Object.values(alarms)) each.addAlarmAction(new SnsAction(alarmTopic));
  return alarms;
}

/**
 * The age of the oldest roll, read from the log line that each group gets at an invocation's end. While a roll goes on an
 * invocation ends every 15 minutes, and the next begins within 5: a period of 30 always holds an end.
 */
function rolloutAge(scope: Construct, watched: Watched): Metric {
  const field = `$.${ROLLOUT_AGE_FIELD}`;
  return new MetricFilter(scope, 'RolloutAge', {
    logGroup: watched.logGroup,
    filterPattern: FilterPattern.numberValue(field, '>=', 0),
    metricNamespace: METRIC_NAMESPACE,
    // With the function's name in it, so that several deployments of one account stay apart.
    metricName: `RolloutAge-${watched.function.functionName}`,
    metricValue: field,
  }).metric({ period: Duration.minutes(30), statistic: 'Maximum' });
}

/**
 * Groups whose roll hasn't begun and that get no new image: blocked ones, and those of which a pause may be forgotten.
 * A roll that has begun has an age, and with it an alarm of its own.
 */
function blockedGroups(scope: Construct, watched: Watched): Metric {
  return new MetricFilter(scope, 'BlockedGroups', {
    logGroup: watched.logGroup,
    filterPattern: FilterPattern.all(
      FilterPattern.any(
        FilterPattern.stringValue('$.message', '=', BLOCKED),
        FilterPattern.stringValue('$.message', '=', PAUSED),
      ),
      FilterPattern.notExists(`$.${ROLLOUT_AGE_FIELD}`),
    ),
    metricNamespace: METRIC_NAMESPACE,
    metricName: `BlockedGroups-${watched.function.functionName}`,
    metricValue: '1',
  }).metric({ period: Duration.hours(1), statistic: 'Sum' });
}

function alarm(
  scope: Construct,
  id: string,
  on: Pick<AlarmProps, 'metric' | 'threshold' | 'alarmDescription'> & Partial<typeof LASTING_A_DAY>,
): Alarm {
  return new Alarm(scope, id, {
    evaluationPeriods: 1,
    ...on,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    // Without a roll there is no age, and without an invocation no error and nothing blocked or paused.
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
}
