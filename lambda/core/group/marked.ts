import type { Action } from '../actions/decision.ts';
import type { Assessed, Assessment, Attached, Detached } from '../model/assessment.ts';
import type { Group, Instance, Mark, Member } from '../model/group.ts';
import { idSetOf } from '../model/members.ts';
import type { Observation } from '../model/observation.ts';
import type { Roll } from '../model/roll.ts';
import type { Settings } from '../model/settings.ts';
import { earlier, isOver } from '../model/time.ts';

export function isMarked(instance: Instance): instance is Detached {
  return instance.alive && instance.mark !== undefined;
}

/** Those of these members that are chosen to leave. */
export function markedAmong<Each extends Attached>(members: readonly Each[]): Each[] {
  return members.filter(({ instance }) => instance.mark !== undefined);
}

/** Running instances that carry both of our tags and are not members, not even terminating ones. */
export function detachedOf({
  members,
  warmPool,
  instances,
}: Pick<Group, 'members' | 'warmPool' | 'instances'>) {
  const ids = idSetOf([...members, ...warmPool]);
  return instances.filter(isMarked).filter(({ instanceId }) => !ids.has(instanceId));
}

/** Members that carry both of our tags and still run while the group ends them. */
export function endingOf({ members, instances }: Pick<Group, 'members' | 'instances'>): Member[] {
  const ids = new Set(instances.filter(isMarked).map(({ instanceId }) => instanceId));
  return members.filter(
    ({ instanceId, lifecycleState }) => lifecycleState.startsWith('Terminating') && ids.has(instanceId),
  );
}

/** Most of its drain time is over. */
export function hasTakenLong(
  { drainStartedAt }: Mark,
  { now }: Pick<Observation, 'now'>,
  { drainTimeoutSeconds }: Settings,
): boolean {
  return drainStartedAt !== undefined && isOver(drainStartedAt, drainTimeoutSeconds / 2, now);
}

/** The group has been ending members for a long time: the tasks on one can go nowhere else. */
export function isEndingLong({
  group,
  observation: { now },
  settings: { drainTimeoutSeconds },
  classified,
}: Assessment): boolean {
  const { endingSince } = group.details ?? {};
  return classified.ending.some(({ instanceId }) => {
    const since = endingSince?.get(instanceId);
    return since !== undefined && isOver(since, drainTimeoutSeconds / 2, now);
  });
}

/** Two invocations may have begun the same roll at once, the later of which wrote first. */
const BEGUN_TWICE_SECONDS = 300;

/** A roll that is lost with its group's tags is found by its marks, as long as these are no older. */
const LOST_SECONDS = 3600;

/**
 * Whether a member's mark is of the roll under way. What a roll leaves in its group loses its mark; whoever
 * has read it may put it back.
 */
export function isOfRoll(mark: Mark, roll: Pick<Roll, 'startedAt'> | undefined, now: Date): boolean {
  const { detachStartedAt, drainStartedAt = detachStartedAt } = mark;
  if (roll === undefined) return !isOver(drainStartedAt, LOST_SECONDS, now);
  return !isOver(detachStartedAt, BEGUN_TWICE_SECONDS, roll.startedAt);
}

/**
 * When the first of the members with marks was chosen: a roll that is found by its marks began no later, or
 * they would not count as its, and stay for ever.
 */
export function firstMarked(group: Pick<Group, 'members' | 'warmPool' | 'instances'>): Date | undefined {
  const detached = idSetOf(detachedOf(group));
  const marked = group.instances.filter(isMarked).filter(({ instanceId }) => !detached.has(instanceId));
  const [first, ...others] = marked.map(({ mark }) => mark.detachStartedAt);
  return first && others.reduce(earlier, first);
}

/** A member that is detached later than this is marked anew, so that its mark proves its detachment. */
const RENEWED_SECONDS = 1800;

/** Marks members anew that were chosen long before they are detached now. */
export function renewMarks(assessed: Assessed, leaving: readonly Attached[]): Action[] {
  const { now } = assessed.observation;
  const isOld = ({ instance: { mark } }: Attached) =>
    mark !== undefined && isOver(mark.detachStartedAt, RENEWED_SECONDS, now);
  return stepsToMark(assessed, leaving.filter(isOld));
}

/** Marks members as chosen now. */
export function stepsToMark(
  { group, observation }: Pick<Assessed, 'group' | 'observation'>,
  chosen: readonly Attached[],
): Action[] {
  const instanceIds = chosen.map(({ instance }) => instance.instanceId);
  const mark = { group: group.name, detachStartedAt: observation.now };
  return instanceIds.length === 0 ? [] : [{ kind: 'mark-instances', instanceIds, mark }];
}
