import type { Permission } from './permission.ts';

/**
 * Lets a roll see whether replacements serve, and whether each zone needs one, before it drains the instances
 * they replace; and whether one of the configured alarms is on.
 */
export const HEALTH_PERMISSIONS: readonly Permission[] = [
  {
    actions: [
      'elasticloadbalancing:DescribeTargetHealth',
      'elasticloadbalancing:DescribeInstanceHealth',
      'elasticloadbalancing:DescribeTargetGroupAttributes',
      'elasticloadbalancing:DescribeTargetGroups',
      'elasticloadbalancing:DescribeLoadBalancerAttributes',
    ],
    resources: ['*'],
    why: 'Elastic Load Balancing supports no resources on Describe actions.',
  },
  {
    // https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DescribeAlarms.html
    actions: ['cloudwatch:DescribeAlarms'],
    resources: ['*'],
    why: 'CloudWatch hides composite alarms from a role that may not describe all alarms.',
  },
];
