import type { CourseCause, RejectionCause } from '../reasons/reason.ts';
import type { Sizes } from '../reasons/steps.ts';
import type { HookNote } from './hook.ts';
import type { PreviousLaunchSpec } from './launch.ts';

/** What our tags on a group say, from before the first change until after the last. */
export interface Roll {
  /** The images the group is rolled onto, one for each family and architecture it launches. */
  readonly imageIds: readonly string[];
  readonly startedAt: Date;
  /** The image was asked for by its id: members that run a newer one are replaced too. */
  readonly exact: boolean;
  /** Members launched before this time are replaced whatever image they run. */
  readonly forceBefore?: Date;
  /** What the group launched from before we changed it; empty if we change nothing. */
  readonly previous: readonly PreviousLaunchSpec[];
  /** Services that were unsteady when the roll began; they hold it up only if they get worse. */
  readonly unsteady: readonly UnsteadyService[];
  readonly canary: Canary;
  readonly course: Course;
  readonly changes: TemporaryChanges;
  /** What a hook has answered last. */
  readonly hook?: HookNote;
  /** Somebody stopped it before it began: it was only announced, and its images are rejected all the same. */
  readonly onlyAnnounced?: true;
}

/** A roll that was announced and hasn't begun. */
export interface Notice {
  readonly imageIds: readonly string[];
  readonly givenAt: Date;
  /** It doesn't begin before, unless somebody asks for it. */
  readonly until: Date;
}

/** The part of a roll that is recorded before anything changes. */
export type RollRecord = Omit<Roll, 'changes' | 'canary' | 'course' | 'hook' | 'onlyAnnounced'>;

/** A service that was unsteady when a roll began, with the tasks it ran then. */
export interface UnsteadyService {
  readonly name: string;
  readonly runningCount: number;
}

/** How far the first batch of a roll has come. */
export type Canary =
  | { readonly kind: 'pending' }
  /** Since when its replacements have run tasks. */
  | { readonly kind: 'baking'; readonly since: Date }
  | { readonly kind: 'passed' };

/** The direction of a roll. */
export type Course =
  | { readonly kind: 'forward' }
  /** Finish what has begun and leave the rest as it is. */
  | { readonly kind: 'abort' | 'rollback'; readonly since: Date; readonly because: CourseCause };

/** Images that a group must not be rolled onto again unless somebody forces it. */
export interface Rejection {
  readonly imageIds: readonly string[];
  readonly because: RejectionCause;
}

/** What we have changed of a group, or are about to, and must restore: this and no more. */
export interface TemporaryChanges {
  /** Processes we have suspended. */
  readonly suspended: readonly string[];
  readonly addedSizes: AddedSizes;
  /** Present while the minimum size differs from its owner's, or is about to. */
  readonly raisedMinSize?: RaisedMinSize;
  /** How uneven zones were when the group was last made larger for that: again only if they are less so. */
  readonly unevenBy?: number;
}

/** A minimum size raised so that the group doesn't shrink while it rolls. */
export interface RaisedMinSize {
  /** The size to restore. */
  readonly owner: number;
  /** The sizes we have raised it to, or are about to: any other is somebody else's. */
  readonly ours: readonly number[];
  /** Since when there has been nothing left to replace. */
  readonly restsSince?: Date;
}

/** How much of a group's sizes is ours and must be given back; the rest belongs to its owner or a policy. */
export interface AddedSizes {
  readonly desiredCapacity: number;
  readonly maxSize: number;
  /** The sizes before we added ours; present if any is ours. */
  readonly over?: Sizes;
  /** A change we have made or are about to make. The observed sizes show whether it took effect. */
  readonly change?: SizeChange;
  /**
   * Present if the group ends its old members itself. If somebody puts an earlier note back, it counts fewer
   * departures.
   */
  readonly departures?: Departures;
}

/** How many members the group was asked to end while getting smaller, since it was made larger. */
export interface Departures {
  readonly since: Date;
  readonly count: number;
}

/** The sizes to change. */
export interface NewSizes extends Partial<Sizes> {
  readonly minSize?: number;
}

export interface SizeChange {
  readonly from: Sizes;
  readonly to: Sizes;
  /**
   * How much the marked members of the group made up before the change; detaching them is what lowers the
   * capacity.
   */
  readonly marked: number;
  /** It is made by attaching old instances again. */
  readonly attaches?: true;
}

export const NOTHING_ADDED: AddedSizes = { desiredCapacity: 0, maxSize: 0 };

export const NO_CHANGES: TemporaryChanges = { suspended: [], addedSizes: NOTHING_ADDED };
