import type { ContainerInstanceActions } from './container-instances.ts';
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
    ContainerInstanceActions {}

export type ActionKind = keyof ActionData;

/** One change to AWS. Each may be repeated, and leaves a state the next decision can continue from. */
export type Action<Kind extends ActionKind = ActionKind> = {
  [Each in Kind]: { readonly kind: Each } & ActionData[Each];
}[Kind];

/** What is to be done about one group now, with the reason as a sentence for a person. */
export type Decision =
  | { readonly kind: 'up-to-date'; readonly reason: string }
  /** Its owner wants it left out. */
  | { readonly kind: 'skipped'; readonly reason: string }
  | {
      readonly kind: 'act';
      readonly reason: string;
      readonly actions: readonly Action[];
    }
  | { readonly kind: 'wait'; readonly reason: string }
  /** Nothing more is done until somebody says `resume`. */
  | { readonly kind: 'paused'; readonly reason: string }
  | {
      readonly kind: 'blocked';
      readonly reason: string;
      /** It is the replacements that fail: the roll is to be rolled back. */
      readonly failing?: boolean;
    }
  /** The last actions: once they are carried out, the roll is over. */
  | {
      readonly kind: 'finish';
      readonly reason: string;
      readonly actions: readonly Action[];
      /** What the roll has come to. */
      readonly ending: 'completed' | 'aborted' | 'rolled-back';
    };
