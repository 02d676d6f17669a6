import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  MathExpression,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { FUNCTION_TIMEOUT_MINUTES } from '../lambda/contract.ts';
import type { Metered } from './metered.ts';
import type { EcsAmiDeployProps } from './props.ts';
import { letPublish } from './topic-rights.ts';

/** The ages that set off alarms: by default, and within which limits. */
export const ALARM_AGES = {
  heldBackAfter: { otherwise: Duration.days(30), least: Duration.days(1), most: Duration.days(365) },
  imageAgeAlarmAfter: { otherwise: Duration.days(90), least: Duration.days(1), most: Duration.days(3650) },
  rolloutAlarmAfter: {
    otherwise: Duration.hours(6),
    /** The age of a roll at the end of its first invocation. */
    least: Duration.minutes(FUNCTION_TIMEOUT_MINUTES),
    most: Duration.days(365),
  },
};

export type AlarmAge = keyof typeof ALARM_AGES;

/**
 * One breach within 26 hours is enough. A group whose roll hasn't begun is logged at each look for an
 * image, once a day by default: so the alarm stays on from one look to the next instead of going off anew
 * each time.
 */
const LASTING_A_DAY = { evaluationPeriods: 26, datapointsToAlarm: 1 };

/** Whoever may put metrics could bring a sum down, by negative values. */
const LARGEST = { statistic: 'Maximum' };

/** The construct that gets the alarms, with what they watch. */
interface Watched extends Metered {
  readonly failureQueue: IQueue;
  readonly interruptionFunction?: IFunction;
}

type AlarmSettings = Pick<EcsAmiDeployProps, AlarmAge | 'alarmTopic'>;

/** Adds the alarms; they notify the topic if there is one. */
export function monitor(watched: Watched, settings: AlarmSettings) {
  const alarms: Partial<Record<'terminationErrorsAlarm' | 'terminationTimeoutAlarm', Alarm>> &
    ReturnType<typeof invocationAlarms> &
    ReturnType<typeof groupAlarms> = {
    ...invocationAlarms(watched),
    ...groupAlarms(watched, settings),
    ...terminationAlarms(watched),
  };
  notify(watched, Object.values(alarms), settings);
  return alarms;
}

/** Tells the topic of alarms, if there is one. */
export function notify(
  scope: Construct,
  alarms: readonly Alarm[],
  { alarmTopic }: Pick<EcsAmiDeployProps, 'alarmTopic'>,
): void {
  if (alarmTopic === undefined) return;
  letPublish(scope, alarmTopic, { service: 'cloudwatch.amazonaws.com', prop: 'alarmTopic' });
  for (const each of alarms) each.addAlarmAction(new SnsAction(alarmTopic));
}

function invocationAlarms(watched: Watched) {
  return {
    errorsAlarm: alarm(watched, 'ErrorsAlarm', {
      metric: watched.function.metricErrors({ period: Duration.minutes(5), statistic: 'Sum' }),
      threshold: 1,
      alarmDescription:
        'An invocation failed: its log names the group and the reason. The next invocation tries again.',
    }),
    failuresAlarm: alarm(watched, 'FailuresAlarm', {
      metric: watched.failureQueue.metricApproximateNumberOfMessagesVisible({
        period: Duration.minutes(1),
        statistic: 'Maximum',
      }),
      threshold: 1,
      alarmDescription:
        'An order, or another event that somebody sent, failed: it is in the failure queue, with the reason.',
    }),
    lostEventsAlarm: lostAlarm(watched, 'LostEventsAlarm', watched.function),
    lostOrdersAlarm: lostAlarm(watched, 'LostOrdersAlarm', watched.ordersFunction),
  };
}

