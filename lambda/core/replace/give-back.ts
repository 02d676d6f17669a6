import { waitForReadiness } from '../drain/wait.ts';
import { DETACH_BATCH } from '../group/budget.ts';
import type { Attached } from '../group/drift.ts';
import { type Standing, weightOf } from '../group/standing.ts';
import { endsThroughGroup } from '../group/strategy.ts';
import type { Action, Decision } from '../model/decision.ts';
import type { Group } from '../model/group.ts';
import type { Observation } from '../model/observation.ts';
import type { Rollout } from '../model/roll.ts';
import type { Settings } from '../model/settings.ts';
import { changeBy, recordHeld, setSizes } from '../sizes/sizes.ts';
import { aroundChange, NOTHING_HELD } from '../sizes/temporary-changes.ts';
import { listIds } from '../text/describe.ts';
import { idsOf } from './detach.ts';
import { forget, stepsToDetach, within } from './scale-out.ts';

/**
 * Gives back what is left of ours in the sizes, once nothing is to be replaced: more members than were replaced, where old
 * ones died meanwhile, leave as old ones do, since a group that is made smaller ends members undrained.
 */
export function giveBackSizes(
  group: Group,
  rollout: Rollout,
  standing: Standing,
  observation: Observation,
  settings: Settings,
): Decision | undefined {
  const { held } = rollout.hold;
  if (held.desiredCapacity > 0) return giveBackMembers(group, rollout, standing, observation, settings);
  if (held.maxSize === 0) return undefined;
  const lower = Math.min(held.maxSize, group.maxSize - group.desiredCapacity);
  if (lower <= 0) {
    const reason = `leaves the maximum size at ${group.maxSize}, as the group has come to need it`;
    return { kind: 'act', reason, actions: [recordHeld(group, rollout, NOTHING_HELD)] };
  }
  const change = changeBy(group, standing, { desiredCapacity: 0, maxSize: -lower });
  const over = { desiredCapacity: group.desiredCapacity, maxSize: change.to.maxSize };
  return {
    kind: 'act',
    reason: `gives the maximum size back: ${change.to.maxSize}`,
    actions: aroundChange(
      group,
      rollout,
      { ...rollout.hold, held: { desiredCapacity: 0, maxSize: lower, over, change } },
      [setSizes(group.name, change)],
    ),
  };
}

function giveBackMembers(
  group: Group,
  rollout: Rollout,
  standing: Standing,
  observation: Observation,
  settings: Settings,
): Decision {
  const waiting = waitForReadiness(group, standing, observation, settings);
  if (waiting !== undefined) return waiting;
  const spare = group.desiredCapacity - group.minSize;
  if (spare <= 0) return forget(group, rollout);
  const most = Math.min(rollout.hold.held.desiredCapacity, spare);
  // Once a way back is given up, what the group was made larger by may count as outdated.
  const isAborted = rollout.course.kind === 'abort';
  const members = [...standing.current, ...(isAborted ? standing.drifted : [])].filter(isInService);
  const newestFirst = members.sort(
    (a, b) => b.instance.launchedAt.getTime() - a.instance.launchedAt.getTime(),
  );
  // Those first that a run which was killed, or another at the same time, has chosen.
  const inOrder = [...newestFirst.filter(isChosen), ...newestFirst.filter((each) => !isChosen(each))];
  const light = inOrder.filter(({ member }) => member.weight <= most);
  const surplus = within(most, light.slice(0, DETACH_BATCH));
  // No member makes up so little, or all are left alone: what is left of ours can't be given back.
  if (surplus.length === 0) return forget(group, rollout);
  const unmarked = surplus.filter((each) => !isChosen(each));
  const mark = { group: group.name, detachStartedAt: observation.now };
  const marking: Action[] =
    unmarked.length === 0 ? [] : [{ kind: 'mark-instances', instanceIds: idsOf(unmarked), mark }];
  if (endsThroughGroup(settings))
    return {
      kind: 'act',
      reason: `the group is larger than it was by ${most}: ends ${listIds(idsOf(surplus))}`,
      actions: marking,
    };
  return {
    kind: 'act',
    reason: `the group is larger than it was by ${most}: detaches ${listIds(idsOf(surplus))}`,
    actions: [...marking, ...stepsToDetach(group, rollout, standing, surplus, weightOf(unmarked))],
  };
}

function isChosen({ instance }: Attached): boolean {
  return instance.mark !== undefined;
}

/** What stands by makes up nothing of the desired capacity. */
function isInService({ member }: Attached): boolean {
  return member.lifecycleState === 'InService';
}
