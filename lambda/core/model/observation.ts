import type { ContainerInstance, Crash, Service, Stranded, Task } from './cluster.ts';
import type { Group } from './group.ts';
import type { Image } from './launch.ts';

/** A CloudWatch alarm that the settings name. */
export interface Alarm {
  readonly name: string;
  readonly inAlarm: boolean;
  /** When it came to be so. */
  readonly since: Date;
}

/** Everything about one cluster at one moment. */
export interface Observation {
  readonly now: Date;
  readonly cluster: string;
  readonly containerInstances: readonly ContainerInstance[];
  /** Images by id: the targets, and what members run as far as AWS still knows it. */
  readonly images: ReadonlyMap<string, Image>;
  readonly groups: readonly Group[];
  /** There where the decision may ask for them. */
  readonly details?: ClusterDetails;
}

/**
 * What is read of a cluster while groups of it are rolled, or are to be. What is left out was not read: that is something else than
 * that there is none.
 */
export interface ClusterDetails {
  /** Read only when something is to be drained: see `needsServices`. */
  readonly services?: readonly Service[];
  /** Tasks on the container instances of ours that drain, or whose drain was undone. */
  readonly tasks?: readonly Task[];
  /** Names of the services that had tasks there, gone ones too, by the ARN of the container instance; read with the tasks. */
  readonly servicesOn?: ReadonlyMap<string, ReadonlySet<string>>;
  /** Services that would find no place for their tasks, by the instance in turn, or held, that has them. */
  readonly stranded?: ReadonlyMap<string, readonly Stranded[]>;
  /** What could not be read of all that is only to warn, a sentence each with the call. */
  readonly unread?: readonly string[];
  /** Those of the last hour, on any instance of the cluster; read while replacements are on trial. */
  readonly crashes?: readonly Crash[];
  /** Alarms that settings name; one that doesn't exist is left out. */
  readonly alarms?: readonly Alarm[];
}
