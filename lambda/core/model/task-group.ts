/** How ECS names the group of a task: after its service, if one started it. */

const PREFIX = 'service:';

/** The group of a service's tasks. */
export function groupOfService(service: string): string {
  return `${PREFIX}${service}`;
}

/** The service that a task belongs to; undefined for a task that somebody else started. */
export function serviceIn(group: string): string | undefined {
  return group.startsWith(PREFIX) ? group.slice(PREFIX.length) : undefined;
}
