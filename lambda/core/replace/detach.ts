import { batchSize } from '../canary/trial.ts';
import { isHeld } from '../drain/candidate.ts';
import { waitForReadiness } from '../drain/wait.ts';
import { batches, DETACH_BATCH, surgeCount } from '../group/budget.ts';
import { idleFirst } from '../group/capacity.ts';
import { blockedByUnproven } from '../group/detachment-proof.ts';
import type { Attached } from '../group/drift.ts';
import { freeSince, readyLimitSeconds } from '../group/launch-time.ts';
import type { Detached } from '../group/marked.ts';
import type { Drifted, Standing } from '../group/standing.ts';
import type { Action, Decision } from '../model/decision.ts';
import type { Group } from '../model/group.ts';
import type { Observation } from '../model/observation.ts';
import type { Rollout } from '../model/roll.ts';
import type { Settings } from '../model/settings.ts';
import { isOver } from '../model/time.ts';
import { describeReasons } from '../text/describe.ts';

/**
 * Marks outdated members and detaches them, and the group launches as many. The marks are the batch: a run that was killed between two calls finds by
 * them which are still to follow. The next batch is chosen when no marked instance lives and the group is whole.
 *
 * @returns undefined when there is nothing to detach now
 */
export function detachDrifted(
  group: Group,
  rollout: Rollout,
  standing: Standing,
  observation: Observation,
  settings: Settings,
): Decision | undefined {
  const { drifted, detaching } = standing;
  const { held, others } = heldBack(standing, observation, settings);
  const marked = drifted.filter(({ instance }) => instance.mark !== undefined);
  const following = marked.filter(isDetachable);
  if (following.length > 0) return detach(group, following);
  if (drifted.length === 0 || others.length + detaching.length > 0) return undefined;
  const { unproven = [] } = group;
  const surge = surgeCount(settings.maxSurge, group.members.length) - held.length - unproven.length;
  if (surge <= 0) return held.length > 0 ? undefined : blockedByUnproven(group);
  const detachable = idleFirst(drifted.filter(isDetachable), observation);
  const most = batchSize(surge, group, rollout, settings);
  const batch = marked.length > 0 ? [] : detachable.slice(0, most);
  const waiting = waitForReadiness(group, standing, observation, settings);
  if (batch.length === 0 || waiting !== undefined) {
    return waiting ?? waitForDetachable(drifted, group, observation, settings);
  }
  const mark = { group: group.name, detachStartedAt: observation.now };
  return detach(group, batch, [{ kind: 'mark-instances', instanceIds: idsOf(batch), mark }]);
}

/** The detached instances whose drain was given up, and the others: these must be gone before the next batch. */
export function heldBack(
  { detached }: Standing,
  observation: Observation,
  settings: Settings,
): { readonly held: readonly Detached[]; readonly others: readonly Detached[] } {
  const held = detached.filter((each) => isHeld(each, observation, settings));
  return { held, others: detached.filter((each) => !held.includes(each)) };
}

/** The group launches as many as were in service. */
export function detach(group: Group, batch: readonly Drifted[], first: readonly Action[] = []): Decision {
  const calls = batches(idsOf(batch), DETACH_BATCH);
  return {
    kind: 'act',
    reason: `detaches ${batch.length} of ${group.members.length} members (${describeReasons(batch)})`,
    actions: [
      ...first,
      ...calls.map(
        (instanceIds): Action => ({
          kind: 'detach-instances',
          group: group.name,
          instanceIds,
          decrement: false,
        }),
      ),
    ],
  };
}

/** The only states that DetachInstances takes; a member in any other is waited for. */
export function isDetachable({ member: { lifecycleState } }: Attached): boolean {
  return lifecycleState === 'InService' || lifecycleState === 'Standby';
}

export function waitForDetachable(
  drifted: readonly Attached[],
  group: Group,
  { now }: Observation,
  settings: Settings,
): Decision {
  const limit = readyLimitSeconds(group, settings);
  const states = drifted.map(({ member }) => `${member.instanceId} is ${member.lifecycleState}`).join('; ');
  const reason = `outdated members can't be detached yet: ${states}`;
  const overdue = drifted.some(({ member, instance }) =>
    isOver(freeSince(group, member, instance), limit, now),
  );
  return overdue ? { kind: 'blocked', reason: `after ${limit} s, ${reason}` } : { kind: 'wait', reason };
}

export function idsOf(attached: readonly Attached[]): string[] {
  return attached.map(({ instance }) => instance.instanceId);
}
