import type { Aws } from '../aws/clients.ts';
import type { DescribedInstance } from '../aws/ec2.ts';
import type { InstanceProvider } from '../aws/ecs.ts';
import { nothingSeen, type SeenTasks, type TasksRead } from '../aws/tasks.ts';
import type { ContainerInstance, Crash, Host, Service } from '../core/model/cluster.ts';
import type { Instance, Watch } from '../core/model/group.ts';
import type { LifecycleHooks } from '../core/model/lifecycle-hook.ts';
import type { Warning } from '../core/reasons/warnings.ts';
import { type Detachments, detachments } from './detachments.ts';
import { type ImageCatalog, imageCatalog } from './image-catalog.ts';
import { type InstanceProfiles, instanceProfiles } from './instance-profiles.ts';
import { type LaunchCatalog, launchCatalog } from './launch.ts';
import { type OwnWrites, ownWrites } from './own-writes.ts';
import { type Refusals, refusals } from './refusals.ts';
import { type TagTimes, tagTimes } from './tag-lag.ts';
import { type TaskDefinitionCatalog, taskDefinitionCatalog } from './task-definitions.ts';

/** ARNs, and when they were listed. */
interface Listed {
  readonly arns: readonly string[];
  readonly at: Date;
}

/** The instances of a cluster that concern us, and when we last searched for our tags. */
interface InstancesSeen {
  readonly ids: ReadonlySet<string>;
  /** Absent if no search was possible yet. */
  readonly searchedAt?: Date | undefined;
}

interface RegisteredInstances {
  readonly containerInstances: readonly ContainerInstance[];
  readonly at: Date;
}

/** What an invocation has told of a group on the event bus. */
interface ToldHere {
  /** Of the events that were published. */
  readonly ids: Set<string>;
  /** Instances seen marked since the last batch was done, by id. */
  readonly marked: Map<string, Instance>;
  /** What its tag was last made to say. */
  text?: string | undefined;
  failure?: string | undefined;
}

/**
 * What an invocation keeps from one look to the next: what never changes, and what it has watched
 * continuously.
 */
