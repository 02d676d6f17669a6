import type { Image, PolicyChange } from './launch.ts';
import type { ContainerInstance, Hold, Mark, Rollout, Sizes } from './model.ts';

/** What the invocation asks for, beyond the settings. */
export interface Request {
  /** Begin to roll groups that have drifted, or only go on with those that have begun. */
  readonly begin: boolean;
}

/** One change to AWS. Each may be repeated, and leaves a state from which the next decision finds on. */
export type Action =
  | {
      readonly kind: 'record-rollout';
      readonly group: string;
      readonly rollout: Omit<Rollout, 'hold'>;
    }
  | {
      /** Done only if the hold, and the sizes too where they are to change, are still what they were seen to be. */
      readonly kind: 'record-hold';
      readonly group: string;
      readonly before: Hold;
      readonly sizes?: Sizes;
      readonly hold: Hold;
    }
  | {
      readonly kind: 'copy-launch-configuration';
      readonly group: string;
      readonly source: string;
      readonly name: string;
      readonly image: Image;
    }
  | {
      readonly kind: 'create-launch-template-version';
      readonly templateId: string;
      readonly sourceVersion: number;
      readonly imageId: string;
      readonly requestedAt: Date;
    }
  | {
      readonly kind: 'use-launch-configuration';
      readonly group: string;
      readonly name: string;
    }
  | {
      readonly kind: 'use-launch-template-version';
      readonly group: string;
      readonly templateId: string;
      readonly version: number;
    }
  | {
      readonly kind: 'change-mixed-instances-policy';
      readonly group: string;
      readonly changes: readonly PolicyChange[];
    }
  | {
      readonly kind: 'set-default-version';
      readonly templateId: string;
      readonly version: number;
    }
  | {
      readonly kind: 'mark-instances';
      readonly instanceIds: readonly string[];
      readonly mark: Mark;
    }
  | {
      readonly kind: 'unmark-instances';
      readonly instanceIds: readonly string[];
    }
  | {
      readonly kind: 'detach-instances';
      readonly group: string;
      readonly instanceIds: readonly string[];
      /** The desired capacity goes down by as many; otherwise the group launches as many. */
      readonly decrement: boolean;
    }
  /** A size that isn't named stays, whatever somebody else is making of it. */
  | ({ readonly kind: 'set-sizes'; readonly group: string } & Partial<Sizes>)
  | {
      readonly kind: 'suspend-processes' | 'resume-processes';
      readonly group: string;
      readonly processes: readonly string[];
    }
  | {
      readonly kind: 'drain';
      readonly containerInstances: readonly ContainerInstance[];
    }
  | {
      readonly kind: 'deregister';
      readonly containerInstance: ContainerInstance;
    }
  | { readonly kind: 'terminate'; readonly instanceIds: readonly string[] }
  /** Members of the group, which launches as many. */
  | {
      readonly kind: 'terminate-members';
      readonly group: string;
      readonly instanceIds: readonly string[];
    }
  | { readonly kind: 'delete-launch-configuration'; readonly name: string }
  | {
      readonly kind: 'delete-launch-template-versions';
      readonly templateId: string;
      readonly versions: readonly number[];
    }
  | { readonly kind: 'clear-rollout'; readonly group: string };

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
  | { readonly kind: 'blocked'; readonly reason: string }
  /** The last actions: once they are carried out, the rollout is over. */
  | {
      readonly kind: 'finish';
      readonly reason: string;
      readonly actions: readonly Action[];
    };
