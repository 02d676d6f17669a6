import { CONTAINER_INSTANCE_ACTIONS } from './container-instances.ts';
import type { Action, ActionData, ActionKind } from './decision.ts';
import type { Definitions } from './definition.ts';
import type { Foreseen } from './foreseen.ts';
import { HOOK_ACTIONS } from './hooks.ts';
import { INSTANCE_ACTIONS } from './instances.ts';
import { LAUNCH_SPEC_ACTIONS } from './launch-specs.ts';
import { MEMBER_ACTIONS } from './members.ts';
import { SIZE_ACTIONS } from './sizes.ts';
import { TAG_ACTIONS } from './tags.ts';

/** Every kind of action. */
const ACTIONS: Definitions<ActionData> = {
  ...TAG_ACTIONS,
  ...LAUNCH_SPEC_ACTIONS,
  ...INSTANCE_ACTIONS,
  ...MEMBER_ACTIONS,
  ...SIZE_ACTIONS,
  ...CONTAINER_INSTANCE_ACTIONS,
  ...HOOK_ACTIONS,
};

/** One action as a sentence. */
export function describeAction<Kind extends ActionKind>(action: Action<Kind>): string {
  return ACTIONS[action.kind].describe(action);
}

/** The observation after an action has taken effect, as far as the decision needs it. */
export function foresee<Kind extends ActionKind>(observation: Foreseen, action: Action<Kind>): Foreseen {
  return ACTIONS[action.kind].foresee?.(observation, action) ?? observation;
}

/** Whether an action changes only our records. */
export function onlyRecords({ kind }: Pick<Action, 'kind'>): boolean {
  return ACTIONS[kind].onlyRecords ?? false;
}

/** Whether AWS has begun something by it that a look right after it can't show yet. */
export function takesTime({ kind }: Pick<Action, 'kind'>): boolean {
  return ACTIONS[kind].takesTime ?? false;
}

/** Ids of the instances an action ends, empty for a step towards that; undefined for any other action. */
export function endedBy<Kind extends ActionKind>(
  action: Action<Kind>,
  observation: Foreseen,
): readonly string[] | undefined {
  return ACTIONS[action.kind].ends?.(action, observation);
}
