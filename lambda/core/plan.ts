import { decideGroup } from './decide.ts';
import type { Action, Decision, Request } from './decision.ts';
import { describeAction, listIds } from './describe.ts';
import { expectReady, type Foreseen, foresee, membersToCome } from './foresee.ts';
import type { Group, Observation } from './model.ts';
import type { Settings } from './settings.ts';

/** A roll of 1,000 instances one by one takes some 3,000 decisions; one with more would never end. */
const MOST_DECISIONS = 10_000;

/**
 * What a roll of the group would do, step by step, if all goes well: the very decisions of a roll, each upon what the one
 * before it is foreseen to bring about. The endings of a batch, which are all alike, are told as one step.
 */
export function planSteps(
  group: Group,
  observation: Observation,
  settings: Settings,
  request: Request,
): string[] {
  const steps: string[] = [];
  let ended: string[] = [];
  for (const { decision, foreseen } of foreseenDecisions(group, observation, settings, request)) {
    const actions = 'actions' in decision ? decision.actions : [];
    const others = actions.filter((action) => !isEnding(action));
    ended.push(...actions.flatMap((action) => (action.kind === 'terminate' ? action.instanceIds : [])));
    if (others.length > 0 || decision.kind === 'blocked') {
      steps.push(...endingStep(ended, settings), ...others.map(describeAction));
      ended = [];
    }
    if (decision.kind === 'blocked') steps.push(`stop there: ${decision.reason}`);
    if (decision.kind === 'wait' && membersToCome(foreseen) > 0) {
      steps.push(
        `wait until ${membersToCome(foreseen)} new members are InService, ACTIVE in ECS and connected`,
      );
    }
  }
  return steps;
}

function* foreseenDecisions(
  group: Group,
  observation: Observation,
  settings: Settings,
  request: Request,
): Generator<{ readonly decision: Decision; readonly foreseen: Foreseen }> {
  let foreseen: Foreseen = { ...observation, groups: [group] };
  for (let count = 0; count < MOST_DECISIONS; count++) {
    const decision = decideGroup(foreseen.groups[0], foreseen, settings, request);
    yield { decision, foreseen };
    if (decision.kind === 'act') foreseen = decision.actions.reduce(foresee, foreseen);
    else if (decision.kind === 'wait') foreseen = expectReady(foreseen);
    else return;
  }
  throw new Error(`the plan for ${group.name} does not come to an end`);
}

/** One of the actions by which a detached instance ends. */
function isEnding(action: Action): boolean {
  if (action.kind === 'mark-instances') return action.mark.drainStartedAt !== undefined;
  return action.kind === 'drain' || action.kind === 'deregister' || action.kind === 'terminate';
}

function endingStep(instanceIds: readonly string[], { drainConcurrency, stableSeconds }: Settings): string[] {
  if (instanceIds.length === 0) return [];
  return [
    `drain, deregister and terminate ${listIds(instanceIds)}, ${drainConcurrency} at a time, ` +
      `each when it is empty and the services have been steady for ${stableSeconds} s`,
  ];
}
