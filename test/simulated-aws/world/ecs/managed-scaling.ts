import { noteResize } from '../autoscaling/capacity.ts';
import { endMember } from '../autoscaling/ending.ts';
import { groupWritten } from '../autoscaling/groups.ts';
import type { Group, Member } from '../autoscaling/model.ts';
import { touchGroup } from '../autoscaling/touch.ts';
import { isAlive } from '../ec2/model.ts';
import type { State } from '../state.ts';
import { roomOf } from './bounds.ts';
import type { CapacityProvider, Cluster, ContainerInstance, Service } from './model.ts';

/**
 * ECS publishes CapacityProviderReservation once a minute; its alarm for scale-in wants so many values on
 * end.
 */
const MINUTE_SECONDS = 60;
const LOW_MINUTES = 15;

/** After how long it ends a member that doesn't register, AWS doesn't say. */
const UNREGISTERED_MINUTES = 5;

const DEFAULT_TARGET = 100;
const DEFAULT_STEPS = { minimum: 1, maximum: 10_000 };

interface Scaled {
  readonly provider: CapacityProvider;
  readonly cluster: Cluster;
  readonly group: Group;
  readonly settings: Extract<CapacityProvider['provider'], { kind: 'auto-scaling-group' }>['settings'];
  /** Whether instances that were detached from the group count as the provider's: AWS doesn't say. */
  readonly countsDetached: boolean;
}

/**
 * What ECS makes of the size of a capacity provider's group, by a target tracking policy of the group: so
 * nothing of it is carried out while AlarmNotification is suspended, and it heeds the group's minimum and
 * maximum size.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/managed-scaling-behavior.html
 * https://aws.amazon.com/blogs/containers/deep-dive-on-amazon-ecs-cluster-auto-scaling/
 */
export function scaleByDemand(state: State, scaled: Scaled) {
  const { managedScaling, managedTerminationProtection } = scaled.settings;
  if (managedScaling?.status !== 'ENABLED') return;
  const target = managedScaling.targetCapacity ?? DEFAULT_TARGET;
  let lowMinutes = 0;
  const lateMinutes = new Map<Member, number>();
  const look = () => {
    if (state.groups.get(scaled.group.name) !== scaled.group || !isAssociated(scaled)) return;
    const reservation = reservationOf(state, scaled);
    lowMinutes = reservation < target ? lowMinutes + 1 : 0;
    const isAlarmed = lowMinutes >= LOW_MINUTES && !isBroken(state, scaled);
    if (managedTerminationProtection === 'ENABLED') protect(scaled, isAlarmed);
    if (reservation > target) scaleOut(state, scaled, reservation / target);
    else if (isAlarmed) scaleIn(state, scaled, reservation / target);
    endUnregistered(state, scaled, lateMinutes);
    state.clock.schedule(MINUTE_SECONDS, look);
  };
  state.clock.schedule(MINUTE_SECONDS, look);
}

const isAssociated = ({ provider, cluster }: Scaled) => provider.cluster === cluster;

/** Instances needed as a percentage of those that run: more than 100 where tasks are PROVISIONING. */
function reservationOf(state: State, scaled: Scaled): number {
  const running = countedBy(scaled);
  const missing = missingFor(state, scaled);
  if (running.length === 0) return missing > 0 ? 200 : 100;
  const used = running.filter((one) => one !== undefined && runsTasks(one)).length;
  const needed = missing > 0 ? running.length + missing : used;
  return (100 * needed) / running.length;
}

/**
 * "Don't perform any manual actions, like detaching the instance… Manual actions can break the scale-in
 * operation of the capacity provider… you need to also deregister the detached instance":
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/managed-termination-protection.html
 */
function isBroken({ readings }: State, scaled: Scaled): boolean {
  const { managedTerminationProtection: protection } = scaled.settings;
  return readings.detachedBlocksScaleIn && protection === 'ENABLED' && detachedFrom(scaled).length > 0;
}

/** One that isn't registered yet runs no task, either. */
function countedBy(scaled: Scaled): (ContainerInstance | undefined)[] {
  const members = [...scaled.group.members.values()].filter(isInService);
  const inGroup = members.map(({ instance }) => instance.containerInstance);
  return scaled.countsDetached ? [...inGroup, ...detachedFrom(scaled)] : inGroup;
}

/** Those that are registered. */
function detachedFrom({ provider, cluster, group }: Scaled): ContainerInstance[] {
  return [...cluster.containerInstances.values()].filter(
    (one) =>
      one.capacityProviderName === provider.name &&
      one.status !== 'INACTIVE' &&
      !group.members.has(one.instance.id),
  );
}

