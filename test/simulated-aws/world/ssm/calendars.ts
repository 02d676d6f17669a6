import type { State } from '../state.ts';

/** A change calendar: open by default, with times at which it is closed. */
export interface Calendar {
  readonly arn: string;
  /** In milliseconds; later than now, or begun and not over. */
  closures: readonly Closure[];
}

export interface Closure {
  readonly fromMs: number;
  readonly untilMs: number;
}

export function setCalendar(state: State, name: string, closures: readonly Closure[]): Calendar {
  const arn = `arn:aws:ssm:${state.region}:${state.account}:document/${name}`;
  const calendar: Calendar = state.calendars.get(name) ?? { arn, closures };
  calendar.closures = closures;
  state.calendars.set(name, calendar);
  return calendar;
}

/** By name or ARN. */
export function findCalendar({ calendars }: State, nameOrArn: string): Calendar | undefined {
  return calendars.get(nameOrArn) ?? [...calendars.values()].find(({ arn }) => arn === nameOrArn);
}

export function isClosed({ closures }: Calendar, atMs: number): boolean {
  return closures.some(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs);
}

/** When all of them are open, or one of them closed, other than at a time; undefined if never. */
export function nextTransition(calendars: readonly Calendar[], atMs: number): number | undefined {
  const closedAt = (ms: number) => calendars.some((calendar) => isClosed(calendar, ms));
  return calendars
    .flatMap(({ closures }) => closures.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs]))
    .filter((ms) => ms > atMs && closedAt(ms) !== closedAt(atMs))
    .sort((a, b) => a - b)[0];
}
