import type { RaisedMinSize, TemporaryChanges } from '../model/roll.ts';
import { LIFTS_PAUSE, type Reason, sentenceOf } from '../reasons/reason.ts';
import type { Sizes } from '../reasons/steps.ts';

/** A decision's reason, and what else to know if it is blocked. */
export interface ExplainedReason {
  readonly reason: Reason;
  /** What we have changed of the group, which it keeps meanwhile. */
  readonly meanwhile?: TemporaryChanges;
  /** Rolling back would help, even though the roll was aborted. */
  readonly rollbackHelps?: boolean;
  /** It only finishes what it has begun. */
  readonly pausedSince?: Date;
}

/** A decision's reason in words. */
export function describeDecision(decision: ExplainedReason): string {
  const { reason, meanwhile, rollbackHelps, pausedSince } = decision;
  if (pausedSince !== undefined) return describeFinishing(pausedSince, reason);
  const advice = rollbackHelps ? ROLLBACK_HELPS : '';
  return `${sentenceOf(reason)}${advice}${meanwhile === undefined ? '' : `; meanwhile: ${describeChanges(meanwhile)}`}`;
}

function describeFinishing(since: Date, reason: Reason): string {
  return `paused since ${since.toISOString()}, and finishes what it has begun: ${sentenceOf(reason)}; ${LIFTS_PAUSE}`;
}

const ROLLBACK_HELPS =
  '; `ecs-ami-deploy rollback` would give the group back what it launched before, unless somebody has changed that since: then ' +
  'give it another launch spec first';

/** What we must restore of a group, as part of a sentence. */
export function describeChanges({ suspended, addedSizes, raisedMinSize }: TemporaryChanges): string {
  const { change } = addedSizes;
  const parts = [
    ...(suspended.length === 0 ? [] : [`${suspended.join(' and ')} suspended by us`]),
    ...(addedSizes.desiredCapacity === 0 ? [] : [`${addedSizes.desiredCapacity} of its instances are ours`]),
    ...(addedSizes.maxSize === 0 ? [] : [`${addedSizes.maxSize} of its maximum size is ours`]),
    ...(raisedMinSize === undefined
      ? []
      : [
          `we keep its minimum size at ${raisedMinSize.ours.join(' or ')} instead of ${raisedMinSize.owner}${soon(raisedMinSize)}`,
        ]),
    ...(change === undefined ? [] : [`its size goes from ${sizes(change.from)} to ${sizes(change.to)}`]),
  ];
  return parts.join('; ') || 'no change of ours is left';
}

function soon({ restsSince }: RaisedMinSize): string {
  return restsSince === undefined ? '' : ' for a few more minutes';
}

function sizes({ desiredCapacity, maxSize }: Sizes): string {
  return `${desiredCapacity} of ${maxSize}`;
}
