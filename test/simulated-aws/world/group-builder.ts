import type { InstanceRequirements, InstancesDistribution } from '@aws-sdk/client-auto-scaling';
import { addGroup } from './autoscaling/groups.ts';
import { launchFor, launchMember } from './autoscaling/launch.ts';
import { buildLaunchSpec } from './autoscaling/launch-spec-builder.ts';
import { setLifecycleState } from './autoscaling/members.ts';
import type { Group, LaunchSpec } from './autoscaling/model.ts';
import { enterWarmPool, settle, sizeOf, type WarmPoolOptions } from './autoscaling/warm-pool.ts';
import { weightOf } from './autoscaling/weights.ts';
import { zoneToWarmIn } from './autoscaling/zones.ts';
import { boot } from './ec2/instances.ts';
import type { Image } from './ec2/model.ts';
import { registerContainerInstance } from './ecs/agents.ts';
import { clusterToJoin } from './ecs/joining.ts';
import type { State } from './state.ts';

export interface GroupOptions {
  readonly name: string;
  /** The ECS cluster that its instances join. Default: none, as they have no instance profile. */
  readonly cluster?: string;
  readonly image: Image;
  readonly instances: number;
  /** Default: none. */
  readonly reservations?: Group['reservations'];
  /** The Capacity Reservation that its template targets. Default: none. */
  readonly reservedInTemplate?: string;
  /** The name of a placement group. Default: none. */
  readonly placementGroup?: string;
  /** Of the placement group in its template, its id or name. Default: none. */
  readonly placementGroupInTemplate?: { readonly GroupName: string } | { readonly GroupId: string };
  /** Default: balanced as far as zones let it launch. */
  readonly zoneDistribution?: Group['zoneDistribution'];
  /** Default: a launch configuration. */
  readonly launchSpec?: LaunchSpec['kind'];
  /**
   * How the group refers to its template: a number, `$Latest` or `$Default`. Default: it names no version.
   */
  readonly version?: string | undefined;
  /** In place of the image's id, such as `resolve:ssm:/path`. Templates only. */
  readonly imageReference?: string | undefined;
  /** Default: `m5.large`, or `m6g.large` where the image is of arm64. */
  readonly instanceType?: string;
  /** Of the volume that its launch spec maps for the root. Default: 50. */
  readonly rootSizeGib?: number;
  /**
   * Its launch spec names the snapshot of the image's root volume, which fits no other image. Default: yes.
   */
  readonly namesRootSnapshot?: boolean;
  /** That its user data names, as ECS_INSTANCE_ATTRIBUTES. */
  readonly instanceAttributes?: Readonly<Record<string, string>>;
  /** That its user data turn on the agent's Spot Instance draining. Of Linux. */
  readonly drainsSpot?: boolean;
  /** Of a mixed instances policy. Default: `m5.large` and `m5a.large`. */
  readonly overrides?: readonly OverrideOptions[];
  /** Of its capacity, by a mixed instances policy. Default: all of it On-Demand. */
  readonly distribution?: InstancesDistribution;
  /** Its template has DisableApiTermination. */
  readonly terminationProtected?: boolean;
  /** That its templates give to instances and to their volumes. Default: none. */
  readonly launchTags?: Readonly<Record<string, string>>;
  readonly minSize?: number;
  readonly maxSize?: number;
  readonly tags?: Readonly<Record<string, string>>;
  readonly targetGroupArns?: readonly string[];
  /** Classic load balancers. */
  readonly loadBalancerNames?: readonly string[];
  /** Default: EC2. */
  readonly healthCheckType?: Group['healthCheckType'];
  /** The service principal that manages it. Default: none. */
  readonly operator?: string;
  /** Those in which it launches. Default: all three. */
  readonly zones?: Group['zones'];
  /** Default: no. */
  readonly protectsNewInstances?: boolean;
  /** Full already. */
  readonly warmPool?: WarmPoolOptions;
}

export interface OverrideOptions {
  /** Default: any of those that fit its requirements. */
  readonly instanceType?: string;
  readonly requirements?: InstanceRequirements;
  /** How much of the desired capacity one makes up. Default: the policy has no weights. */
  readonly weight?: number;
  /** Its own, in place of the template's. */
  readonly image?: Image;
  /** The same by a reference, such as `resolve:ssm:/path`. */
  readonly imageReference?: string;
  /** A separate launch template, made for the group. */
  readonly template?: {
    readonly image: Image;
    readonly instanceType?: string;
    readonly version?: string;
  };
}

/** How long ago what a world begins with was launched. */
const DAY_MS = 24 * 3_600_000;

/** A group whose members run, are InService and have their agents registered. */
export function buildGroup(state: State, options: GroupOptions): Group {
  const { name, instances } = options;
  const group = addGroup(state, {
    name,
    launchSpec: buildLaunchSpec(state, options),
    minSize: options.minSize ?? 0,
    maxSize: options.maxSize ?? instances,
    desiredCapacity: instances,
    zones: options.zones,
    operator: options.operator,
    targetGroupArns: options.targetGroupArns,
    loadBalancerNames: options.loadBalancerNames,
    healthCheckType: options.healthCheckType,
    protectsNewInstances: options.protectsNewInstances,
    warmPool: options.warmPool,
    reservations: options.reservations,
    placementGroup: options.placementGroup,
    zoneDistribution: options.zoneDistribution,
  });
  for (const [key, value] of Object.entries(options.tags ?? {}))
    group.tags.set(key, { value, propagatesAtLaunch: true });
  for (let count = 0; count < instances; count++) addMember(state, group);
  group.desiredCapacity = weightOf(group, [...group.members.values()]);
  group.maxSize = options.maxSize ?? group.desiredCapacity;
  for (let left = sizeOf(group); left > 0; left--) addWarmMember(state, group);
  return group;
}

function addMember(state: State, group: Group) {
  const member = launchMember(state, group);
  if (typeof member === 'string') throw new Error(member);
  member.instance.launchedAtMs -= DAY_MS;
  boot(state, member.instance);
  setLifecycleState(state, group, member, 'InService', 'owner');
  const cluster = clusterToJoin(state, member.instance);
  if (cluster) registerContainerInstance(state, cluster, member.instance);
}

function addWarmMember(state: State, group: Group) {
  const { warmPool: pool } = group;
  const member = pool && launchFor(state, group, zoneToWarmIn(state, group, pool));
  if (typeof member === 'string') throw new Error(member);
  if (!pool || !member) return;
  member.instance.launchedAtMs -= DAY_MS;
  enterWarmPool(state, group, pool, member);
  settle(state, group, pool, member);
}
