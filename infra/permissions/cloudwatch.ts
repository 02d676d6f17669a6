import type { Permission } from './permission.ts';

/** Lets a roll see whether one of the configured alarms is on. */
export function cloudWatchPermissions(): Permission[] {
  return [
    {
      // https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DescribeAlarms.html
      actions: ['cloudwatch:DescribeAlarms'],
      resources: ['*'],
      why: 'CloudWatch hides composite alarms from a role that may not describe all alarms.',
    },
  ];
}
