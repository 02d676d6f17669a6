import { foresee } from './actions/actions.ts';
import type { ActionKind } from './actions/decision.ts';
import type { Foreseen } from './actions/foreseen.ts';
import { decide } from './decide.ts';
import { assess, withGroups } from './group/assess.ts';
import type { GroupDecision } from './group-decision.ts';
import type { ClusterAssessment, GroupAssessment } from './model/assessment.ts';
import type { Request } from './model/request.ts';

/** What a roll begins with. None of it changes what runs, or what the group launches. */
const PREPARING: ReadonlySet<ActionKind> = new Set<ActionKind>([
  'record-roll',
  'record-changes',
  'suspend-processes',
  'copy-launch-configuration',
  'create-launch-template-version',
]);

/**
 * What may follow in the same look, once decisions have been carried out: the next preparations of the same
 * groups, as far as they rest on nothing else. Whatever changes a group by them reads its notes again first,
 * so they need no look of their own.
 *
 * @param last what was decided last about each group
 * @param done those of them that have been carried out
 */
export function followUps(
  cluster: ClusterAssessment,
  last: readonly GroupDecision[],
  done: readonly GroupDecision[],
  request: Request,
): GroupDecision[] {
  const prepared = new Set(done.filter(isPreparing));
  if (prepared.size === 0) return [];
  const names = new Set([...prepared].map(nameOf));
  const groups = last.map((each) => (prepared.has(each) ? foreseenAfter(each) : each.assessment));
  return decide(withGroups(cluster, groups), request).filter(
    (each) => names.has(nameOf(each)) && isPreparing(each),
  );
}

function isPreparing({ decision }: GroupDecision): boolean {
  if (decision.kind !== 'act') return false;
  const { code } = decision.reason;
  const isOfBeginning = code === 'roll-begins' || code === 'processes-suspended' || code === 'images-given';
  return isOfBeginning && decision.actions.every(({ kind }) => PREPARING.has(kind));
}

function foreseenAfter({ assessment, decision }: GroupDecision): GroupAssessment {
  const { group, observation, settings } = assessment;
  const actions = 'actions' in decision ? decision.actions : [];
  const before: Foreseen = { ...observation, groups: [group] };
  const foreseen = actions.reduce(foresee, before);
  return assess(foreseen.groups[0], observation, settings);
}

function nameOf({ assessment: { group } }: GroupDecision): string {
  return group.name;
}
