import type { StateValue } from '@aws-sdk/client-cloudwatch';
import type { State } from '../state.ts';

export interface Alarm {
  readonly name: string;
  readonly arn: string;
  /** Told of other alarms, not of a metric. */
  readonly isComposite: boolean;
  state: StateValue;
  /** When its state was last set, to whatever it was already or to another. */
  stateUpdatedAtMs: number;
  /** When it was last set to another. */
  stateTransitionedAtMs: number;
}

export interface AlarmOptions {
  readonly name: string;
  /** Default: OK. */
  readonly state?: StateValue;
  readonly composite?: boolean;
}

export function addAlarm(state: State, options: AlarmOptions): Alarm {
  const { name } = options;
  const now = state.clock.now();
  const alarm: Alarm = {
    name,
    arn: `arn:aws:cloudwatch:${state.region}:${state.account}:alarm:${name}`,
    isComposite: options.composite ?? false,
    state: options.state ?? 'OK',
    stateUpdatedAtMs: now,
    stateTransitionedAtMs: now,
  };
  state.alarms.set(name, alarm);
  return alarm;
}

export function setAlarm(state: State, name: string, to: StateValue) {
  const alarm = state.alarms.get(name);
  if (!alarm) throw new Error(`No alarm ${name}`);
  const now = state.clock.now();
  alarm.stateUpdatedAtMs = now;
  if (alarm.state !== to) alarm.stateTransitionedAtMs = now;
  alarm.state = to;
  state.emit({ kind: 'alarm-changed', alarm });
}