export interface Memory {
  readonly images: ImageCatalog;
  readonly launches: LaunchCatalog;
  readonly taskDefinitions: TaskDefinitionCatalog;
  readonly instanceProfiles: InstanceProfiles;
  /** Members by id: their image and launch time never change. */
  readonly members: Map<string, DescribedInstance>;
  /** By cluster: every instance that was ever a member or had our tags, and when tags were searched for. */
  readonly instancesIn: Map<string, InstancesSeen>;
  /** By cluster: zones that EC2 didn't answer for, and when. */
  readonly silent: Map<string, { readonly zones: ReadonlySet<string>; readonly at: Date }>;
  /** Tasks on container instances that drain, by the ARN of the container instance. */
  readonly taskLists: Map<string, Listed>;
  /** Services by cluster, as last described. */
  readonly services: Map<string, readonly Service[]>;
  /** ARNs of the services of each cluster. */
  readonly serviceLists: Map<string, Listed>;
  /** Zones of subnets by id, undefined if EC2 knows no such subnet. A subnet never moves. */
  readonly subnetZones: Map<string, string | undefined>;
  /** What the look that is under way has read of tasks, and what lists of them cost. */
  readonly tasksRead: TasksRead;
  /** What is kept of tasks on draining container instances. */
  readonly tasksSeen: SeenTasks;
  /** Services that some task of has been seen with a health status: its containers have checks. */
  readonly checked: Set<string>;
  /** What a load balancer says of tasks that it sends nothing to where they run, by service and host. */
  readonly barred: Map<string, string>;
  /** When load balancers were first asked about tasks that crash by their word. */
  askedSince?: Date | undefined;
  /** Why the targets of services can't be read, by their target group's ARN or load balancer's name. */
  readonly targetsUnread: Map<string, Warning>;
  /** Where tasks of services ran and when we asked, by cluster and service. */
  readonly taskHosts: Map<string, { readonly hosts: readonly string[]; readonly asked: Date }>;
  /** Groups of the tasks on container instances and when we asked, by the ARN of the container instance. */
  readonly taskGroups: Map<string, { readonly groups: readonly string[]; readonly at: Date }>;
  /** Instances that any look has found registered, by the ARN of the container instance. */
  readonly hosts: Map<string, Host>;
  /** Tasks seen to have stopped, each with its crash if it was one. */
  readonly crashes: Map<string, Crash | undefined>;
  /** What this invocation has written on the tags of groups. */
  readonly writes: OwnWrites;
  /** When it wrote tags that IAM policies check. */
  readonly tagTimes: TagTimes;
  /** Versions of launch templates that EC2 has answered to have made for us: `<template>:<number>`. */
  readonly versionsMade: Set<string>;
  /** What AWS has refused. */
  readonly refusals: Refusals;
  /** Detachments of marked instances that aren't members: they are ours only if their group detached them. */
  readonly detachments: Detachments;
  /** Processes that it has suspended and not resumed, and when, by group. */
  readonly suspensions: Map<string, Map<string, Date>>;
  /** The latest actions for each group, and how often they have been tried; by cluster and group. */
  readonly tried: Map<string, { readonly actions: string; readonly times: number }>;
  /** By cluster and group. */
  readonly watches: Map<string, Watch>;
  /** When this invocation was asked to force, and the groups whose tags already record it. */
  readonly forceAt?: Date;
  readonly forced: Set<string>;
  /**
   * Whether an instance is protected from termination, by id, as EC2 last answered. Should one be protected
   * since, EC2 refuses to terminate it.
   */
  readonly terminationProtection: Map<string, boolean>;
  /** What this invocation has told of each group. */
  readonly told: Map<string, ToldHere>;
  /** When the event bus last took no event. */
  busFailedAt?: Date | undefined;
  /** Whether traffic sources serve zones apart, by ARN or name. */
  readonly zonal: Map<string, boolean>;
  /** Below which share of healthy targets they help themselves, in percent, by ARN or name. */
  readonly leastHealthy: Map<string, number>;
  /** By group; read once per invocation. */
  readonly lifecycleHooks: Map<string, LifecycleHooks>;
  /** By group, whether a scaling policy may make it smaller. */
  readonly scaleInPolicies: Map<string, boolean>;
  /**
   * Since when the group has been ending an instance, by instance: as AWS reports it, or since we first saw
   * it.
   */
  readonly endingSince: Map<string, Date>;
  /** Since when members that launch hooks held are in service. */
  readonly inServiceSince: Map<string, Date>;
  /** Groups that had no instance refresh when last looked at, and have its process suspended. */
  readonly unrefreshed: Set<string>;
  /** By cluster. */
  readonly providers: Map<string, readonly InstanceProvider[]>;
  /** Container instances by cluster, as found when we looked for groups, for the first look. */
  readonly discovered: Map<string, RegisteredInstances>;
  /** Container instances by cluster, as last seen. */
  readonly registered: Map<string, readonly ContainerInstance[]>;
}

/** @param begunAt when the invocation began */
export function newMemory(aws: Aws, begunAt: Date, forceAt?: Date): Memory {
  return {
    images: imageCatalog(aws),
    launches: launchCatalog(aws),
    taskDefinitions: taskDefinitionCatalog(aws),
    instanceProfiles: instanceProfiles(aws),
    members: new Map(),
    instancesIn: new Map(),
    silent: new Map(),
    taskLists: new Map(),
    services: new Map(),
    serviceLists: new Map(),
    subnetZones: new Map(),
    tasksRead: { described: new Map(), stopped: new Map(), inCluster: new Map() },
    tasksSeen: nothingSeen(),
    checked: new Set(),
    barred: new Map(),
    targetsUnread: new Map(),
    taskHosts: new Map(),
    taskGroups: new Map(),
    hosts: new Map(),
    crashes: new Map(),
    writes: ownWrites(),
    tagTimes: tagTimes(begunAt),
    versionsMade: new Set(),
    refusals: refusals(),
    detachments: detachments(),
    suspensions: new Map(),
    tried: new Map(),
    told: new Map(),
    watches: new Map(),
    forced: new Set(),
    terminationProtection: new Map(),
    zonal: new Map(),
    leastHealthy: new Map(),
    lifecycleHooks: new Map(),
    scaleInPolicies: new Map(),
    endingSince: new Map(),
    inServiceSince: new Map(),
    unrefreshed: new Set(),
    providers: new Map(),
    discovered: new Map(),
    registered: new Map(),
    forceAt,
  };
}
