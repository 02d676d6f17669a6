import type { ContainerInstance, Image, Mark, Rollout } from './model.ts';

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
      readonly rollout: Rollout;
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
