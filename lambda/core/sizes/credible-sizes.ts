import type { Decision } from '../actions/decision.ts';
import { surgeCount } from '../group/surge.ts';
import type { Assessment, RollAssessment } from '../model/assessment.ts';
import { weightOf } from '../model/members.ts';
import {
  type AddedSizes,
  NOTHING_ADDED,
  type RaisedMinSize,
  type SizeChange,
  type TemporaryChanges,
} from '../model/roll.ts';
import type { SizesFault } from '../reasons/steps.ts';
import { isAs, markedWeight } from './our-sizes.ts';
import { isSuspendable, unmade } from './temporary-changes.ts';

/**
 * A group's tags may be stale, or written by a stranger. Whatever they say, a group never grows or shrinks by
 * more than a roll may change it.
 */

interface Limits {
  /** By how much one change may make the group larger. */
  readonly growth: number;
  /** How much of the desired capacity may be ours. */
  readonly ours: number;
}

/** Discards noted sizes that can't be ours before anything acts on them. */
export function dropIncredible(assessment: RollAssessment): Decision | undefined {
  const { group } = assessment;
  // What is unknown may be what they are noted for.
  if (group.unknown !== undefined) return undefined;
  const { changes } = group.roll;
  const limits = limitsOf(assessment);
  const faults = faultsOf(assessment, changes, limits);
  if (faults.length === 0) return undefined;
  const { raisedMinSize, ...others } = withCredible(assessment, changes, limits);
  const credible =
    raisedMinSize === undefined || floorFault(raisedMinSize) !== undefined
      ? others
      : { ...others, raisedMinSize };
  return {
    kind: 'act',
    reason: { code: 'size-notes-void', faults },
    actions: [{ kind: 'record-changes', group: assessment.group.name, before: changes, changes: credible }],
  };
}

/** A setting changed since the note was written can rule out one part of it; the rest stays. */
function withCredible(all: Assessment, changes: TemporaryChanges, limits: Limits): TemporaryChanges {
  if (addedSizesFault(all, changes.addedSizes, limits) === undefined) return changes;
  const raising = { ...all, settings: { ...all.settings, raiseMaxSize: true } };
  const isForbidden = addedSizesFault(raising, changes.addedSizes, limits) === undefined;
  return isForbidden ? unmade(changes) : { ...changes, addedSizes: NOTHING_ADDED };
}

function faultsOf(
  all: Assessment,
  { addedSizes, raisedMinSize }: TemporaryChanges,
  limits: Limits,
): SizesFault[] {
  const faults = [addedSizesFault(all, addedSizes, limits), raisedMinSize && floorFault(raisedMinSize)];
  return faults.filter((fault) => fault !== undefined);
}

/** A tag on a group that records its sizes or suspended processes. */
export type Note = 'addedSizes' | 'minSize' | 'suspended';

/** The notes on a group's tags that can't be ours. */
export function incredibleNotes(assessment: RollAssessment): Note[] {
  const { group } = assessment;
  const { addedSizes, raisedMinSize, suspended } = group.roll.changes;
  return [
    ...(addedSizesFault(assessment, addedSizes, limitsOf(assessment)) === undefined
      ? []
      : (['addedSizes'] as const)),
    ...(raisedMinSize === undefined || floorFault(raisedMinSize) === undefined ? [] : (['minSize'] as const)),
    ...(suspended.every(isSuspendable) ? [] : (['suspended'] as const)),
  ];
}

/** Marked and launched instances count too, as the surge may have been different when they were chosen. */
function limitsOf({ group, settings, classified }: RollAssessment): Limits {
  const { members, desiredCapacity } = group;
  const heaviest = members.reduce((most, { weight }) => Math.max(most, weight), 1);
  const surge = surgeCount(settings.maxSurge, Math.max(members.length, desiredCapacity)) * heaviest;
  const all = [...classified.current, ...classified.drifted, ...classified.skipped];
  const launched = all.filter(({ instance }) => instance.launchedAt >= group.roll.startedAt);
  const growth = Math.max(surge, markedWeight(classified) + classified.detached.length * heaviest);
  return { growth, ours: growth + weightOf(launched) };
}

function addedSizesFault(
  { group, settings }: Assessment,
  addedSizes: AddedSizes,
  { growth, ours }: Limits,
): SizesFault | undefined {
  const { desiredCapacity, maxSize, over, change } = addedSizes;
  if (desiredCapacity > ours) return { kind: 'too-many', desiredCapacity, mayBe: ours };
  if (over !== undefined && Math.min(over.desiredCapacity, over.maxSize) < 0)
    return { kind: 'negative', over };
  if (change === undefined) return undefined;
  const raises = settings.raiseMaxSize || !isAs(group, change.from);
  return isCredible(change, maxSize, growth, raises)
    ? undefined
    : { kind: 'change', from: change.from, to: change.to, mayAdd: growth };
}

/**
 * Whether a change makes the group larger, or smaller by what leaves it, or changes only the maximum size.
 */
function isCredible({ from, to }: SizeChange, ours: number, growth: number, raises: boolean): boolean {
  const grown = to.desiredCapacity - from.desiredCapacity;
  const raised = to.maxSize - from.maxSize;
  if (grown > growth || raised > growth || (raised > 0 && !raises)) return false;
  if (grown < 0) return raised === 0;
  return to.maxSize >= to.desiredCapacity && raised >= (grown > 0 ? 0 : -ours);
}

/** We only ever raise the minimum size. */
function floorFault({ owner, ours }: RaisedMinSize): SizesFault | undefined {
  const least = Math.min(...ours);
  return owner <= least ? undefined : { kind: 'min-size', owner, least };
}
