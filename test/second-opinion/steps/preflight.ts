import { DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { DescribeSubnetsCommand } from '@aws-sdk/client-ec2';
import { GetInstanceProfileCommand } from '@aws-sdk/client-iam';
import { type Account, NAMES } from '../account.ts';
import { type Step, step } from './step.ts';

const alarms =
  (...AlarmNames: string[]) =>
  ({ cloudWatch }: Account) =>
    cloudWatch.send(new DescribeAlarmsCommand({ AlarmNames, AlarmTypes: ['MetricAlarm', 'CompositeAlarm'] }));

const profile =
  (InstanceProfileName: string) =>
  ({ iam }: Account) =>
    iam.send(new GetInstanceProfileCommand({ InstanceProfileName }));

/**
 * What is asked before a roll, and of alarms during one. (moto breaks when asked for the limits of the
 * account.)
 */
export const PREFLIGHT_STEPS: readonly Step[] = [
  step('describe an alarm', alarms(NAMES.alarm)),
  step('describe two alarms, one of them unknown', alarms(NAMES.alarm, 'unknown')),
  step('describe an unknown alarm', alarms('unknown')),
  step('get an instance profile', profile(NAMES.instanceProfile)),
  step('get an instance profile without a role', profile(NAMES.profileWithoutRole)),
  step('get an unknown instance profile', profile('unknown')),
  step('describe an unknown subnet', ({ ec2 }) =>
    ec2.send(new DescribeSubnetsCommand({ SubnetIds: ['subnet-0123456789abcdef0'] })),
  ),
];
