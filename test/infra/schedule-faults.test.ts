import { CfnParameter, Duration } from 'aws-cdk-lib';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { describe, expect, test } from 'vitest';
import { scheduleFaults } from '../../infra/schedule-faults.ts';
import { deployment } from './deployment.ts';

const faults = (expression: string) => scheduleFaults(Schedule.expression(expression));

describe('a schedule', () => {
  test.each([
    'rate(1 minute)',
    'rate(2 days)',
    'rate(10 hours)',
    'cron(0 3 * * ? *)',
    'cron(0 3 ? * TUE *)',
    'cron(0 3 ? * tue *)',
    'cron(0/15 8-18 ? * MON-FRI *)',
    'cron(*/10 * ? * 2,4,6 2026-2030)',
    'cron(0 0,12 1W JAN-MAR,9 ? *)',
    'cron(0 3 L * ? *)',
    'cron(0 3 L-3 * ? *)',
    'cron(0 3 ? * 3#1 *)',
    'cron(0 3 ? * FRIL *)',
  ])('may be %s', (expression) => {
    expect(faults(expression)).toEqual([]);
  });

  test.each([
    ['rate(0 days)', 'it must be at least rate(1 day)'],
    ['rate(1 days)', 'it may be rate(1 day)'],
    ['rate(2 day)', 'it may be rate(2 days)'],
    ['rate(007 days)', 'it may be rate(7 days)'],
    [
      'cron(0 3 * * * *)',
      'exactly one of its day of the month and day of the week must be ?, as in cron(0 3 * * ? *)',
    ],
    [
      'cron(0 3 ? * ? *)',
      'exactly one of its day of the month and day of the week must be ?, as in cron(0 3 * * ? *)',
    ],
    ['cron(? 3 1 * MON *)', 'as minutes it may have 0 to 59'],
    ['cron(60 24 * * ? *)', 'as minutes it may have 0 to 59, as hours it may have 0 to 23'],
    ['cron(0 3 ? * 0 *)', 'as day of the week it may have 1 to 7 or SUN to SAT'],
    ['cron(0 3 ? * MON-DIE *)', 'as day of the week it may have 1 to 7 or SUN to SAT'],
    ['cron(0 3 32 13 ? 1969)', expect.stringContaining('as month it may have 1 to 12 or JAN to DEC')],
    ['cron(0/0 3 * * ? *)', 'as minutes it may have 0 to 59'],
    ['cron(0, 3 * * ? *)', 'as minutes it may have 0 to 59'],
  ])('may not be %s', (expression, may) => {
    const [fault = ''] = faults(expression);
    expect(fault.split('"; ')).toEqual([`schedule was "${expression}`, may]);
  });

  test.each([
    'every day',
    'rate(1.5 days)',
    'rate(1 week)',
    'cron(0 3 * * ?)',
    'cron(0 0 3 * * ? *)',
    'at(2026-01-01)',
    '',
  ])('that is neither, "%s", is refused with examples of both', (expression) => {
    expect(faults(expression)).toEqual([
      expect.stringMatching(
        /; it may be rate\(.*\) or cron\(<minutes> .* <year>\), such as cron\(.*\) or rate/,
      ),
    ]);
  });

  test('made by the CDK is accepted, and so is one that only CloudFormation knows', () => {
    const late = new CfnParameter(deployment().stack, 'Late').valueAsString;
    const schedules = [
      Schedule.rate(Duration.hours(36)),
      Schedule.cron({ minute: '0', hour: '3', weekDay: 'MON-FRI' }),
      Schedule.expression(late),
      undefined,
    ];
    expect(schedules.flatMap(scheduleFaults)).toEqual([]);
  });
});
