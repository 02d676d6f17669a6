import type { Permission } from './permission.ts';

/**
 * Lets a roll see whether replacements serve, and whether each zone needs one, before it drains the instances
 * they replace.
 */
export function loadBalancingPermissions(): Permission[] {
  return [
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
  ];
}
