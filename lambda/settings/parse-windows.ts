import type { Window } from '../core/model/settings.ts';
import type { Parser } from './parsers.ts';

export const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
export const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

export interface CronField {
  readonly least: number;
  readonly most: number;
  /** Stand for the numbers from the least on. */
  readonly names?: readonly string[];
}

/** As in https://man7.org/linux/man-pages/man5/crontab.5.html */
const FIELDS: readonly CronField[] = [
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  { least: 1, most: 12, names: MONTHS },
  { least: 0, most: 7, names: WEEKDAYS },
];

const LEAST_MINUTES = 10;
const MOST_MINUTES = 7 * 24 * 60;

/** One window and what follows it. A comma may be in a field of its cron expression, too. */
const ONE = /((?:\S+\s+){4}\S+)\s+(?:(\d+)h)?(?:(\d+)m)?(?:\s+([A-Za-z][\w/+-]*))?\s*(?:,\s*|$)/y;

/**
 * The expressions are those of Unix alone, so that they mean the same everywhere. They are checked here, as
 * what reads the time from them is loaded only by an invocation that has windows.
 */
export const windows: Parser<readonly (readonly Window[])[]> = {
  kind: 'list',
  may:
    'windows separated by commas, each "<minute> <hour> <day> <month> <weekday> <duration> <time zone>", such as ' +
    '"0 2 * * MON-FRI 4h30m Europe/Berlin", for 10m up to 168h, in UTC if no zone is named',
  read: (given) => {
    const found = [...given.matchAll(new RegExp(ONE, 'gy'))];
    const whole = found.map(([text]) => text).join('') === given;
    const read = found.flatMap(([, cron = '', hours = 0, minutes = 0, timeZone = 'UTC']) => {
      const window = { cron, minutes: Number(hours) * 60 + Number(minutes), timeZone };
      return isWindow(window) ? [window] : [];
    });
    return whole && read.length > 0 && read.length === found.length ? [read] : undefined;
  },
};

function isWindow({ cron, minutes, timeZone }: Window): boolean {
  const isLong = minutes >= LEAST_MINUTES && minutes <= MOST_MINUTES;
  const fields = cron.split(/\s+/);
  return isLong && FIELDS.every((field, index) => isField(fields[index] ?? '', field)) && isZone(timeZone);
}

function isField(text: string, field: CronField): boolean {
  const { most } = field;
  return text.split(',').every((part) => {
    const [, all, from = '', to = from, step] = /^(?:(\*)|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/.exec(part) ?? [];
    const isStep =
      step === undefined || (Number(step) > 0 && Number(step) <= most && (all !== undefined || to !== from));
    return isStep && (all !== undefined || numberIn(from, field) <= numberIn(to, field));
  });
}

/** Not a number, and so never in order, for what isn't in the field. */
export function numberIn(word: string, { least, most, names = [] }: CronField): number {
  const named = names.indexOf(word.toUpperCase());
  const value = /^\d+$/.test(word) ? Number(word) : named < 0 ? Number.NaN : least + named;
  return value >= least && value <= most ? value : Number.NaN;
}

function isZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    // A RangeError: there is no such zone.
    return false;
  }
}

/** A window has a long rule: a time zone that there is not is said apart. */
export function withUnknownZone(fault: string): string {
  const [, given = ''] = / was "([^"]*)"; it may be windows/.exec(fault) ?? [];
  const unknown = given.match(/[A-Z]\w+\/[\w/+-]+/g)?.find((zone) => !isZone(zone));
  return unknown === undefined ? fault : `${fault}; there is no time zone ${unknown}`;
}
