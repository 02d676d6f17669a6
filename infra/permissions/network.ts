import type { Permission } from './permission.ts';

/**
 * Lets Lambda put a function into a VPC: it calls these with the function's own role.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-vpc.html#configuration-vpc-permissions
 */
export function networkPermissions(): Permission[] {
  return [
    {
      actions: [
        'ec2:CreateNetworkInterface',
        'ec2:DescribeNetworkInterfaces',
        'ec2:DescribeSubnets',
        'ec2:DeleteNetworkInterface',
        'ec2:AssignPrivateIpAddresses',
        'ec2:UnassignPrivateIpAddresses',
      ],
      resources: ['*'],
      why: 'Lambda checks that a role may do this on any resource before it puts a function into a VPC.',
    },
  ];
}
