import type { HoldUp } from './hold-up.ts';
import type { NamedImage, Obstacle } from './obstacle.ts';
import type { Step } from './step.ts';

/** Why the images of a roll were given up: a clause, as it stands on the group's tags. */
export type Cause =
  /** By an invocation. */
  | { readonly code: 'asked' }
  /** By no more than a word on the group's tag, which whoever may tag the group may have written. */
  | { readonly code: 'asked-by-tag' }
  /** In the words that stand on the group's tags. */
  | { readonly code: 'recorded'; readonly text: string }
  /** The tag that told it is gone. */
  | { readonly code: 'cause-lost' };

/** Why a roll is not to go on: somebody asked, or what blocked it. */
export type CourseCause = Cause | BlockReason;

/** Whether it is nobody's fault: somebody asked for it. */
export function isAsked({ code }: { readonly code: string }): boolean {
  return code === 'asked' || code === 'asked-by-tag';
}

/** Why images are not to be tried again. */
export type RejectionCause =
  | Cause
  | { readonly code: 'aborted' | 'rolled-back'; readonly because: CourseCause };

/** What more than one reason, or a reason with what follows from it, comes to. */
type Composed =
  | { readonly code: 'several'; readonly reasons: readonly (HoldUp | Obstacle)[] }
  | { readonly code: 'nothing-to-go-back-to'; readonly because: CourseCause };

/** Why nothing more can be done until somebody mends something. */
export type BlockReason = HoldUp | Obstacle | Composed;

export type WaitReason = HoldUp | Obstacle<'belonging-undecided'>;

export type ActReason = Step | { readonly code: 'turns-back'; readonly because: BlockReason };

/** Why there is nothing to do, or nothing more. */
export type RestReason =
  | Obstacle<'belongs-elsewhere'>
  | { readonly code: 'members-run'; readonly run: MembersRun }
  | {
      readonly code: 'roll-over';
      readonly course: 'abort' | 'rollback';
      readonly because: CourseCause;
      readonly members: number;
      readonly images: readonly string[];
      /** Of the images that the roll gave the group, those that it launches still. */
      readonly launches: readonly string[];
    }
  | { readonly code: 'left-out'; readonly isPropagated: boolean }
  | { readonly code: 'no-roll-begun' }
  | {
      readonly code: 'image-rejected';
      readonly imageIds: readonly string[];
      readonly because?: RejectionCause;
    }
  | { readonly code: 'paused'; readonly since?: Date };

export interface MembersRun {
  readonly count: number;
  readonly images: readonly NamedImage[];
  /** Some run a newer one. */
  readonly others: boolean;
  /** Those that their owner has left out. */
  readonly leftAlone: readonly string[];
}

/** Why a group is as it is: data, that `text/sentence.ts` puts into words. */
export type Reason = Cause | RejectionCause | BlockReason | WaitReason | ActReason | RestReason;
export type ReasonCode = Reason['code'];
