import type { DescribeAlarmsInput } from '@aws-sdk/client-cloudwatch';
import type { Call } from '../../account/call.ts';
import type { ResourceFacts } from '../context.ts';
import type { Check } from '../policy.ts';
import { arn, check, onAnything, unmapped } from './checks.ts';

/**
 * Whoever asks for composite alarms must be allowed all:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DescribeAlarms.html
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoncloudwatch.html
 */
export function cloudWatchChecks(call: Call, facts: ResourceFacts): readonly Check[] {
  if (call.operation !== 'DescribeAlarms') return unmapped(call);
  const { AlarmNames: names, AlarmTypes: types = [] } = call.input as DescribeAlarmsInput;
  if (types.includes('CompositeAlarm')) return onAnything(call);
  // Whoever names none asks for all.
  return (names?.length ? names : ['*']).map((name) =>
    check(call, arn('cloudwatch', `alarm:${name}`, facts)),
  );
}
