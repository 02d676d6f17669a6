import type { PreviousLaunchSpec } from './launch.ts';
import type { CourseCause, RejectionCause } from './reason.ts';

/** What our tags on a group say. It stands from before the first change until after the last. */
export interface Roll {
  /** The images that the group is rolled onto, one for each family and architecture that it launches. */
  readonly imageIds: readonly string[];
  readonly startedAt: Date;
  /** The image was asked for by its id: members that run a newer one are replaced too. */
  readonly exact: boolean;
  /** Members launched before this time are replaced whatever image they run. */
  readonly forceBefore?: Date;
  /** What the group launched from before we changed it; nothing where we change nothing of it. */
  readonly previous: readonly PreviousLaunchSpec[];
  /** Services that were not steady when the roll began, and hold it up only if they get worse. */
  readonly unsteady: readonly UnsteadyService[];
  readonly canary: Canary;
  readonly course: Course;
  readonly changes: TemporaryChanges;
}

/** What of a roll is written down before anything changes. */
export type RollRecord = Omit<Roll, 'changes' | 'canary' | 'course'>;

/** A service that was not steady when a roll began, with the tasks that it ran then. */
export interface UnsteadyService {
  readonly name: string;
  readonly runningCount: number;
}

/** How far the first batch of a roll has come. */
export type Canary =
  | { readonly kind: 'pending' }
  /** Its replacements have had tasks since then. */
  | { readonly kind: 'baking'; readonly since: Date }
  | { readonly kind: 'passed' };

/** Where a roll goes. */
export type Course =
  | { readonly kind: 'forward' }
  /** What is begun is finished, and the rest left as it is. */
  | { readonly kind: 'abort' | 'rollback'; readonly since: Date; readonly because: CourseCause };

/** Images that a group is not to be rolled onto again, unless somebody forces it. */
export interface Rejection {
  readonly imageIds: readonly string[];
  readonly because: RejectionCause;
}

/** What we have changed of a group, or are about to, and are to put back: this and no more. */
export interface TemporaryChanges {
  /** Processes that we have suspended. */
  readonly suspended: readonly string[];
  readonly addedSizes: AddedSizes;
  /** There as long as the minimum size is, or is about to be, another than its owner's. */
  readonly raisedMinSize?: RaisedMinSize;
}

/** The minimum size of a group that is not to get smaller while it rolls. */
export interface RaisedMinSize {
  /** What it was, and is to be again. */
  readonly owner: number;
  /** What we have raised it to, or are about to: any other size is somebody else's. */
  readonly ours: readonly number[];
  /** Since when nothing is left to be replaced. */
  readonly restsSince?: Date;
}

/** How much of a group's sizes is ours, to be given back: what is left without it is as its owner, or a policy, has it. */
export interface AddedSizes {
  readonly desiredCapacity: number;
  readonly maxSize: number;
  /** The sizes that ours came on top of; there when any of them is ours. */
  readonly over?: Sizes;
  /** A change that has been, or is about to be, made. It is settled by what the sizes are seen to be. */
  readonly change?: SizeChange;
  /** There where the group ends its old members itself: an earlier note that somebody puts back knows of fewer. */
  readonly departures?: Departures;
}

/** How many members the group was asked to end, and to get smaller by, since it was made larger. */
export interface Departures {
  readonly since: Date;
  readonly count: number;
}

export interface Sizes {
  readonly desiredCapacity: number;
  readonly maxSize: number;
}

/** Those that are to change. */
export interface NewSizes extends Partial<Sizes> {
  readonly minSize?: number;
}

export interface SizeChange {
  readonly from: Sizes;
  readonly to: Sizes;
  /** How much the marked members of the group made up before the change; detaching them is what lowers the capacity. */
  readonly marked: number;
}

export const NOTHING_ADDED: AddedSizes = { desiredCapacity: 0, maxSize: 0 };

export const NO_CHANGES: TemporaryChanges = { suspended: [], addedSizes: NOTHING_ADDED };
