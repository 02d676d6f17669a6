import type { Group } from '../model/group.ts';
import { idsOf } from '../model/members.ts';
import type { TemporaryChanges } from '../model/roll.ts';
import type { HoldUp } from '../reasons/hold-ups.ts';
import type { Obstacle } from '../reasons/obstacles.ts';
import type { ActReason, BlockReason, RestReason, WaitReason } from '../reasons/reason.ts';
import type { ContainerInstanceActions } from './container-instances.ts';
import type { HookActions } from './hooks.ts';
import type { InstanceActions } from './instances.ts';
import type { LaunchSpecActions } from './launch-specs.ts';
import type { MemberActions } from './members.ts';
import type { SizeActions } from './sizes.ts';
import type { TagActions } from './tags.ts';

/** The data of each kind of action. */
export interface ActionData
  extends TagActions,
    LaunchSpecActions,
    InstanceActions,
    MemberActions,
    SizeActions,
    ContainerInstanceActions,
    HookActions {}

export type ActionKind = keyof ActionData;

/** One change to AWS. Each may be repeated, and leaves a state the next decision can continue from. */
export type Action<Kind extends ActionKind = ActionKind> = {
  [Each in Kind]: { readonly kind: Each } & ActionData[Each];
}[Kind];

/** What to do about one group now, and why. */
export type Decision =
  | { readonly kind: 'up-to-date'; readonly reason: RestReason }
  /** Something is to be done, but nothing begins by itself, or not yet. */
  | { readonly kind: 'planned'; readonly reason: RestReason }
  /** We leave the group alone. */
  | { readonly kind: 'skipped'; readonly reason: RestReason }
  | {
      readonly kind: 'act';
      readonly reason: ActReason;
      readonly actions: readonly Action[];
      readonly pausedSince?: Date;
    }
  | {
      readonly kind: 'wait';
      readonly reason: WaitReason;
      /** The group is paused, and only finishes what it has begun. */
      readonly pausedSince?: Date;
    }
  /** Nothing more happens until somebody says `resume`, or a window opens. */
  | { readonly kind: 'paused'; readonly reason: RestReason }
  | {
      readonly kind: 'blocked';
      readonly reason: BlockReason;
      /** The replacements fail, so the roll must be rolled back. */
      readonly failing?: boolean;
      /** Rolling back would help, even though the roll was aborted. */
      readonly rollbackHelps?: boolean;
      /** What we have changed of the group, which it keeps meanwhile. */
      readonly meanwhile?: TemporaryChanges;
    }
  /** The last actions: once they are carried out, the roll is over. */
  | {
      readonly kind: 'finish';
      readonly reason: RestReason;
      readonly actions: readonly Action[];
      /** The outcome of the roll. */
      readonly ending: 'completed' | 'aborted' | 'rolled-back';
    };

/** Blocked by at least one thing. */
export function blockedBy(reasons: readonly (HoldUp | Obstacle)[]): Extract<Decision, { kind: 'blocked' }> {
  const [first, ...others] = reasons;
  if (first === undefined) throw new Error('blocked by nothing');
  return { kind: 'blocked', reason: others.length === 0 ? first : { code: 'several', reasons } };
}

/** The decision while a group is paused. */
export function pausedIn({ pausedSince }: Group): Decision {
  return { kind: 'paused', reason: { code: 'paused', ...(pausedSince && { since: pausedSince }) } };
}

/** Members that no longer run are to be replaced by their group. */
export function waitForOthers(gone: Parameters<typeof idsOf>[0]): Decision {
  return { kind: 'wait', reason: { code: 'members-not-replaced-yet', instanceIds: idsOf(gone) } };
}
