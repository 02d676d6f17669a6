/** How ECS names groups: that of a task after its service, if one started it, and target groups. */

const PREFIX = 'service:';

/** The group of a service's tasks. */
export function groupOfService(service: string): string {
  return `${PREFIX}${service}`;
}

/** The service that a task belongs to; undefined for a task that somebody else started. */
export function serviceIn(group: string): string | undefined {
  return group.startsWith(PREFIX) ? group.slice(PREFIX.length) : undefined;
}

/** The name of the target group that ECS tells of; it gives the name, or the ARN. */
export function targetGroupIn(message: string): string | undefined {
  return /target-group \(?(?:\S*:targetgroup\/)?([^)/\s]+)/i.exec(message)?.[1];
}
