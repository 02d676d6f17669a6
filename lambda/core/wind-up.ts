import type { Case } from './case.ts';
import type { Decision } from './decision.ts';
import { endLeaving } from './drain.ts';
import { finish } from './finish.ts';
import { keepWhole } from './min-size.ts';
import type { Rollout } from './model.ts';
import { pausedIn } from './orders.ts';
import { adjustProcesses, processesInTheWay } from './processes.ts';
import { letStay, repair } from './repair.ts';
import { FREELY } from './round.ts';
import { settleSizes } from './sizes.ts';

/** Stops a roll half-way: what is begun is finished, and what isn't stays as it is. */
export function windUp(all: Case, rollout: Rollout): Decision {
  const { group, launch, observation, settings, stand } = all;
  const terms = { ...FREELY, mayBegin: group.pausedSince === undefined };
  return adviseRollback(
    rollout,
    adjustProcesses(group, rollout, processesInTheWay(group, stand, observation)) ??
      settleSizes(group, rollout, stand) ??
      keepWhole(group, rollout, stand) ??
      repair(group, stand, observation) ??
      letStay(group, stand, observation) ??
      endLeaving(group, stand, observation, settings, terms) ??
      (terms.mayBegin
        ? finish(group, rollout, launch, stand, observation, settings, 'aborted')
        : pausedIn(group)),
  );
}

/** Where the new image is what fails, nothing else ends an aborted roll. */
function adviseRollback({ previous }: Rollout, decision: Decision): Decision {
  if (decision.kind !== 'blocked' || previous.length === 0) return decision;
  const reason =
    `${decision.reason}; {"action":"rollback"} would give the group back what it launched before, unless somebody has ` +
    'changed that since: then give it another launch spec first';
  return { kind: 'blocked', reason };
}
