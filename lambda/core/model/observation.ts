import type { Warning } from '../reasons/warnings.ts';
import type {
  ContainerInstance,
  Crash,
  LastInZone,
  Movable,
  Service,
  Stranded,
  Task,
  UnhealthyTask,
} from './cluster.ts';
import type { Group } from './group.ts';
import type { Image } from './launch.ts';

/** A CloudWatch alarm that the settings name. */
export interface Alarm {
  readonly name: string;
  readonly inAlarm: boolean;
  /** When it entered this state. */
  readonly since: Date;
}

/** Everything observed of one cluster at one moment. */
export interface Observation {
  readonly now: Date;
  readonly cluster: string;
  readonly containerInstances: readonly ContainerInstance[];
  /** Images by id: the targets, and the members' images as far as AWS still knows them. */
  readonly images: ReadonlyMap<string, Image>;
  readonly groups: readonly Group[];
  /** Present if the decision may need them. */
  readonly details?: ClusterDetails;
}

/**
 * What we read of a cluster while its groups are rolled, or about to be. An absent field was not read; that
 * differs from an empty one.
 */
export interface ClusterDetails {
  /** Read only when something is about to drain: see `needsServices`. */
  readonly services?: readonly Service[];
  /** Tasks on our container instances that drain, or whose drain was undone. */
  readonly tasks?: readonly Task[];
  /**
   * Names of the services that had tasks there, gone ones too, by the ARN of the container instance; read
   * with the tasks.
   */
  readonly servicesOn?: ReadonlyMap<string, ReadonlySet<string>>;
  /** How long tasks took last from when they began to stop until they had stopped, by their group. */
  readonly stopSeconds?: ReadonlyMap<string, number>;
  /** When a task last began to stop, or stopped, by its container instance's ARN; read with the tasks. */
  readonly leftAt?: ReadonlyMap<string, Date>;
  /**
   * What would move off instances that drain or may be next to, by the ARN of the container instance; read if
   * that decides how many drain at once.
   */
  readonly movable?: ReadonlyMap<string, readonly Movable[]>;
  /** Tasks on container instances that drain next. */
  readonly tasksInTurn?: readonly Task[];
  /** Services whose tasks would find no place elsewhere, by the instance they run on, in turn or given up. */
  readonly stranded?: ReadonlyMap<string, readonly Stranded[]>;
  /** Instances in turn that a zone would have no healthy target without, by id. */
  readonly lastInZone?: ReadonlyMap<string, readonly LastInZone[]>;
  /** Facts for warnings that couldn't be read. */
  readonly unread?: readonly Warning[];
  /**
   * Running tasks that don't serve; read if the counts of services say that something may begin, end or pass
   * its trial.
   */
  readonly unhealthy?: readonly UnhealthyTask[];
  /** Since when this invocation has asked load balancers about tasks that crash by their word. */
  readonly askedSince?: Date;
  /** Crashes of the last hour on any instance of the cluster; read while replacements are on trial. */
  readonly crashes?: readonly Crash[];
  /** Alarms named in the settings; one that doesn't exist is absent. */
  readonly alarms?: readonly Alarm[];
}
