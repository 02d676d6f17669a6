import { type CompositeAlarm, type MetricAlarm, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import { batches } from '../core/group/budget.ts';
import type { Alarm } from '../core/model/observation.ts';
import type { Aws } from './clients.ts';

/** Most names in one call, and the longest page. */
const ALARMS = 100;

/**
 * Metric and composite alarms by name. A name that doesn't exist is left out of AWS's answer, and so of this.
 */
export async function describeAlarms({ cloudWatch }: Aws, names: readonly string[]): Promise<Alarm[]> {
  const found: Alarm[] = [];
  for (const AlarmNames of batches([...new Set(names)], ALARMS)) {
    // Composite alarms are answered only where they are asked for.
    const AlarmTypes = ['MetricAlarm' as const, 'CompositeAlarm' as const];
    const pages = paginateDescribeAlarms(
      { client: cloudWatch, pageSize: ALARMS },
      { AlarmNames, AlarmTypes },
    );
    for await (const { MetricAlarms = [], CompositeAlarms = [] } of pages)
      found.push(...[...MetricAlarms, ...CompositeAlarms].map(alarmOf));
  }
  return found;
}

/**
 * The time of an update moves with every new reason, too: it stands in only where the other time is lacking.
 */
function alarmOf(alarm: MetricAlarm | CompositeAlarm): Alarm {
  return {
    name: alarm.AlarmName ?? '',
    inAlarm: alarm.StateValue === 'ALARM',
    since: alarm.StateTransitionedTimestamp ?? alarm.StateUpdatedTimestamp ?? new Date(0),
  };
}
