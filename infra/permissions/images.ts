import { parameterArns, parameterOf } from '../arns.ts';
import type { Permission, PermissionScope } from './permission.ts';

/**
 * The families that `lambda/core/launch-spec/image-family.ts` knows. They are readable whatever `image` is, for the tags of a group
 * may say `auto`, where the stack lets them, and a launch template may name them by `resolve:ssm:`.
 */
const PUBLIC_FAMILIES = [
  '/aws/service/ecs/optimized-ami/*',
  '/aws/service/bottlerocket/aws-ecs-*',
  '/aws/service/ami-windows-latest/*-ECS_Optimized*',
];

/**
 * To find the image to roll onto where a parameter names it. `UpdateAutoScalingGroup` with a template that names one is
 * checked for the same: https://docs.aws.amazon.com/autoscaling/ec2/userguide/using-systems-manager-parameters.html
 */
export function imagePermissions({ stack, props }: PermissionScope): Permission[] {
  const selectors = [props.image, ...(props.tagImages ?? [])];
  const names = [...PUBLIC_FAMILIES, ...selectors.flatMap(parameterOf), ...(props.imageParameterNames ?? [])];
  return [
    {
      sid: 'ReadImageParameters',
      actions: ['ssm:GetParameters'],
      resources: [...new Set(names.flatMap((name) => parameterArns(stack, name)))],
      why: 'What AWS publishes to everybody, by families, of which the groups decide; and what the props name.',
    },
  ];
}
