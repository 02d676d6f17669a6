import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { describe, expect, it } from 'vitest';
import { simulateAccount } from '../../account/account.ts';
import type { Call } from '../../account/call.ts';
import { virtualClock } from '../../clock/clock.ts';
import { checksOf } from '../../iam/context.ts';
import { directCalls } from '../direct-calls.ts';
import { resourceFacts } from '../resource-facts.ts';
import { createWorld } from '../world.ts';

const START = Date.parse('2026-11-20T00:00:00Z');

/** Alarms `errors`, `latency` and the composite `any`. */
function setUp() {
  const clock = virtualClock(START);
  const world = createWorld({ clock, seed: 1 });
  world.addAlarm({ name: 'errors' });
  world.addAlarm({ name: 'latency', state: 'ALARM' });
  world.addAlarm({ name: 'any', composite: true, state: 'INSUFFICIENT_DATA' });
  const call = directCalls(world);
  return { clock, world, describeAlarms: (input: object) => call(DescribeAlarmsCommand, input) };
}

const namesOf = (alarms: readonly { AlarmName?: string | undefined }[] | undefined) =>
  alarms?.map(({ AlarmName }) => AlarmName);

describe('alarms', () => {
  it('are described by name, without missing ones', () => {
    const { describeAlarms } = setUp();
    const { MetricAlarms, CompositeAlarms } = describeAlarms({ AlarmNames: ['latency', 'nobody', 'any'] });
    expect(MetricAlarms).toMatchObject([{ AlarmName: 'latency', StateValue: 'ALARM' }]);
    expect(CompositeAlarms).toEqual([]);
  });

  it('include composite ones only if these are requested', () => {
    const { describeAlarms } = setUp();
    const composite = describeAlarms({ AlarmTypes: ['CompositeAlarm'] });
    expect(composite.MetricAlarms).toEqual([]);
    expect(composite.CompositeAlarms).toMatchObject([{ AlarmName: 'any', StateValue: 'INSUFFICIENT_DATA' }]);
    const both = describeAlarms({ AlarmTypes: ['CompositeAlarm', 'MetricAlarm'] });
    expect(namesOf(both.MetricAlarms)).toEqual(['errors', 'latency']);
    expect(namesOf(both.CompositeAlarms)).toEqual(['any']);
    expect(namesOf(describeAlarms({}).MetricAlarms)).toEqual(['errors', 'latency']);
  });

  it('come in pages', () => {
    const { describeAlarms } = setUp();
    const first = describeAlarms({ MaxRecords: 1 });
    expect(namesOf(first.MetricAlarms)).toEqual(['errors']);
    const second = describeAlarms({ MaxRecords: 1, NextToken: first.NextToken });
    expect(namesOf(second.MetricAlarms)).toEqual(['latency']);
    expect(second.NextToken).toBeUndefined();
    expect(() => describeAlarms({ MaxRecords: 101 })).toThrow('between 1 and 100');
    expect(() => describeAlarms({ AlarmNames: Array(101).fill('errors') })).toThrow('at most 100');
  });

  it('are found by names or by the beginning of names, not by both', () => {
    const { describeAlarms } = setUp();
    expect(namesOf(describeAlarms({ AlarmNamePrefix: 'err' }).MetricAlarms)).toEqual(['errors']);
    expect(() => describeAlarms({ AlarmNamePrefix: 'err', AlarmNames: ['errors'] })).toThrow(
      'cannot be used together',
    );
  });

  it('show when their state was last set, and when it last changed', () => {
    const { clock, world, describeAlarms } = setUp();
    const errors = () => describeAlarms({ AlarmNames: ['errors'] }).MetricAlarms?.[0];
    clock.advance(60);
    world.faults.setAlarm('errors', 'ALARM');
    clock.advance(60);
    world.faults.setAlarm('errors', 'ALARM');
    expect(errors()).toMatchObject({
      StateValue: 'ALARM',
      StateUpdatedTimestamp: new Date(START + 120_000),
      StateTransitionedTimestamp: new Date(START + 60_000),
    });
    expect(() => world.faults.setAlarm('nobody', 'OK')).toThrow('No alarm nobody');
  });
});

describe("CloudWatch's wire format", () => {
  it('carries times, and errors under the names of its former query protocol', async () => {
    const { clock, world } = setUp();
    const account = simulateAccount({ clock, operations: world.operations });
    const client = new CloudWatchClient(account.clientOptions);
    const { MetricAlarms } = await client.send(new DescribeAlarmsCommand({}));
    expect(MetricAlarms?.[0]?.StateUpdatedTimestamp).toEqual(new Date(START));
    const call = client.send(new DescribeAlarmsCommand({ NextToken: 'stale' }));
    await expect(call).rejects.toMatchObject({
      name: 'InvalidNextToken',
      Error: { Type: 'Sender', Code: 'InvalidNextToken' },
    });
    expect(account.bugs).toEqual([]);
  });
});

describe('DescribeAlarms asks IAM for', () => {
  const asks = (input: object) => {
    const call = { service: 'cloudwatch', operation: 'DescribeAlarms', input } as Call;
    return checksOf(call, resourceFacts(setUp().world)).map(({ action, resource }) => [action, resource]);
  };
  const arn = (name: string) => `arn:aws:cloudwatch:eu-central-1:123456789012:alarm:${name}`;

  it('the right to each alarm that it names', () => {
    const action = 'cloudwatch:DescribeAlarms';
    expect(asks({ AlarmNames: ['errors', 'nobody'] })).toEqual([
      [action, arn('errors')],
      [action, arn('nobody')],
    ]);
    expect(asks({})).toEqual([[action, arn('*')]]);
  });

  it('the right to all if composite alarms are requested', () => {
    const [[, resource] = []] = asks({ AlarmNames: ['any'], AlarmTypes: ['CompositeAlarm'] });
    expect(resource).toBe('*');
  });
});
