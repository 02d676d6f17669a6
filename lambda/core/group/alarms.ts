import type { Assessment } from '../model/assessment.ts';
import type { Alarm, Observation } from '../model/observation.ts';
import type { Settings } from '../model/settings.ts';
import { isOver } from '../model/time.ts';
import type { HoldUp } from '../reasons/hold-ups.ts';

type AlarmHoldUp =
  | { readonly kind: 'blocked'; readonly reason: HoldUp<'alarm-missing'> }
  | { readonly kind: 'wait'; readonly reason: HoldUp<'alarm-ringing'> };

/** Why nothing new may begin: an alarm is in ALARM, or its state is unknown. */
export function stoppedByAlarms(
  { details: { alarms = [] } = {} }: Observation,
  { alarmNames = [] }: Settings,
): AlarmHoldUp | undefined {
  const missing = alarmNames.filter((name) => alarms.every((alarm) => alarm.name !== name));
  if (missing.length > 0) {
    return {
      kind: 'blocked',
      reason: { code: 'alarm-missing', names: missing },
    };
  }
  const ringing = ringingOf(alarms, alarmNames);
  if (ringing.length === 0) return undefined;
  return { kind: 'wait', reason: { code: 'alarm-ringing', alarms: ringing } };
}

/** The alarm that went off during the roll and has lasted too long for the roll to go on. */
export function alarmOverdue({
  group: { roll },
  observation: { now, details: { alarms = [] } = {} },
  settings: { alarmNames = [], alarmTimeoutSeconds },
}: Assessment): HoldUp<'alarm-overdue'> | undefined {
  const alarm = ringingOf(alarms, alarmNames).find(
    ({ since }) => roll !== undefined && since > roll.startedAt && isOver(since, alarmTimeoutSeconds, now),
  );
  return alarm && { code: 'alarm-overdue', alarm, afterSeconds: alarmTimeoutSeconds };
}

function ringingOf(alarms: readonly Alarm[], names: readonly string[]): Alarm[] {
  return alarms.filter(({ name, inAlarm }) => inAlarm && names.includes(name));
}
