import { GROUP_TAGS, INSTANCE_TAGS } from '../../lambda/contract.ts';
import { textOn } from '../sealed.ts';
import { AwsError } from '../simulated-aws/account/aws-error.ts';
import type { Group, Member } from '../simulated-aws/world/autoscaling/model.ts';
import { weightOf } from '../simulated-aws/world/autoscaling/weights.ts';
import { addVersion } from '../simulated-aws/world/ec2/launch-templates.ts';
import { boundsOf } from '../simulated-aws/world/ecs/bounds.ts';
import type { Service } from '../simulated-aws/world/ecs/model.ts';
import type { World } from '../simulated-aws/world/world.ts';
import type { Scene } from './scene.ts';
import { hasUnnotedSize, isChangingSize } from './unnoted-sizes.ts';

/** When a roll raises the maximum size, a policy may use that; what it took stays allowed after the roll. */
export function scaleOut({ world, group, raisesMaxSize }: Scene): string | undefined {
  if (raisesMaxSize || fillsReservation(world, group)) return undefined;
  return world.owner.scale(group.name, 1) ? `a policy makes ${group.name} larger` : undefined;
}

/** One place that it reserves must be left: with none, the roll would rightly wait for ever. */
const fillsReservation = ({ state }: World, { desiredCapacity }: Group) =>
  [...state.capacityReservations.values()].some(({ total }) => desiredCapacity + 1 >= total);

const isRoomy = (world: World, { desiredCapacity, minSize }: Group) =>
  desiredCapacity > Math.max(leastRoomy(world), minSize);

/**
 * With fewer members the services could not continue, and the roll would rightly be blocked: of some each
 * task needs an instance for itself, and in place it moves to another before its own is replaced.
 */
export function leastRoomy(world: World): number {
  const apart = replicaServices(world).filter(({ distinctInstance }) => distinctInstance);
  return Math.max(2, ...apart.map(({ desiredCount }) => desiredCount + 1));
}

export function scaleIn({ world, group }: Scene): string | undefined {
  if (!isRoomy(world, group)) return undefined;
  return world.owner.scale(group.name, -1) ? `a policy makes ${group.name} smaller` : undefined;
}

export function resize({ world, group }: Scene): string | undefined {
  if (fillsReservation(world, group)) return undefined;
  const sizes = { maxSize: group.maxSize + 1, desiredCapacity: group.desiredCapacity + 1 };
  world.owner.setSizes(group.name, sizes);
  return `${group.name} is set to ${sizes.desiredCapacity} of ${sizes.maxSize}`;
}

export function scaleService({ world, group, draw }: Scene): string | undefined {
  const service = draw.oneOf(replicaServices(world));
  if (!service) return undefined;
  const most = service.distinctInstance ? group.desiredCapacity - 1 : Number.POSITIVE_INFINITY;
  const count = Math.min(most, Math.max(1, service.desiredCount + (draw.chance(0.5) ? 1 : -1)));
  if (!canMove(service, count)) return undefined;
  world.owner.setDesiredCount(service.cluster.name, service.name, count);
  return `service ${service.name} is to have ${count} tasks`;
}

/** Of so few that ECS may neither stop one nor start another, a roll would rightly wait for ever. */
function canMove(service: Service, desiredCount: number): boolean {
  const { minimum, maximum } = boundsOf({ ...service, desiredCount });
  return minimum < desiredCount || maximum > desiredCount;
}

/** By two as well, which may be less than a roll has added. */
export function scheduledScaleIn({ world, group, draw }: Scene): string | undefined {
  if (!isRoomy(world, group)) return undefined;
  const least = Math.max(leastRoomy(world), group.minSize);
  const desiredCapacity = Math.max(least, group.desiredCapacity - draw.whole(1, 2));
  return world.owner.scheduledAction(group.name, { desiredCapacity })
    ? `a scheduled action sets ${group.name} to ${desiredCapacity}`
    : undefined;
}

export function scheduledScaleOut({ world, group }: Scene): string | undefined {
  if (fillsReservation(world, group)) return undefined;
  const sizes = { maxSize: group.maxSize + 1, desiredCapacity: group.desiredCapacity + 1 };
  return world.owner.scheduledAction(group.name, sizes)
    ? `a scheduled action sets ${group.name} to ${sizes.desiredCapacity} of ${sizes.maxSize}`
    : undefined;
}

export function deploy({ world, draw }: Scene): string | undefined {
  const service = draw.oneOf(replicaServices(world));
  if (!service) return undefined;
  world.owner.deploy(service.cluster.name, service.name);
  return `service ${service.name} is deployed anew`;
}

function replicaServices({ state }: World) {
  return [...state.clusters.values()]
    .flatMap(({ services }) => [...services.values()])
    .filter(({ strategy }) => strategy === 'REPLICA');
}

/** Somebody puts back an instance that we have detached, unless AWS refuses that. */
export function reattach({ world, group, draw }: Scene): string | undefined {
  const detached = [...world.state.instances.values()].filter(
    ({ id, state, launchedBy, tags }) =>
      state === 'running' &&
      launchedBy === group &&
      !group.members.has(id) &&
      tags.has(INSTANCE_TAGS.terminate),
  );
  const id = draw.oneOf(detached)?.id;
  if (id === undefined) return undefined;
  try {
    world.owner.attachInstance(group.name, id);
  } catch (error) {
    // Its group has no room for what it weighs, or has it in its warm pool, …
    if (error instanceof AwsError) return undefined;
    throw error;
  }
  return `${id} is attached to ${group.name} again`;
}

