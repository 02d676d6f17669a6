import type { Decision } from '../actions/decision.ts';
import type { Assessment } from '../model/assessment.ts';
import type { Alarm, Observation } from '../model/observation.ts';
import type { Settings } from '../model/settings.ts';
import { isOver } from '../model/time.ts';

/** Why nothing new may begin: an alarm is in ALARM, or nobody can tell whether it is. */
export function stoppedByAlarms(
  { details: { alarms = [] } = {} }: Observation,
  { alarmNames = [] }: Settings,
): Decision | undefined {
  const missing = alarmNames.filter((name) => alarms.every((alarm) => alarm.name !== name));
  if (missing.length > 0) {
    return {
      kind: 'blocked',
      reason: `alarm ${missing.join(' and ')} does not exist; mend ALARM_NAMES or create it`,
    };
  }
  const ringing = ringingOf(alarms, alarmNames);
  if (ringing.length === 0) return undefined;
  return { kind: 'wait', reason: `begins nothing new, as ${ringing.map(describe).join(' and ')}` };
}

/** The alarm that went off after the roll began, and has lasted too long for the roll to go on. */
export function alarmOverdue({
  group: { roll },
  observation: { now, details: { alarms = [] } = {} },
  settings: { alarmNames = [], alarmTimeoutSeconds },
}: Assessment): string | undefined {
  const overdue = ringingOf(alarms, alarmNames).find(
    ({ since }) => roll !== undefined && since > roll.startedAt && isOver(since, alarmTimeoutSeconds, now),
  );
  return overdue && `after ${alarmTimeoutSeconds} s, ${describe(overdue)}`;
}

function ringingOf(alarms: readonly Alarm[], names: readonly string[]): Alarm[] {
  return alarms.filter(({ name, inAlarm }) => inAlarm && names.includes(name));
}

function describe({ name, since }: Alarm): string {
  return `alarm ${name} is in ALARM since ${since.toISOString()}`;
}
