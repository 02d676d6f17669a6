import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { describe, expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { describeAlarms } from '../../lambda/aws/cloudwatch.ts';
import { mocked } from './mocked.ts';

const api = mocked(CloudWatchClient);
const aws = createAws({ region: 'eu-west-1' });

const EARLY = new Date('2026-11-21T10:00:00Z');
const LATE = new Date('2026-11-21T11:00:00Z');

describe('alarms', () => {
  test('are requested a hundred at a time, of both types, and every page is read', async () => {
    api.on(DescribeAlarmsCommand).resolvesOnce({ NextToken: 'more' }).resolves({});
    await describeAlarms(
      aws,
      Array.from({ length: 101 }, (_, index) => `alarm-${index}`),
    );
    const inputs = api.commandCalls(DescribeAlarmsCommand).map(({ args: [{ input }] }) => input);
    expect(inputs.map(({ AlarmNames, MaxRecords }) => [AlarmNames?.length, MaxRecords])).toEqual([
      [100, 100],
      [100, 100],
      [1, 100],
    ]);
    for (const { AlarmTypes } of inputs) expect(AlarmTypes).toEqual(['MetricAlarm', 'CompositeAlarm']);
  });

  test('say whether they are in ALARM, and since when', async () => {
    api.on(DescribeAlarmsCommand).resolves({
      MetricAlarms: [
        {
          AlarmName: 'errors',
          StateValue: 'ALARM',
          StateTransitionedTimestamp: EARLY,
          StateUpdatedTimestamp: LATE,
        },
        { AlarmName: 'latency', StateValue: 'INSUFFICIENT_DATA', StateUpdatedTimestamp: LATE },
      ],
      CompositeAlarms: [{ AlarmName: 'all', StateValue: 'OK', StateTransitionedTimestamp: EARLY }],
    });
    expect(await describeAlarms(aws, ['errors', 'latency', 'all', 'gone'])).toEqual([
      { name: 'errors', inAlarm: true, since: EARLY },
      { name: 'latency', inAlarm: false, since: LATE },
      { name: 'all', inAlarm: false, since: EARLY },
    ]);
  });

  test('without names need no call: AWS would answer with every alarm', async () => {
    expect(await describeAlarms(aws, [])).toEqual([]);
    expect(api.calls()).toHaveLength(0);
  });
});
