import { parameterArns, parameterOf } from '../arns.ts';
import type { Permission, PermissionScope } from './permission.ts';

/**
 * The families that `lambda/core/launch-spec/image-family.ts` knows. They are readable whatever `image` is:
 * a group's tag may say `auto`, if the stack allows that, and a launch template may refer to them with
 * `resolve:ssm:`.
 */
const PUBLIC_FAMILIES = [
  '/aws/service/ecs/optimized-ami/*',
  '/aws/service/bottlerocket/aws-ecs-*',
  '/aws/service/ami-windows-latest/*-ECS_Optimized*',
];

/**
 * Lets a roll find the image if a parameter names it. AWS checks the same permission when
 * `UpdateAutoScalingGroup` gets a template that names one:
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/using-systems-manager-parameters.html
 */
export function imagePermissions({ stack, props }: PermissionScope): Permission[] {
  const selectors = [props.image, ...(props.tagImages ?? [])].map(String);
  const names = [...PUBLIC_FAMILIES, ...selectors.flatMap(parameterOf), ...(props.imageParameterNames ?? [])];
  return [
    {
      actions: ['ssm:GetParameters'],
      resources: [...new Set(names.flatMap((name) => parameterArns(stack, name)))],
      why: 'The families that AWS publishes to everybody, as groups decide which; and what the props name.',
    },
  ];
}

/** Lets a roll see whether the change calendars that the props name are open. */
export function calendarPermissions({ props: { changeCalendars = [] } }: PermissionScope): Permission[] {
  if (changeCalendars.length === 0) return [];
  return [{ actions: ['ssm:GetCalendarState'], resources: [...changeCalendars] }];
}
