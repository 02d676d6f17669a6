import type { Action, Decision } from './decision.ts';
import { describeImage, listIds } from './describe.ts';
import { giveBackSizes } from './give-back.ts';
import type { Launch } from './launch.ts';
import type { Group, Observation, Rollout } from './model.ts';
import { stepsToPrune } from './own-launch-specs.ts';
import type { Settings } from './settings.ts';
import type { Standing } from './standing.ts';
import { waitForReadiness } from './wait.ts';

/** What the members run that count, and which are left alone, as a sentence. */
export function membersRun(
  { instances }: Group,
  { sources }: Launch,
  { skipped, current }: Standing,
): string {
  const targets = new Map(sources.map(({ target }) => [target.imageId, target]));
  const named = [...targets.values()].map(describeImage).join(' or ');
  const ids = new Set(current.map(({ instance }) => instance.instanceId));
  const others = instances.some((each) => !targets.has(each.imageId) && ids.has(each.instanceId));
  const left = skipped.map(({ member }) => member.instanceId);
  const leftAlone = left.length > 0 ? `; ${listIds(left)} is left alone, as its owner has it` : '';
  return `${current.length} members run ${named}${others ? ', or a newer image' : ''}${leftAlone}`;
}

/** Once nothing is left to replace and the group is whole, what we no longer need goes, and our tags last of all. */
export function finish(
  group: Group,
  rollout: Rollout,
  launch: Launch,
  stand: Standing,
  observation: Observation,
  settings: Settings,
): Decision {
  const leaving = stand.detaching.map(({ instanceId }) => instanceId);
  if (leaving.length > 0) return { kind: 'wait', reason: `${listIds(leaving)} is being detached` };
  const ending = stand.ending.map(({ instanceId }) => instanceId);
  if (ending.length > 0)
    return { kind: 'wait', reason: `${listIds(ending)} is still being ended by the group` };
  const waiting =
    waitForReadiness(group, stand, observation, settings) ??
    giveBackSizes(group, rollout, stand, observation, settings);
  if (waiting !== undefined) return waiting;
  const clear: Action = { kind: 'clear-rollout', group: group.name };
  return {
    kind: 'finish',
    reason: membersRun(group, launch, stand),
    actions: [...stepsToPrune(launch.sources, group.ownLaunchSpecs ?? [], settings.keepLaunchSpecs), clear],
  };
}
