import type { ContainerInstance, Task } from './cluster.ts';
import type { Mark } from './group.ts';
import type { Image, PolicyChange, VolumeSnapshot } from './launch.ts';
import type { Canary, Course, NewSizes, Rejection, Roll, Sizes, TemporaryChanges } from './roll.ts';

/** What the invocation asks for, beyond the settings. */
export interface Request {
  /** Begin to roll groups that have drifted, or only go on with those that have begun. */
  readonly begin: boolean;
  /** Somebody has asked for it; carried out once, and then found on the group's tags. */
  readonly order?: Order;
  /** When: what was asked for since is not undone by it. */
  readonly orderedAt?: Date;
  /** Groups on whose tags it is: what somebody says since, by a tag or an invocation, is not undone by it. */
  readonly recordedOn?: ReadonlySet<string>;
  /** Somebody asks to go on: drains that were given up before this time are tried again. */
  readonly retryBefore?: Date;
}

export type Order = 'pause' | 'resume' | 'abort' | 'rollback';

/** What of a roll is written down before anything changes. */
export type RollRecord = Omit<Roll, 'changes' | 'canary' | 'course'>;

/** One change to AWS. Each may be repeated, and leaves a state from which the next decision finds on. */
export type Action =
  | {
      readonly kind: 'record-roll';
      readonly group: string;
      readonly roll: RollRecord;
      /** What an earlier roll, or somebody by hand, has left of its course and trial is void. */
      readonly begins: boolean;
    }
  /** The tag by which IAM and others find the roll, which is under no seal. */
  | { readonly kind: 'record-cluster'; readonly group: string }
  | { readonly kind: 'record-canary'; readonly group: string; readonly canary: Canary }
  | {
      readonly kind: 'record-course';
      readonly group: string;
      readonly course: Exclude<Course, { kind: 'forward' }>;
    }
  /** Stays when the roll's tags go. */
  | { readonly kind: 'record-rejection'; readonly group: string; readonly rejection: Rejection }
  | { readonly kind: 'clear-rejection'; readonly group: string }
  | { readonly kind: 'pause'; readonly group: string; readonly since: Date }
  | { readonly kind: 'resume'; readonly group: string }
  | {
      /** Done only if the hold, and the sizes too where they are to change, are still what they were seen to be. */
      readonly kind: 'record-changes';
      readonly group: string;
      readonly before: TemporaryChanges;
      /** The change that it tells of is made; done too where somebody has meanwhile taken it for not made. */
      readonly closes?: true;
      readonly sizes?: Sizes;
      readonly changes: TemporaryChanges;
    }
  | {
      readonly kind: 'copy-launch-configuration';
      readonly group: string;
      readonly source: string;
      readonly name: string;
      readonly image: Image;
      /** Those that its volumes are made from. */
      readonly snapshots: readonly VolumeSnapshot[];
    }
  | {
      readonly kind: 'create-launch-template-version';
      /** The UUID in the ARN of the group that it is made for. */
      readonly groupUuid: string;
      readonly templateId: string;
      readonly sourceVersion: number;
      readonly imageId: string;
      /** Those that its volumes are made from: EC2 carries over none. */
      readonly snapshots: readonly VolumeSnapshot[];
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
      /** Done only while they are the group's still: what is detached is found by its marks alone. */
      readonly kind: 'unmark-instances';
      readonly group: string;
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
  | ({
      readonly kind: 'set-sizes';
      readonly group: string;
      /** Set only while the group's tags say so: another invocation may have written over it since. */
      readonly noted?: TemporaryChanges;
    } & NewSizes)
  | {
      readonly kind: 'suspend-processes' | 'resume-processes';
      readonly group: string;
      readonly processes: readonly string[];
    }
  /** Not more than the group's maximum size lets in; its desired capacity goes up by as many. */
  | { readonly kind: 'attach-instances'; readonly group: string; readonly instanceIds: readonly string[] }
  /** Of members alone. */
  | { readonly kind: 'set-healthy'; readonly group: string; readonly instanceIds: readonly string[] }
  /** Undoes a drain. */
  | { readonly kind: 'activate'; readonly containerInstances: readonly ContainerInstance[] }
  | { readonly kind: 'stop-tasks'; readonly tasks: readonly Task[]; readonly because: string }
  | {
      readonly kind: 'drain';
      readonly containerInstances: readonly ContainerInstance[];
    }
  | {
      readonly kind: 'deregister';
      readonly containerInstance: ContainerInstance;
      /** Where AWS refuses it, it stays: its instance is ended all the same. */
      readonly mayStay?: boolean;
    }
  | {
      readonly kind: 'terminate';
      readonly instanceIds: readonly string[];
      /** Done only while all are in the warm pool of this group: it may have taken one into service since. */
      readonly pooledIn?: string;
    }
  | {
      readonly kind: 'terminate-members';
      readonly group: string;
      readonly instanceIds: readonly string[];
      /** The desired capacity goes down by as many; otherwise the group launches as many. */
      readonly decrement: boolean;
    }
  | { readonly kind: 'delete-launch-configuration'; readonly name: string }
  | {
      readonly kind: 'delete-launch-template-versions';
      readonly templateId: string;
      readonly versions: readonly number[];
    }
  | { readonly kind: 'clear-roll'; readonly group: string };

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
  /** The last actions: once they are carried out, the rollout is over. */
  | {
      readonly kind: 'finish';
      readonly reason: string;
      readonly actions: readonly Action[];
      /** What the roll has come to. */
      readonly ending: 'completed' | 'aborted' | 'rolled-back';
    };
/** The number of a template version that is yet to be made. */
export const VERSION_TO_COME = 0;
