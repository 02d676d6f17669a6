import {
  CloudWatchClient,
  type CompositeAlarm,
  type MetricAlarm,
  paginateDescribeAlarms,
} from '@aws-sdk/client-cloudwatch';
import type { Alarm } from '../core/model/observation.ts';
import { piecesOf } from '../core/model/pieces.ts';
import { type Aws, rareClient } from './clients.ts';

export const cloudWatchOf = rareClient(CloudWatchClient, 'cloudwatch');

/** The limit of names in a call, and the longest page. */
const ALARMS = 100;

/**
 * Metric and composite alarms by name. A name that doesn't exist is missing from the result, as from AWS's
 * answer.
 */
export async function describeAlarms(aws: Aws, names: readonly string[]): Promise<Alarm[]> {
  const found: Alarm[] = [];
  for (const AlarmNames of piecesOf([...new Set(names)], ALARMS)) {
    // CloudWatch only returns composite alarms on request.
    const AlarmTypes = ['MetricAlarm' as const, 'CompositeAlarm' as const];
    const pages = paginateDescribeAlarms(
      { client: cloudWatchOf(aws), pageSize: ALARMS },
      { AlarmNames, AlarmTypes },
    );
    for await (const { MetricAlarms = [], CompositeAlarms = [] } of pages)
      found.push(...[...MetricAlarms, ...CompositeAlarms].map(alarmOf));
  }
  return found;
}

/**
 * The update time also changes with every new reason, so it only serves if the transition time is missing.
 */
function alarmOf(alarm: MetricAlarm | CompositeAlarm): Alarm {
  return {
    name: alarm.AlarmName ?? '',
    inAlarm: alarm.StateValue === 'ALARM',
    since: alarm.StateTransitionedTimestamp ?? alarm.StateUpdatedTimestamp ?? new Date(0),
  };
}
