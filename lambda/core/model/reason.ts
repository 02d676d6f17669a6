import type { Closed, HoldUp } from './hold-up.ts';
import type { NamedImage, Obstacle } from './obstacle.ts';
import type { Outdated, Step } from './step.ts';

/** Why a roll's images were given up: a clause, as recorded on the group's tags. */
export type Cause =
  /** By an invocation. */
  | { readonly code: 'asked' }
  /** Only by the group's tag, which anyone allowed to tag the group can write. */
  | { readonly code: 'asked-by-tag' }
  /** In the words recorded on the group's tags. */
  | { readonly code: 'recorded'; readonly text: string }
  /** The tag that recorded it is gone. */
  | { readonly code: 'cause-lost' };

/** Why a roll stopped: somebody asked, or something blocked it. */
export type CourseCause = Cause | BlockReason;

/** Whether somebody asked for it, so that nothing is at fault. */
export function isAsked({ code }: { readonly code: string }): boolean {
  return code === 'asked' || code === 'asked-by-tag';
}

/** Why images must not be tried again. */
export type RejectionCause =
  | Cause
  | { readonly code: 'aborted' | 'rolled-back'; readonly because: CourseCause };

/** Several reasons, or a reason with its consequences. */
type Composed =
  | { readonly code: 'several'; readonly reasons: readonly (HoldUp | Obstacle)[] }
  | { readonly code: 'nothing-to-go-back-to'; readonly because: CourseCause };

/** Why nothing more can be done until somebody fixes something. */
export type BlockReason = HoldUp | Obstacle | Composed;

export type WaitReason = HoldUp | Obstacle<'belonging-undecided' | 'launch-template-version-missing'>;

export type ActReason = Step | { readonly code: 'turns-back'; readonly because: BlockReason };

/** Why there is nothing to do, or nothing more. */
export type RestReason =
  | Obstacle<'belongs-elsewhere' | 'group-managed'>
  | { readonly code: 'members-run'; readonly run: RunningImages }
  | {
      readonly code: 'roll-over';
      readonly course: 'abort' | 'rollback';
      readonly because: CourseCause;
      readonly members: number;
      readonly images: readonly string[];
      /** The roll's images that the group still launches. */
      readonly launches: readonly string[];
    }
  | { readonly code: 'left-out'; readonly isPropagated: boolean }
  | { readonly code: 'no-roll-begun' }
  | {
      readonly code: 'plan-only';
      readonly images: readonly NamedImage[];
      readonly outdated: readonly Outdated[];
    }
  | {
      readonly code: 'announced';
      readonly images: readonly NamedImage[];
      readonly outdated: readonly Outdated[];
      readonly until: Date;
    }
  | {
      readonly code: 'image-rejected';
      readonly imageIds: readonly string[];
      readonly because?: RejectionCause;
    }
  | Closed
  | { readonly code: 'paused'; readonly since?: Date };

/** The images that a group's members run. */
export interface RunningImages {
  readonly count: number;
  readonly images: readonly NamedImage[];
  /** Some run a newer one. */
  readonly others: boolean;
  /** Members that their owner has excluded. */
  readonly leftAlone: readonly string[];
}

/** Why a group is in its state, as data; `text/sentence.ts` puts it into words. */
export type Reason = Cause | RejectionCause | BlockReason | WaitReason | ActReason | RestReason;
export type ReasonCode = Reason['code'];
