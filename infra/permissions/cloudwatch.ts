import type { Permission } from './permission.ts';

/** To see whether an alarm of the settings holds a roll. */
export function cloudWatchPermissions(): Permission[] {
  return [
    {
      // https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DescribeAlarms.html
      sid: 'ReadAlarms',
      actions: ['cloudwatch:DescribeAlarms'],
      resources: ['*'],
      why: 'To whoever may not describe all alarms, CloudWatch answers as if there were no composite ones.',
    },
  ];
}