function terminationAlarms(watched: Watched) {
  const { terminationsFunction, interruptionFunction } = watched;
  if (terminationsFunction === undefined || interruptionFunction === undefined) return {};
  const errors = (of: IFunction) => of.metricErrors({ period: Duration.minutes(5), statistic: 'Sum' });
  return {
    terminationErrorsAlarm: alarm(watched, 'TerminationErrorsAlarm', {
      metric: new MathExpression({
        expression: 'ends + spot',
        usingMetrics: { ends: errors(terminationsFunction), spot: errors(interruptionFunction) },
        period: Duration.minutes(5),
      }),
      threshold: 1,
      alarmDescription:
        'What Auto Scaling ends, or Spot reclaims, could not be drained: the log names the reason. The next tick tries again.',
    }),
    terminationTimeoutAlarm: alarm(watched, 'TerminationTimeoutAlarm', {
      metric: watched.metricTimedOutTerminations(LARGEST),
      threshold: 1,
      alarmDescription:
        'An instance that Auto Scaling ended outside a roll took tasks along, as its time was over: the log names them.',
    }),
  };
}

/** https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-retain-records.html */
function lostAlarm(watched: Watched, id: string, of: IFunction): Alarm {
  return alarm(watched, id, {
    metric: of.metric('DestinationDeliveryFailures', { period: Duration.minutes(1), statistic: 'Sum' }),
    threshold: 1,
    alarmDescription:
      'An order, or another event that somebody sent, failed, and Lambda could not put it in the failure queue.',
  });
}

function groupAlarms(
  watched: Watched,
  {
    rolloutAlarmAfter = ALARM_AGES.rolloutAlarmAfter.otherwise,
    heldBackAfter = ALARM_AGES.heldBackAfter.otherwise,
    imageAgeAlarmAfter = ALARM_AGES.imageAgeAlarmAfter.otherwise,
  }: Pick<EcsAmiDeployProps, AlarmAge>,
) {
  return {
    rolloutAlarm: alarm(watched, 'RolloutAlarm', {
      metric: watched.metricRollAge(),
      threshold: rolloutAlarmAfter.toSeconds({ integral: false }),
      alarmDescription: `A roll has been running for ${rolloutAlarmAfter.toHumanString()}: the function's log says what it is waiting for.`,
    }),
    blockedAlarm: alarm(watched, 'BlockedAlarm', {
      metric: watched.metricBlockedGroups(LARGEST),
      threshold: 1,
      ...LASTING_A_DAY,
      alarmDescription:
        'A group can\'t be rolled as it is, or is paused: the function\'s log says why, in the line "result: blocked" or "result: paused".',
    }),
    untrustedTagsAlarm: alarm(watched, 'UntrustedTagsAlarm', {
      metric: watched.metricUntrustedTags(),
      threshold: 1,
      ...LASTING_A_DAY,
      alarmDescription:
        "Somebody else set, changed or copied the function's own tags. They are ignored; its log names them.",
    }),
    requestByTagAlarm: alarm(watched, 'RequestByTagAlarm', {
      metric: watched.metricRequestsByTag(),
      threshold: 1,
      alarmDescription:
        "Somebody asked for an abort or a rollback with a tag on a group: the function's log names the group.",
    }),
    heldBackAlarm: alarm(watched, 'HeldBackAlarm', {
      metric: watched.metricHeldBack(),
      threshold: heldBackAfter.toDays({ integral: false }),
      ...LASTING_A_DAY,
      alarmDescription: `A group that is excluded, paused, kept waiting by its sequence or rejected its new image has gone without a newer one for ${heldBackAfter.toHumanString()}.`,
    }),
    imageAgeAlarm: alarm(watched, 'ImageAgeAlarm', {
      metric: watched.metricImageAge(),
      threshold: imageAgeAlarmAfter.toDays({ integral: false }),
      ...LASTING_A_DAY,
      alarmDescription: `Members run an image that is ${imageAgeAlarmAfter.toHumanString()} old or older: the status says which, and why.`,
    }),
  };
}

export function alarm(
  scope: Construct,
  id: string,
  on: Pick<AlarmProps, 'metric' | 'threshold' | 'alarmDescription'> & Partial<typeof LASTING_A_DAY>,
): Alarm {
  return new Alarm(scope, id, {
    evaluationPeriods: 1,
    ...on,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    // No data means no problem: no roll has no age, and no invocation has no error.
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
}
