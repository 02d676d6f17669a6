import { foresee } from '../../../lambda/core/actions/actions.ts';
import type { Action } from '../../../lambda/core/actions/decision.ts';
import type { Foreseen } from '../../../lambda/core/actions/foreseen.ts';
import type { Group } from '../../../lambda/core/model/group.ts';
import { groupOf, observe, type Scene, type Sketch } from '../builders.ts';

export function foreseenOf(sketches: readonly Sketch[], scene: Scene = {}): Foreseen {
  const observation = observe(sketches, scene);
  return { ...observation, groups: [groupOf(observation)] };
}

/** A group once an action has taken effect. */
export function groupAfter(action: Action, sketches: readonly Sketch[], scene: Scene = {}): Group {
  return foresee(foreseenOf(sketches, scene), action).groups[0];
}
