import { parameterArns } from '../arns.ts';
import type { Permission, PermissionScope } from './permission.ts';

/** To find the image to roll onto, where a parameter names it. */
export function imagePermissions({ stack, props: { image } }: PermissionScope): Permission[] {
  const resources = parameterArns(stack, image);
  // One that is searched for by name or given by id is in no parameter.
  if (resources.length === 0) return [];
  return [
    {
      sid: 'ReadImageParameters',
      actions: ['ssm:GetParameters'],
      resources,
      why: 'The families that AWS publishes, of which the groups decide.',
    },
  ];
}