const isInService = ({ lifecycleState }: Member) => lifecycleState === 'InService';

/** "A container instance is considered empty even when daemon tasks are running." */
export function runsTasks({ tasks }: ContainerInstance): boolean {
  return [...tasks].some(
    ({ service, desiredStatus }) => service?.strategy !== 'DAEMON' && desiredStatus === 'RUNNING',
  );
}

/**
 * Instances for tasks of the provider's own strategy that found no place, those that are coming up set aside.
 */
function missingFor(state: State, { provider: { name }, cluster, group }: Scaled): number {
  const own = [...cluster.services.values()].filter((service) => service.capacityProvider === name);
  const lacking = own.reduce((sum, service) => sum + lackOf(state, service) * service.cpu, 0);
  const [one] = [...cluster.containerInstances.values()].filter((each) => each.capacityProviderName === name);
  const coming = [...group.members.values()].filter((member) => !takesTasks(member)).length;
  return Math.max(0, Math.ceil(lacking / (one?.cpu ?? lacking)) - coming);
}

const takesTasks = ({ instance }: Member) => instance.containerInstance?.status === 'ACTIVE';

function lackOf(state: State, service: Service): number {
  if (!service.isStarved) return 0;
  const wanted = [...service.tasks].filter(({ desiredStatus }) => desiredStatus === 'RUNNING');
  const staying = wanted.filter(({ containerInstance }) => containerInstance.status !== 'DRAINING');
  const room = roomOf(state, service);
  return Math.max(0, Math.min(service.desiredCount - staying.length, room));
}

function scaleOut(state: State, scaled: Scaled, share: number) {
  const { group, settings } = scaled;
  const minimum = settings.managedScaling?.minimumScalingStepSize ?? DEFAULT_STEPS.minimum;
  const maximum = settings.managedScaling?.maximumScalingStepSize ?? DEFAULT_STEPS.maximum;
  const running = countedBy(scaled).length;
  const step = Math.min(maximum, Math.max(minimum, Math.ceil(running * share) - running));
  setDesired(state, group, Math.min(group.maxSize, group.desiredCapacity + step));
}

/** By one instance at least and half of them at most, each minute. */
function scaleIn(state: State, { group }: Scaled, share: number) {
  const { desiredCapacity, minSize } = group;
  const wanted = Math.max(Math.ceil(desiredCapacity * share), Math.ceil(desiredCapacity / 2));
  setDesired(state, group, Math.max(minSize, Math.min(wanted, desiredCapacity)));
}

function setDesired(state: State, group: Group, desiredCapacity: number) {
  if (group.suspendedProcesses.has('AlarmNotification') || desiredCapacity === group.desiredCapacity) return;
  const { desiredCapacity: from } = group;
  group.desiredCapacity = desiredCapacity;
  noteResize(state, group, from, 'a monitor alarm ECS in state ALARM triggered policy ECSManaged');
  groupWritten(state, group, 'group');
}

/**
 * "When all non-daemon tasks are stopped on an instance, Amazon ECS initiates the scale-in process and turns
 * off scale-in protection"; one that gets tasks is protected again.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/managed-termination-protection.html
 */
function protect({ group }: Scaled, scalesIn: boolean) {
  for (const member of group.members.values()) {
    const { containerInstance } = member.instance;
    if (containerInstance && runsTasks(containerInstance)) member.isProtectedFromScaleIn = true;
    else if (scalesIn) member.isProtectedFromScaleIn = false;
  }
}

/**
 * "This permission allows Amazon ECS to terminate Amazon EC2 instances in customer ASGs that fail to register
 * with the Amazon ECS cluster": TerminateInstanceInAutoScalingGroup, which its service-linked role may call.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/document_history.html
 */
function endUnregistered(state: State, { group }: Scaled, lateMinutes: Map<Member, number>) {
  if (state.readings.unregisteredMembers === 'stay') return;
  for (const member of [...group.members.values()].filter(isUnregistered)) {
    const minutes = (lateMinutes.get(member) ?? 0) + 1;
    lateMinutes.set(member, minutes);
    if (minutes >= UNREGISTERED_MINUTES) endLate(state, group, member);
  }
}

const isUnregistered = (member: Member) =>
  isInService(member) && isAlive(member.instance) && member.instance.containerInstance === undefined;

/** Refused where the group may not get smaller. */
function endLate(state: State, group: Group, member: Member) {
  if (state.readings.unregisteredMembers === 'given-up') {
    if (group.desiredCapacity <= group.minSize) return;
    group.desiredCapacity -= 1;
    groupWritten(state, group, 'group');
  }
  endMember(state, group, member, { why: 'a user request', cause: 'group' });
  touchGroup(state, group);
}
