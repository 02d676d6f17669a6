import type { Permission } from './permission.ts';

/** To see whether replacements serve, before what they replace is drained. */
export function loadBalancingPermissions(): Permission[] {
  return [
    {
      sid: 'ReadTargetHealth',
      actions: ['elasticloadbalancing:DescribeTargetHealth', 'elasticloadbalancing:DescribeInstanceHealth'],
      resources: ['*'],
      why: 'Elastic Load Balancing limits no Describe action to resources.',
    },
  ];
}
