import type { Decision } from '../actions/decision.ts';
import type { Group } from '../model/group.ts';
import type { HoldUp } from '../reasons/hold-ups.ts';

/**
 * While a zone is disrupted EC2 doesn't answer for its instances. They aren't gone: nothing is done to them,
 * Auto Scaling's and ECS's word on them holds, and everything else of a roll goes on. But no roll of theirs
 * begins, or ends.
 */
function unknownIn({ unknown }: Group): HoldUp<'instances-unknown'> | undefined {
  return unknown && { code: 'instances-unknown', ...unknown };
}

/** Whether a group without anything else to do is up to date, or has to be replaced, nobody knows. */
export function blockedByUnknown(group: Group): Decision | undefined {
  const reason = unknownIn(group);
  return reason && { kind: 'blocked', reason };
}

/** Some of what is left of the roll may be there. */
export function awaitUnknown(group: Group): Decision | undefined {
  const reason = unknownIn(group);
  return reason && { kind: 'wait', reason };
}
