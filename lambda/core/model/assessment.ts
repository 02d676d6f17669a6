import type { Group, Instance, LaunchObstacle, Member, RollingGroup } from './group.ts';
import type { Launch, LaunchSource } from './launch.ts';
import type { Observation } from './observation.ts';
import type { DriftKind, Settings } from './settings.ts';

/** The result of a look at one cluster: everything decisions are based on. */
export interface ClusterAssessment {
  readonly observation: Observation;
  /** The stack's settings. */
  readonly settings: Settings;
  readonly groups: readonly GroupAssessment[];
}

export type GroupAssessment = Assessment | ObstructedAssessment;

/** What holds for any group, whether it can be rolled or not. */
export interface Assessed {
  readonly group: Group;
  readonly observation: Observation;
  /** The group's settings. */
  readonly settings: Settings;
  /** The group or one of its instances carries a tag of ours. */
  readonly hasBegun: boolean;
}

/** A group that can't be rolled, and why. */
export interface ObstructedAssessment extends Assessed {
  readonly obstacle: LaunchObstacle;
}

/** A group that can be rolled, with everything a decision about it needs. `assess` makes it once per look. */
export interface Assessment extends Assessed {
  readonly launch: Launch;
  /** A roll of the group is under way or would begin, so we read more about it. */
  readonly isConcerned: boolean;
  readonly classified: Classification;
  /** The places that launch an outdated image. */
  readonly outdated: readonly LaunchSource[];
}

/** The assessment of a group whose roll is recorded. */
export interface RollAssessment extends Assessment {
  readonly group: RollingGroup;
}

/**
 * Which instance of a group is what. The sets come from one look at the group's members and at our tags:
 * attached and outdated instances never mix with tagged and detached ones.
 */
export interface Classification {
  /** Members to replace, with the reasons. */
  readonly drifted: readonly Drifted[];
  /** Members that stay. */
  readonly current: readonly Attached[];
  /** Members left alone because their owner wants it, whatever they run. */
  readonly skipped: readonly Attached[];
  /** Alive instances with both of our tags that are members of no group: ours to drain and to terminate. */
  readonly detached: readonly Detached[];
  /**
   * Instances to drain and end: detached ones, without a surge marked members too, and marked warm pool
   * instances that are registered in ECS.
   */
  readonly leaving: readonly Leaving[];
  /** On their way out of the group: neither members nor detached yet. */
  readonly detaching: readonly Member[];
  /** Members with our tags that the group is ending; they run until its hooks let go. */
  readonly ending: readonly Member[];
  /** Members that EC2 doesn't show, so we know nothing about them. */
  readonly unseen: readonly Member[];
  /** Members that EC2 doesn't answer for: only Auto Scaling and ECS tell of them. */
  readonly unknown: readonly Member[];
  /** Warm pool instances to replace. */
  readonly warm: readonly Drifted[];
}

export interface Attached {
  readonly member: Member;
  readonly instance: Instance;
}

/** A running instance that carries both of our tags. */
export type Detached = Instance & Required<Pick<Instance, 'mark'>>;

/** A cause of drift, a request to force, or the rollback of the roll that launched it. */
export type DriftReason = DriftKind | 'force' | 'rollback';

export interface Drifted extends Attached {
  /** Never empty. */
  readonly reasons: readonly DriftReason[];
}

export interface Leaving extends Detached {
  /** It is still a member, and the group will end it. */
  readonly attached: boolean;
}
