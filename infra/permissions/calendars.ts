import type { Permission, PermissionScope } from './permission.ts';

/** Lets a roll see whether the change calendars that the props name are open. */
export function calendarPermissions({ props: { changeCalendars = [] } }: PermissionScope): Permission[] {
  if (changeCalendars.length === 0) return [];
  return [{ actions: ['ssm:GetCalendarState'], resources: [...changeCalendars] }];
}
