import type { Action, Decision } from '../actions/decision.ts';
import { candidateOf, isGivenUp } from '../drain/phase.ts';
import { isMarked, stepsToMark } from '../group/marked.ts';
import { readiness } from '../group/readiness.ts';
import { mayLeave, spareMembers } from '../group/spare.ts';
import { roomFor } from '../group/surge.ts';
import { evenly, sparingZones } from '../group/zones.ts';
import type { Attached, Drifted, RollAssessment } from '../model/assessment.ts';
import type { Group, TargetHealthIn } from '../model/group.ts';
import { idsOf, weightOf } from '../model/members.ts';
import { isOver } from '../model/time.ts';
import { splitGivenUp, surgeLeft } from './batch-size.ts';
import { isDetachable } from './detach.ts';
import { within } from './detach-and-shrink.ts';

/** What becomes of a batch so that no zone is left without a healthy target. */
export type Kept =
  /** Others leave in place of some, or these stay for now. */
  | { readonly kind: 'chosen-anew'; readonly decision: Decision }
  /** The group has to be larger by this weight, as none of the open members to replace can leave yet. */
  | {
      readonly kind: 'lacking';
      readonly weight: number;
      readonly first: readonly Action[];
      readonly open: readonly Drifted[];
    }
  /** First those that have left must be gone. */
  | { readonly kind: 'held' };

/**
 * Where a load balancer's nodes send requests only to targets in their own zone, a zone without a target
 * serves nobody. Auto Scaling chooses the zone of a launch, so only once the new members serve do we know who
 * may leave for them. If none may, the group gets larger by one more, within its surge: launches go to the
 * zones with the fewest members, so that each gets one in the end.
 *
 * @returns undefined if the marked members may leave, or nothing more can be done for their zones
 */
export function keepZones(assessment: RollAssessment, marked: readonly Drifted[]): Kept | undefined {
  const { group, classified } = assessment;
  const apart = servingApart(group);
  if (!mayLeave(assessment, spareMembers(assessment))) return undefined;
  // A turn that is not used yet is given back: what served beside may have ended since it was taken.
  const next = marked.filter((each) => isNext(each, assessment));
  const open = [...next, ...marked.filter((each) => !hasTurn(each))];
  const draining = marked.filter((each) => !open.includes(each));
  const unmarked = classified.drifted.filter(
    (each) => each.instance.mark === undefined && isDetachable(each),
  );
  const able = sparingZones(group, apart, draining, [...open, ...evenly(group.members, unmarked)]);
  const chosen = within(weightOf(open), able);
  const staying = open.filter((each) => !chosen.includes(each));
  if (staying.length === 0) return undefined;
  if (chosen.length === 0) {
    if (splitGivenUp(assessment).others.length > 0) return { kind: 'held' };
    const weight = weightOf(open.slice(0, 1));
    // What is still to be launched may come up where they are the last.
    if (readiness(assessment).length === 0 && !mayGrow(assessment, weight))
      return awaitsRoom(assessment, open) ? { kind: 'held' } : undefined;
    // As of a new batch, so that what is launched now has its full time.
    return { kind: 'lacking', weight, first: stepsToMark(assessment, open), open };
  }
  const instead = chosen.filter((each) => !open.includes(each));
  return {
    kind: 'chosen-anew',
    decision: {
      kind: 'act',
      reason: { code: 'zones-kept', staying: idsOf(staying), instead: idsOf(instead) },
      actions: [
        // First, so that a kill leaves no more marked than the group is larger by.
        { kind: 'unmark-instances', group: group.name, instanceIds: idsOf(staying) },
        ...stepsToMark(assessment, instead),
      ],
    },
  };
}

/** Those that send requests only to targets in the zone that they come to. */
export function servingApart({ details }: Group): readonly TargetHealthIn[] {
  return (details?.targetHealth ?? []).filter(({ zonal }) => zonal);
}

function hasTurn({ instance: { mark } }: Attached): boolean {
  return mark?.drainStartedAt !== undefined;
}

/** It has a turn, and serves all the same until it drains. */
function isNext({ instance }: Attached, { observation, settings }: RollAssessment): boolean {
  return (
    isMarked(instance) && candidateOf({ ...instance, attached: true }, observation, settings).phase === 'next'
  );
}

/** The surge is of the members that the group has without what the roll has added. */
function mayGrow(assessment: RollAssessment, weight: number): boolean {
  const { group, settings } = assessment;
  const added = group.roll.changes.addedSizes.desiredCapacity;
  const { givenUp } = splitGivenUp(assessment);
  const most = surgeLeft(assessment, givenUp.length, added);
  return added + weight <= most && weight <= roomFor(group, settings);
}

/**
 * A rollback goes on beside failed members that drain for long: of their room it has none left. For a while
 * we wait for it.
 */
function awaitsRoom(assessment: RollAssessment, open: readonly Drifted[]): boolean {
  const { observation, settings, classified } = assessment;
  const since = open.flatMap(({ instance: { mark } }) => mark?.detachStartedAt ?? []);
  const isLong = since.some((time) => isOver(time, settings.readyTimeoutSeconds, observation.now));
  const draining = classified.leaving.filter(
    (each) => !each.attached && !isGivenUp(each, observation, settings),
  );
  return draining.length > 0 && !isLong;
}
