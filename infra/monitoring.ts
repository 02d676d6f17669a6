import { Duration } from 'aws-cdk-lib';
import { Alarm, type AlarmProps, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { FUNCTION_TIMEOUT_MINUTES } from '../lambda/contract.ts';
import { BLOCKED, logMetrics, PAUSED } from './log-metrics.ts';
import type { EcsAmiDeployProps } from './props.ts';

export const DEFAULT_ROLLOUT_ALARM_AFTER = Duration.hours(6);
/** So old is a roll at the end of its first invocation. */
export const LEAST_ROLLOUT_ALARM_AFTER = Duration.minutes(FUNCTION_TIMEOUT_MINUTES);
export const MOST_ROLLOUT_ALARM_AFTER = Duration.days(365);
export const DEFAULT_HELD_BACK_DAYS = 30;
export const MOST_HELD_BACK_DAYS = 365;

/**
 * One of the last 26 hours is enough. A group whose roll hasn't begun is told of with each look for an image,
 * once a day unless scheduled otherwise: so the alarm lasts from one look to the next, and doesn't go off
 * anew with each.
 */
const LASTING_A_DAY = { evaluationPeriods: 26, datapointsToAlarm: 1 };

/** What wants a person. */
export interface Alarms {
  /** An event came to nothing. */
  readonly failuresAlarm: Alarm;
  /** An invocation failed. */
  readonly errorsAlarm: Alarm;
  /** A roll does not end. */
  readonly rolloutAlarm: Alarm;
  /** A group's roll can't, or may not, begin. */
  readonly blockedAlarm: Alarm;
  /** A tag of ours bears no seal of ours. */
  readonly untrustedTagsAlarm: Alarm;
  /** Somebody asked for a roll's end by a tag. */
  readonly requestByTagAlarm: Alarm;
  /** A newer image is kept from a group. */
  readonly heldBackAlarm: Alarm;
}

interface Watched {
  readonly function: LambdaFunction;
  readonly logGroup: ILogGroup;
  readonly failureQueue: IQueue;
}

type AlarmSettings = Pick<EcsAmiDeployProps, 'rolloutAlarmAfter' | 'heldBackDays' | 'alarmTopic'>;

/** Adds the alarms, which notify the topic if there is one. */
export function monitor(scope: Construct, watched: Watched, settings: AlarmSettings): Alarms {
  const alarms = { ...ofInvocations(scope, watched), ...ofGroups(scope, watched, settings) };
  const { alarmTopic } = settings;
  if (alarmTopic !== undefined)
    for (const each of Object.values(alarms)) each.addAlarmAction(new SnsAction(alarmTopic));
  return alarms;
}

function ofInvocations(scope: Construct, watched: Watched) {
  return {
    errorsAlarm: alarm(scope, 'ErrorsAlarm', {
      metric: watched.function.metricErrors({ period: Duration.minutes(5), statistic: 'Sum' }),
      threshold: 1,
      alarmDescription:
        'An invocation failed: its log names the group and the reason. The next one tries again.',
    }),
    failuresAlarm: alarm(scope, 'FailuresAlarm', {
      metric: watched.failureQueue.metricApproximateNumberOfMessagesVisible({
        period: Duration.minutes(1),
        statistic: 'Maximum',
      }),
      threshold: 1,
      alarmDescription:
        'An order, or another event that somebody sent, came to nothing: it is in the failure queue, with the reason.',
    }),
  };
}

function ofGroups(
  scope: Construct,
  watched: Watched,
  {
    rolloutAlarmAfter = DEFAULT_ROLLOUT_ALARM_AFTER,
    heldBackDays = DEFAULT_HELD_BACK_DAYS,
  }: Omit<AlarmSettings, 'alarmTopic'>,
) {
  const metrics = logMetrics(scope, watched);
  return {
    rolloutAlarm: alarm(scope, 'RolloutAlarm', {
      metric: metrics.rolloutAge,
      threshold: rolloutAlarmAfter.toSeconds({ integral: false }),
      alarmDescription: `A roll has been going on for ${rolloutAlarmAfter.toHumanString()}: the function's log says what it waits for.`,
    }),
    blockedAlarm: alarm(scope, 'BlockedAlarm', {
      metric: metrics.blockedGroups,
      threshold: 1,
      ...LASTING_A_DAY,
      alarmDescription: `A group can't be rolled as it is, or is paused: the function's log says why, in the line "${BLOCKED}" or "${PAUSED}".`,
    }),
    untrustedTagsAlarm: alarm(scope, 'UntrustedTagsAlarm', {
      metric: metrics.untrustedTags,
      threshold: 1,
      ...LASTING_A_DAY,
      alarmDescription:
        "Tags of the function's own were set, changed or copied by somebody else. They count for nothing; its log names them.",
    }),
    requestByTagAlarm: alarm(scope, 'RequestByTagAlarm', {
      metric: metrics.requestsByTag,
      threshold: 1,
      alarmDescription: 'Somebody asked for an abort or a rollback by a tag on the group: its log names it.',
    }),
    heldBackAlarm: alarm(scope, 'HeldBackAlarm', {
      metric: metrics.heldBackDays,
      threshold: heldBackDays,
      ...LASTING_A_DAY,
      alarmDescription: `A group that is left out, paused, or whose new image was rejected has been without a newer image for ${heldBackDays} days.`,
    }),
  };
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
    // What doesn't happen is not told: without a roll there is no age, and without an invocation no error.
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
}