/**
 * Only from members that serve: anyone who removes the tags of a detached or draining instance takes over its
 * care. So they would in the middle of a look, after which the member is detached or drains: neither call can
 * be made conditional on its tags.
 */
export function removeMarks({ member, isLooking }: Scene): string | undefined {
  if (isLooking()) return undefined;
  const { tags, containerInstance } = member?.instance ?? {};
  if (!tags?.has(INSTANCE_TAGS.terminate) || containerInstance?.status === 'DRAINING') return undefined;
  for (const key of Object.values(INSTANCE_TAGS)) tags.delete(key);
  return `the tags are taken from ${member?.instance.id}`;
}

/** Auto Scaling refuses what would leave a group smaller than its minimum size. */
const mayLose = (group: Group, member: Member) =>
  group.desiredCapacity - weightOf(group, [member]) >= group.minSize;

export function terminateByHand({ world, member }: Scene): string | undefined {
  if (!member) return undefined;
  world.faults.killInstance(member.instance.id);
  return `${member.instance.id} is terminated by hand`;
}

/** Anyone who detaches an instance by hand also terminates it. */
export function detachByHand({ world, group, member, draw }: Scene): string | undefined {
  if (!member || !isRoomy(world, group)) return undefined;
  const { id } = member.instance;
  world.owner.detachInstance(id, { decrements: draw.chance(0.5) && mayLose(group, member) });
  world.clock.schedule(90, () => {
    if (member.instance.state === 'running') world.faults.killInstance(id);
  });
  return `${id} is detached by hand`;
}

/** Another version that nobody uses by number; for a group on `$Latest` it is the next. */
export function editTemplate({ world, group }: Scene): string | undefined {
  if (group.launchSpec.kind === 'launch-configuration') return undefined;
  const { template } = group.launchSpec;
  const latest = template.versions.get(template.lastNumber);
  if (!latest) return undefined;
  const data = { ...latest.data, Monitoring: { Enabled: true } };
  const { number } = addVersion(world.state, template, data, 'by hand', 'owner');
  return `${template.name} gets version ${number} by hand`;
}

/**
 * When asked for another launch spec, the owner restores the first version's image. Only a group on `$Latest`
 * can come to launch what somebody wrote during its roll.
 *
 * @returns whether that was possible
 */
export function giveOldImage({ state }: World, { launchSpec }: Group): boolean {
  if (launchSpec.kind === 'launch-configuration' || launchSpec.version !== '$Latest') return false;
  const { template } = launchSpec;
  const [first, latest] = [1, template.lastNumber].map((number) => template.versions.get(number)?.data);
  if (latest === undefined || first?.ImageId === latest.ImageId) return false;
  addVersion(state, template, { ...latest, ImageId: first?.ImageId }, 'the old image, by hand', 'owner');
  return true;
}

/**
 * It comes back unless a size is being set: two invocations may overwrite each other's notes of that, and the
 * change between them is then seen by neither.
 */
export function standBy({ world, group, member, isSettingSizes, draw }: Scene): string | undefined {
  if (!member || !isRoomy(world, group) || !mayLose(group, member)) return undefined;
  const { id } = member.instance;
  world.owner.enterStandby(id);
  const comeBack = () => {
    if (group.members.get(id)?.lifecycleState !== 'Standby') return;
    if (isSettingSizes() || isChangingSize(group) || hasUnnotedSize(group))
      return void world.clock.schedule(1, comeBack);
    makeRoom(world, group);
    world.owner.exitStandby(id);
  };
  world.clock.schedule(draw.between(60, 600), comeBack);
  return `${id} is put into Standby for a while`;
}

function makeRoom({ owner }: World, { name, desiredCapacity, maxSize }: Group) {
  if (desiredCapacity >= maxSize) owner.setSizes(name, { maxSize: desiredCapacity + 1 });
}

/**
 * Whoever sets it ACTIVE again waits until nobody is between a look and what follows it: the roll may be
 * about to end what it saw empty and DRAINING, and neither call can be made conditional on that. What its
 * group is ending already stays as it is.
 */
export function drainByHand({ world, member, isLooking, draw }: Scene): string | undefined {
  const containerInstance = member?.instance.containerInstance;
  if (!member || containerInstance?.status !== 'ACTIVE') return undefined;
  const { id } = member.instance;
  world.owner.setContainerInstanceStatus(id, 'DRAINING');
  const activate = () => {
    if (isLooking()) return void world.clock.schedule(1, activate);
    if (containerInstance.status !== 'DRAINING' || member.lifecycleState.startsWith('Terminating')) return;
    world.owner.setContainerInstanceStatus(id, 'ACTIVE');
  };
  world.clock.schedule(draw.between(60, 600), activate);
  return `${id} is set DRAINING by hand for a while`;
}

/**
 * Not a process that our tags name: AWS doesn't say whether we suspended it or somebody else has since, and
 * the README says that it is resumed in the end.
 */
export function suspendForAWhile({ world, group, draw }: Scene): string | undefined {
  const process = draw.oneOf(['Launch', 'Terminate', 'AZRebalance', 'ReplaceUnhealthy', 'HealthCheck']);
  if (process === undefined || group.suspendedProcesses.has(process)) return undefined;
  if (textOn(group, GROUP_TAGS.suspended)?.split(' ').includes(process)) return undefined;
  world.owner.suspend(group.name, process);
  world.clock.schedule(draw.between(60, 900), () => world.owner.resume(group.name, process));
  return `${process} of ${group.name} is suspended for a while`;
}
