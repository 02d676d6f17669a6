import type { Group, Instance, LaunchObstacle, Member } from './group.ts';
import type { Launch, LaunchSource } from './launch.ts';
import type { Observation } from './observation.ts';
import type { Roll } from './roll.ts';
import type { DriftCause, Settings } from './settings.ts';

/** The result of a look at one cluster: everything decisions are based on. */
export interface ClusterAssessment {
  readonly observation: Observation;
  /** Those of the stack. */
  readonly settings: Settings;
  readonly groups: readonly GroupAssessment[];
}

export type GroupAssessment = Assessment | ObstructedAssessment;

/** What holds for any group, whether it can be rolled or not. */
export interface Assessed {
  readonly group: Group;
  readonly observation: Observation;
  /** Those of the group. */
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
  /** A roll of the group is under way or would begin, so more must be known of it. */
  readonly isConcerned: boolean;
  readonly classified: Classification;
  /** The places that launch an outdated image. */
  readonly outdated: readonly LaunchSource[];
}

/** That of a group whose roll is recorded. */
export interface RollAssessment extends Assessment {
  readonly roll: Roll;
}

/**
 * Which instance of a group is what. The sets come from one look at the group's own members and at our tags:
 * what is attached and outdated, and what is tagged and detached, are two things that never mix.
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
   * What is to be drained and ended: the detached, without a surge the marked members too, and what is marked
   * in the warm pool and yet known to ECS.
   */
  readonly leaving: readonly Leaving[];
  /** On their way out of the group: neither members nor detached yet. */
  readonly detaching: readonly Member[];
  /** Members with our tags that the group ends, and that run until its hooks let them go. */
  readonly ending: readonly Member[];
  /** Members that EC2 doesn't show, so nothing is known of them. */
  readonly unseen: readonly Member[];
  /** Warm pool instances to replace. */
  readonly warm: readonly Drifted[];
}

export interface Attached {
  readonly member: Member;
  readonly instance: Instance;
}

/** A running instance that carries both of our tags. */
export type Detached = Instance & Required<Pick<Instance, 'mark'>>;

/** A cause of drift, or that somebody asked for it, or that the roll which launched it is rolled back. */
export type DriftReason = DriftCause | 'force' | 'rollback';

export interface Drifted extends Attached {
  /** Never empty. */
  readonly reasons: readonly DriftReason[];
}

export interface Leaving extends Detached {
  /** It is a member still, and the group is to end it. */
  readonly attached: boolean;
}
