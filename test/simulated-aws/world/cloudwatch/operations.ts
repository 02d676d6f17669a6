import { DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import { assertAtMost, createPager } from '../paging.ts';
import type { State } from '../state.ts';
import type { Alarm } from './alarms.ts';

const MAX_NAMES = 100;

export function alarmOperations(state: State): Operation[] {
  const page = createPager<Alarm>('DescribeAlarms', {
    default: 50,
    max: 100,
    tokenCode: 'InvalidNextToken',
    limitCode: 'ValidationError',
  });
  return [
    on(
      DescribeAlarmsCommand,
      {
        AlarmNames: 'all',
        AlarmNamePrefix: 'all',
        AlarmTypes: 'all',
        StateValue: 'all',
        NextToken: 'all',
        MaxRecords: 'all',
      },
      (input) => {
        const { AlarmNames: names = [], AlarmTypes: types, MaxRecords: limit, NextToken: token } = input;
        const { AlarmNamePrefix: prefix = '', StateValue: value } = input;
        // ledger: alarms-names-or-prefix
        if (prefix !== '' && names.length > 0)
          throw new AwsError('ValidationError', 'AlarmNames and AlarmNamePrefix cannot be used together');
        // ledger: alarms-names
        assertAtMost(MAX_NAMES, names, 'ValidationError', 'Alarm names');
        // Unless they are asked for, composite alarms are left out:
        // https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DescribeAlarms.html
        const wanted = new Set(types?.length ? types : ['MetricAlarm']);
        const alarms = [...state.alarms.values()].filter(
          ({ name, isComposite, state }) =>
            name.startsWith(prefix) &&
            (value ?? state) === state &&
            wanted.has(isComposite ? 'CompositeAlarm' : 'MetricAlarm') &&
            // Names that no alarm has are left out without a word.
            (names.length === 0 || names.includes(name)),
        );
        const { items, token: next } = page(alarms, { limit, token });
        return {
          MetricAlarms: items.filter(({ isComposite }) => !isComposite).map(describe),
          CompositeAlarms: items.filter(({ isComposite }) => isComposite).map(describe),
          NextToken: next,
        };
      },
    ),
  ];
}

const describe = ({ name, arn, state, stateUpdatedAtMs, stateTransitionedAtMs }: Alarm) => ({
  AlarmName: name,
  AlarmArn: arn,
  ActionsEnabled: true,
  StateValue: state,
  StateUpdatedTimestamp: new Date(stateUpdatedAtMs),
  StateTransitionedTimestamp: new Date(stateTransitionedAtMs),
});
