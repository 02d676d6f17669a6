import { Token } from 'aws-cdk-lib';
import type { Schedule } from 'aws-cdk-lib/aws-events';
import { type CronField, MONTHS, numberIn, WEEKDAYS } from '../lambda/settings/parse-windows.ts';

/** One of the six fields of a cron expression. */
interface ScheduleField extends CronField {
  readonly name: string;
  /** What the field may be besides numbers, names, ranges and steps. */
  readonly special?: RegExp;
}

/** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-scheduled-rule-pattern.html */
const FIELDS: readonly ScheduleField[] = [
  { name: 'minutes', least: 0, most: 59 },
  { name: 'hours', least: 0, most: 23 },
  { name: 'day of the month', least: 1, most: 31, special: /^(\?|L(-\d{1,2})?|LW|\d{1,2}W)$/ },
  { name: 'month', least: 1, most: 12, names: MONTHS },
  {
    name: 'day of the week',
    least: 1,
    most: 7,
    names: WEEKDAYS,
    special: /^(\?|L|([1-7]|[A-Z]{3})(L|#[1-5]))$/,
  },
  { name: 'year', least: 1970, most: 2199 },
];

const EXAMPLES =
  'it may be rate(<number> minutes|hours|days) or cron(<minutes> <hours> <day of the month> <month> ' +
  '<day of the week> <year>), such as cron(0 3 ? * TUE *) or rate(1 day)';

/** Faults of a schedule that EventBridge would reject only at deployment. */
export function scheduleFaults(schedule: Schedule | undefined): string[] {
  const expression = schedule?.expressionString;
  if (expression === undefined || Token.isUnresolved(expression)) return [];
  const may = expected(expression);
  return may === undefined ? [] : [`schedule was "${expression}"; ${may}`];
}

function expected(expression: string): string | undefined {
  const [, number, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (number !== undefined) return expectedRate(expression, Number(number), unit ?? '');
  const fields = /^cron\((\S+(?: \S+){5})\)$/.exec(expression)?.[1]?.toUpperCase().split(' ');
  return fields === undefined ? EXAMPLES : expectedCron(fields);
}

/**
 * EventBridge wants `rate(1 day)` but `rate(2 days)`.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-rate-expressions.html
 */
function expectedRate(expression: string, number: number, unit: string): string | undefined {
  const least = Math.max(number, 1);
  const right = `rate(${least} ${unit}${least === 1 ? '' : 's'})`;
  if (number < 1) return `it must be at least ${right}`;
  return right === expression ? undefined : `it may be ${right}`;
}

function expectedCron(fields: readonly string[]): string | undefined {
  if (fields.filter((field) => field === '?').length !== 1)
    return 'exactly one of its day of the month and day of the week must be ?, as in cron(0 3 * * ? *)';
  const wrong = FIELDS.flatMap((field, index) => {
    const was = fields[index] ?? '';
    return was.split(',').every((part) => fits(field, part))
      ? []
      : [`as ${field.name} it may have ${range(field)}`];
  });
  return wrong.length === 0 ? undefined : wrong.join(', ');
}

function range({ least, most, names = [] }: ScheduleField): string {
  return `${least} to ${most}${names.length > 0 ? ` or ${names[0]} to ${names.at(-1)}` : ''}`;
}

/** `*`, a value or a range, each perhaps with a step; or the field's special syntax. */
function fits(field: ScheduleField, part: string): boolean {
  if (field.special?.test(part)) return true;
  const [, values = '', step = '1'] = /^([^/]+)(?:\/(\d+))?$/.exec(part) ?? [];
  if (Number(step) < 1) return false;
  const ends = values.split('-');
  return values === '*' || (ends.length <= 2 && ends.every((end) => !Number.isNaN(numberIn(end, field))));
}
