import type { Decision } from '../actions/decision.ts';
import { longestHeartbeat, ownersTerminateHooks, terminateHooks } from '../group/lifecycle-hooks.ts';
import type { Assessment } from '../model/assessment.ts';
import type { Group, Member } from '../model/group.ts';
import { instanceIdsOf } from '../model/registrations.ts';
import { isOver } from '../model/time.ts';
import type { HoldUp } from '../reasons/hold-ups.ts';

/**
 * Waits for the members that we had the group end, and blocks once one takes too long. ECS's own hook has
 * nothing to wait for, as they were drained before; the owner's hooks get the time that their heartbeat
 * timeout gives them. A rollback doesn't stop for one: its tasks may have nowhere to go before what
 * failed has been replaced.
 *
 * @returns undefined if the group is ending none
 */
export function waitForEnding(assessment: Assessment): Decision | undefined {
  const decision = untilEnded(assessment);
  const { group, classified } = assessment;
  const isBeside = group.roll?.course.kind === 'rollback' && classified.drifted.length > 0;
  return isBeside && decision?.kind === 'blocked' ? undefined : decision;
}

function untilEnded({
  group,
  observation: { now },
  settings,
  classified: { ending },
}: Assessment): Decision | undefined {
  if (ending.length === 0) return undefined;
  const retained = ending.filter(isRetained);
  if (retained.length > 0) return blockOnRetained(group, retained);
  const limit = settings.readyTimeoutSeconds + longestHeartbeat(group, ownersTerminateHooks(group));
  const overdue = ending.flatMap(({ instanceId, lifecycleState }) => {
    const since = group.details?.endingSince?.get(instanceId);
    return since !== undefined && isOver(since, limit, now) ? [{ instanceId, lifecycleState, since }] : [];
  });
  if (overdue.length > 0) return blockOnEnding(group, overdue, limit);
  const held = ending.some(isHeldByHook) && { heldBy: terminateHooks(group).map(({ name }) => name) };
  return { kind: 'wait', reason: { code: 'being-ended', instanceIds: instanceIdsOf(ending), ...held } };
}

const isRetained = ({ lifecycleState }: Member) => lifecycleState.endsWith(':Retained');
const isHeldByHook = ({ lifecycleState }: Pick<Member, 'lifecycleState'>) => lifecycleState.endsWith(':Wait');

function blockOnEnding(
  group: Group,
  members: HoldUp<'ending-overdue'>['members'],
  afterSeconds: number,
): Decision {
  const hooks = members.some(isHeldByHook) ? terminateHooks(group).map(({ name }) => name) : [];
  return { kind: 'blocked', reason: { code: 'ending-overdue', afterSeconds, members, hooks } };
}

/**
 * The group's instance lifecycle policy retained them because a terminate hook was abandoned; the owner
 * decides what to do with them.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/manage-retained-instances.html
 */
function blockOnRetained({ name }: Group, retained: readonly Member[]): Decision {
  return {
    kind: 'blocked',
    reason: { code: 'ending-retained', instanceIds: instanceIdsOf(retained), group: name },
  };
}
