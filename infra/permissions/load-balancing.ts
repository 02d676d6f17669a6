import type { Permission } from './permission.ts';

/** Lets a roll see whether replacements serve before it drains the instances they replace. */
export function loadBalancingPermissions(): Permission[] {
  return [
    {
      sid: 'ReadTargetHealth',
      actions: ['elasticloadbalancing:DescribeTargetHealth', 'elasticloadbalancing:DescribeInstanceHealth'],
      resources: ['*'],
      why: 'Elastic Load Balancing supports no resources on Describe actions.',
    },
  ];
}
