import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { METRIC_NAMESPACE, ROLLOUT_AGE_FIELD } from '../lambda/contract.ts';
import type { EcsAmiDeployProps } from './props.ts';

export const DEFAULT_ROLLOUT_ALARM_AFTER = Duration.hours(6);

/** An alarm each for the two things that want a person: an invocation that failed, a roll that does not end. */
export function monitor(
  scope: Construct,
  watched: { function: LambdaFunction; logGroup: ILogGroup },
  props: Pick<EcsAmiDeployProps, 'rolloutAlarmAfter' | 'alarmTopic'>,
): { errorsAlarm: Alarm; rolloutAlarm: Alarm } {
  const rolloutAlarmAfter = props.rolloutAlarmAfter ?? DEFAULT_ROLLOUT_ALARM_AFTER;
  const errorsAlarm = alarm(scope, 'ErrorsAlarm', {
    metric: watched.function.metricErrors({ period: Duration.minutes(5), statistic: 'Sum' }),
    threshold: 1,
    alarmDescription:
      'An invocation failed: its log names the group and the reason. The next one tries again.',
  });
  const rolloutAlarm = alarm(scope, 'RolloutAlarm', {
    metric: rolloutAge(scope, watched),
    threshold: rolloutAlarmAfter.toSeconds(),
    alarmDescription: `A roll has been going on for ${rolloutAlarmAfter.toHumanString()}: the function's log says what it waits for.`,
  });
  if (props.alarmTopic !== undefined) {
    const action = new SnsAction(props.alarmTopic);
    errorsAlarm.addAlarmAction(action);
    rolloutAlarm.addAlarmAction(action);
  }
  return { errorsAlarm, rolloutAlarm };
}

/**
 * The age of the oldest roll, read from the log line that each group gets at an invocation's end. While a roll goes on an
 * invocation ends every 15 minutes, and the next begins within 5: a period of 30 always holds an end.
 */
function rolloutAge(scope: Construct, watched: { function: LambdaFunction; logGroup: ILogGroup }): Metric {
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

function alarm(
  scope: Construct,
  id: string,
  on: { metric: Metric; threshold: number; alarmDescription: string },
): Alarm {
  return new Alarm(scope, id, {
    ...on,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: 1,
    // Without a roll there is no age, and without an invocation no error.
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
}
