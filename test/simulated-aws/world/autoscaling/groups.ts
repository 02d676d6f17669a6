import { AwsError } from '../../account/operation.ts';
import { ZONES } from '../ec2/subnets.ts';
import { clusterNamedBy } from '../ecs/joining.ts';
import type { Cause } from '../events.ts';
import type { State } from '../state.ts';
import { launchesOf } from './launch-sources.ts';
import type { Group } from './model.ts';
import { touchGroup } from './touch.ts';
import { newWarmPool, type WarmPoolOptions } from './warm-pool.ts';

/** Auto Scaling answers most refusals with this one code. */
export function validationError(message: string): AwsError {
  return new AwsError('ValidationError', message);
}

export function findGroup(state: State, name: string | undefined): Group {
  const group = state.groups.get(name ?? '');
  // ledger: group-unknown
  if (!group) throw validationError(`AutoScalingGroup name not found - no such group: ${name}`);
  return group;
}

/**
 * Whatever would bring members in is refused while Launch is suspended. The wording is a user's report.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/understand-how-suspending-processes-affects-other-processes.html
 */
export function assertLaunching({ suspendedProcesses }: Group, what: string) {
  if (!suspendedProcesses.has('Launch')) return;
  // ledger: attach-launch-suspended, exit-standby-launch-suspended
  throw validationError(`Cannot ${what} while the Launch process is suspended`);
}

interface GroupSettings
  extends Pick<Group, 'name' | 'launchSpec' | 'minSize' | 'maxSize' | 'desiredCapacity'> {
  readonly zones?: Group['zones'] | undefined;
  readonly operator?: string | undefined;
  readonly targetGroupArns?: Iterable<string> | undefined;
  readonly loadBalancerNames?: Iterable<string> | undefined;
  readonly healthCheckType?: Group['healthCheckType'] | undefined;
  readonly protectsNewInstances?: boolean | undefined;
  readonly warmPool?: WarmPoolOptions | undefined;
  readonly reservations?: Group['reservations'];
  readonly placementGroup?: Group['placementGroup'];
  readonly zoneDistribution?: Group['zoneDistribution'];
}

export function addGroup(state: State, settings: GroupSettings): Group {
  const { account, region } = state;
  const { warmPool } = settings;
  const group: Group = {
    ...settings,
    clusterName: clusterNamedBy(state, launchesOf(state, settings.launchSpec)[0]),
    arn: `arn:aws:autoscaling:${region}:${account}:autoScalingGroup:${state.ids.uuid()}:autoScalingGroupName/${settings.name}`,
    createdAtMs: state.clock.now(),
    zones: settings.zones ?? ZONES,
    operator: settings.operator,
    members: new Map(),
    protectsNewInstances: settings.protectsNewInstances ?? false,
    warmPool: warmPool && newWarmPool(warmPool),
    tags: new Map(),
    suspendedProcesses: new Set(),
    targetGroupArns: new Set(settings.targetGroupArns),
    loadBalancerNames: new Set(settings.loadBalancerNames),
    healthCheckType: settings.healthCheckType ?? 'EC2',
    healthCheckGraceSeconds: 0,
    defaultCooldownSeconds: 300,
    defaultWarmupSeconds: undefined,
    capacityType: undefined,
    lifecycleHooks: [],
    scalingPolicies: [],
    retainsAbandoned: false,
    impairmentPolicy: undefined,
    shiftedZone: undefined,
    activities: [],
    instanceRefreshes: [],
    resizedBy: '',
    isReconcileScheduled: false,
    launches: 0,
    launchFault: undefined,
    isRebalanceScheduled: false,
    newcomer: undefined,
    outgoing: undefined,
    launchesFirst: false,
  };
  state.groups.set(group.name, group);
  return group;
}

/** Something about the group was changed, so it has to look at itself. */
export function groupWritten(state: State, group: Group, cause: Cause) {
  state.emit({ kind: 'group-written', group, cause });
  touchGroup(state, group);
}
