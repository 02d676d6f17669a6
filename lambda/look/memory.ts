import type { Aws } from '../aws/clients.ts';
import type { DescribedInstance } from '../aws/ec2.ts';
import type { GroupProvider } from '../aws/ecs.ts';
import type { ContainerInstance, Crash, Host } from '../core/model/cluster.ts';
import type { LifecycleHooks, Watch } from '../core/model/group.ts';
import { type Detachments, detachments } from './detachments.ts';
import { type ImageCatalog, imageCatalog } from './images.ts';
import { type LaunchCatalog, launchCatalog } from './launch.ts';
import { type OwnWrites, ownWrites } from './own-writes.ts';
import { type TagTimes, tagTimes } from './tag-lag.ts';
import { type TaskDefinitionCatalog, taskDefinitionCatalog } from './task-definitions.ts';

/**
 * What an invocation keeps from one look to the next: what never changes, and what it has watched without a
 * break.
 */
export interface Memory {
  readonly images: ImageCatalog;
  readonly launches: LaunchCatalog;
  readonly taskDefinitions: TaskDefinitionCatalog;
  /** Members by id. Which image they were launched from, and when, is for ever. */
  readonly members: Map<string, DescribedInstance>;
  /** ARNs of tasks that have stopped. */
  readonly stoppedTasks: Set<string>;
  /** Services that had tasks on container instances that drained, by ARN. */
  readonly servicesOn: Map<string, Set<string>>;
  /** Where tasks of services ran, by cluster and service, and when that was asked. */
  readonly taskHosts: Map<string, { readonly hosts: readonly string[]; readonly asked: Date }>;
  /** Instances that were container instances at any look, by the ARN of the container instance. */
  readonly hosts: Map<string, Host>;
  /** Tasks that were seen to have stopped, with their crash if it was one. */
  readonly crashes: Map<string, Crash | undefined>;
  /** What it has written on the tags of groups. */
  readonly writes: OwnWrites;
  /** When it has written tags that IAM judges by. */
  readonly tagTimes: TagTimes;
  /** Of instances that are marked and no members: only what groups have detached is ours. */
  readonly detachments: Detachments;
  /** Processes of groups that it has suspended and not resumed. */
  readonly suspensions: Map<string, ReadonlySet<string>>;
  /** The latest actions for each group, and how often they have been tried; by cluster and group. */
  readonly tried: Map<string, { readonly actions: string; readonly times: number }>;
  /** By cluster and group. */
  readonly watches: Map<string, Watch>;
  /**
   * The time of this invocation's request to force, and the groups on whose tags one was seen: theirs is
   * granted.
   */
  readonly forceAt?: Date;
  readonly forced: Set<string>;
  /** Whether EC2 terminates an instance, by id, as it was last asked or refused. */
  readonly terminationProtection: Map<string, boolean>;
  /** Of groups, once in an invocation. */
  readonly lifecycleHooks: Map<string, LifecycleHooks>;
  /**
   * Since when groups have been ending instances, by instance: as AWS has it, or else since it was first
   * seen.
   */
  readonly endingSince: Map<string, Date>;
  /** Since when members have been in service that launch hooks held before. */
  readonly inServiceSince: Map<string, Date>;
  /** Groups that were seen without an instance refresh, with the process suspended that would begin one. */
  readonly unrefreshed: Set<string>;
  /** By cluster. */
  readonly providers: Map<string, readonly GroupProvider[]>;
  /** Container instances by cluster, as they were last seen. */
  readonly registered: Map<string, readonly ContainerInstance[]>;
}

/** @param begunAt of the invocation */
export function newMemory(aws: Aws, begunAt: Date, forceAt?: Date): Memory {
  return {
    images: imageCatalog(aws),
    launches: launchCatalog(aws),
    taskDefinitions: taskDefinitionCatalog(aws),
    members: new Map(),
    stoppedTasks: new Set(),
    servicesOn: new Map(),
    taskHosts: new Map(),
    hosts: new Map(),
    crashes: new Map(),
    writes: ownWrites(),
    tagTimes: tagTimes(begunAt),
    detachments: detachments(),
    suspensions: new Map(),
    tried: new Map(),
    watches: new Map(),
    forced: new Set(),
    terminationProtection: new Map(),
    lifecycleHooks: new Map(),
    endingSince: new Map(),
    inServiceSince: new Map(),
    unrefreshed: new Set(),
    providers: new Map(),
    registered: new Map(),
    forceAt,
  };
}
