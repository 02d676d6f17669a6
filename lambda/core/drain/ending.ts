import type { Decision } from '../actions/decision.ts';
import { namesOf, ownersTerminateHooks, terminateHooks } from '../group/lifecycle-hooks.ts';
import type { Assessment } from '../model/assessment.ts';
import type { Group, Member } from '../model/group.ts';
import { isOver } from '../model/time.ts';
import { subject } from '../text/describe.ts';

/** What AWS lets a hook hold an instance for where its owner doesn't say; ours may not have been read. */
const DEFAULT_HEARTBEAT_SECONDS = 3600;

/**
 * Waits for the members that the group is ending and that were ours to end, or says which of them it does not let go of.
 * ECS' own hook has nothing left to wait for, as they were drained before; the owner's may take their time.
 *
 * @returns undefined when there are none
 */
export function waitForEnding({
  group,
  observation: { now },
  settings,
  classified: { ending },
}: Assessment): Decision | undefined {
  if (ending.length === 0) return undefined;
  const retained = ending.filter(isRetained);
  if (retained.length > 0) return tellRetained(group, retained);
  const limit = settings.readyTimeoutSeconds + longestHeartbeat(group);
  const overdue = ending.filter(({ instanceId }) => {
    const since = group.details?.endingSince?.get(instanceId);
    return since !== undefined && isOver(since, limit, now);
  });
  if (overdue.length > 0) return tellHeldByHook(group, overdue, limit);
  const held = ending.some(isHeldByHook) ? heldBy(group) : '';
  return {
    kind: 'wait',
    reason: `${subject(idsOf(ending), 'is', 'are')} still being ended by the group${held}`,
  };
}

const isRetained = ({ lifecycleState }: Member) => lifecycleState.endsWith(':Retained');
const isHeldByHook = ({ lifecycleState }: Member) => lifecycleState.endsWith(':Wait');
const idsOf = (members: readonly Member[]) => members.map(({ instanceId }) => instanceId);

function longestHeartbeat(group: Group): number {
  if (group.details?.lifecycleHooks?.kind === 'unread') return DEFAULT_HEARTBEAT_SECONDS;
  return Math.max(0, ...ownersTerminateHooks(group).map(({ heartbeatSeconds }) => heartbeatSeconds));
}

function heldBy(group: Group): string {
  const hooks = terminateHooks(group);
  return hooks.length === 0 ? ', where a terminate hook holds it' : `: held by hook ${namesOf(hooks)}`;
}

function tellHeldByHook(group: Group, held: readonly Member[], limitSeconds: number): Decision {
  const each = held.map(({ instanceId, lifecycleState }) => {
    const since = group.details?.endingSince?.get(instanceId)?.toISOString();
    return `${instanceId} is ${lifecycleState}, being ended since ${since}`;
  });
  const hooks = held.some(isHeldByHook) ? terminateHooks(group) : [];
  const what =
    hooks.length === 0
      ? 'look at the activities of the group'
      : `hook ${namesOf(hooks)} does not let go: look at what it waits for, or say so in its stead with ` +
        'aws autoscaling complete-lifecycle-action --lifecycle-action-result CONTINUE';
  return { kind: 'blocked', reason: `after ${limitSeconds} s, ${each.join('; ')}; ${what}` };
}

/**
 * The group's instance lifecycle policy keeps them, for their owner to look at, as a terminate hook was abandoned.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/manage-retained-instances.html
 */
function tellRetained({ name }: Group, retained: readonly Member[]): Decision {
  return {
    kind: 'blocked',
    reason:
      `${subject(idsOf(retained), 'is', 'are')} drained and Terminating:Retained, as a terminate hook of group ${name} was ` +
      'abandoned; see why, and then: aws autoscaling terminate-instance-in-auto-scaling-group ' +
      '--no-should-decrement-desired-capacity --instance-id <id>',
  };
}
