import type { GroupResult } from '../../lambda/core/result.ts';
import { textOn } from '../sealed.ts';
import type { Group } from '../simulated-aws/world/autoscaling/model.ts';
import type { Family } from '../simulated-aws/world/ec2/families.ts';
import type { Image, Instance, LaunchTemplate } from '../simulated-aws/world/ec2/model.ts';
import type { Service, Task } from '../simulated-aws/world/ecs/model.ts';
import { exited } from '../simulated-aws/world/ecs/stops.ts';
import { endTask } from '../simulated-aws/world/ecs/tasks.ts';
import type { WorldEvent } from '../simulated-aws/world/events.ts';
import type { GroupOptions } from '../simulated-aws/world/group-builder.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { groupsOf } from './outcomes.ts';
import type { Stage } from './stage.ts';

const CONTINUE_SECONDS = 300;

/**
 * Invokes as the deployment does, for so many minutes, and answers what was said of each group the last time.
 */
export async function keepInvoking(
  { invoke, clock }: Stage,
  minutes: number,
  event: object = { action: 'roll' },
): Promise<readonly GroupResult[]> {
  const until = clock.now() + minutes * 60_000;
  const said = new Map<string, GroupResult>();
  const listen = async (asked: object) => {
    for (const result of groupsOf(await invoke(asked))) said.set(result.group, result);
  };
  await listen(event);
  while (clock.now() < until) {
    clock.advance(CONTINUE_SECONDS);
    await listen({ action: 'continue' });
  }
  return [...said.values()];
}

/** Something happens once, with the first event of the world that is so. */
export function once(world: World, isSo: (event: WorldEvent) => boolean, happens: () => void): void {
  const stop = world.subscribe((event) => {
    if (!isSo(event)) return;
    stop();
    happens();
  });
}

/** The first old instance begins to drain. */
export function isDrain(event: WorldEvent): boolean {
  return event.kind === 'container-instance-changed' && event.containerInstance.status === 'DRAINING';
}

/** Something happens so many seconds after a tag of ours was written onto a group with a value that is so. */
export function afterTag(
  { world, clock }: Pick<Stage, 'world' | 'clock'>,
  key: string,
  isSo: (value: string) => boolean,
  seconds: number,
  happens: () => void,
): void {
  const bears = () =>
    [...world.state.groups.values()].some((group) => {
      const value = textOn(group, key);
      return value !== undefined && isSo(value);
    });
  once(
    world,
    (event) => event.kind === 'called' && bears(),
    () => clock.schedule(seconds, happens),
  );
}

/** The instances that run an image, or did. */
export function launchedFrom({ state }: World, imageId: string): Instance[] {
  return [...state.instances.values()].filter((instance) => instance.imageId === imageId);
}

/** Seconds from the start of the stage's day to the first line of its log that is so. */
export function toldAt({ log }: Pick<Stage, 'log'>, line: RegExp): number {
  const found = log.find((each) => line.test(each));
  if (found === undefined) throw new Error(`nothing tells ${line}:\n${log.join('\n')}`);
  const [hours = 0, minutes = 0, seconds = 0] = found.slice(0, 8).split(':').map(Number);
  return (hours * 60 + minutes) * 60 + seconds;
}

export function told({ log }: Pick<Stage, 'log'>, line: RegExp): string[] {
  return log.filter((each) => line.test(each));
}

/** A cluster with one group and a service, `web`, and a newer release than the group runs. */
export function oneGroup(
  world: World,
  { family = 'amazon-linux-2023', tasks = 3, ...group }: Partial<GroupOptions> & OneGroup = {},
): Group {
  world.addCluster('demo');
  const image = world.release(family, { ageDays: 40 });
  const options = { name: 'demo-ecs', cluster: 'demo', image, instances: 4, launchSpec: 'launch-template' };
  const added = world.addGroup({ ...options, ...group } as GroupOptions);
  world.addService('demo', { name: 'web', desiredCount: tasks });
  world.release(family, { ageDays: 3 });
  return added;
}

interface OneGroup {
  readonly family?: Family;
  readonly tasks?: number;
}

/** A group by its name. */
export function groupOf({ world }: Pick<Stage, 'world'>, name = 'demo-ecs'): Group {
  const group = world.state.groups.get(name);
  if (group === undefined) throw new Error(`no group ${name}`);
  return group;
}

export const membersOf = (at: Pick<Stage, 'world'>, name?: string): Instance[] =>
  [...groupOf(at, name).members.values()].map(({ instance }) => instance);

/** Somebody writes tags onto a group. */
export function tagGroup({ tags }: Group, written: Readonly<Record<string, string>>): void {
  for (const [key, value] of Object.entries(written)) tags.set(key, { value, propagatesAtLaunch: false });
}

/** The image that was there first. */
export function oldest({ state }: World): Image {
  const [image] = state.images.values();
  if (image === undefined) throw new Error('no image');
  return image;
}

/** The one template that there is. */
export function templateOf({ state }: World): LaunchTemplate {
  const [template] = state.launchTemplates.values();
  if (template === undefined) throw new Error('no template');
  return template;
}

/** Invokes, and comes back while that goes on, as soon as the first old instance drains. */
export async function rolling(staging: Stage): Promise<{ readonly ended: ReturnType<Stage['invoke']> }> {
  const ended = staging.invoke();
  let drains = false;
  once(staging.world, isDrain, () => {
    drains = true;
  });
  while (!drains) await staging.clock.drive(staging.clock.sleep(5));
  return { ended };
}

export function serviceOf({ state }: World, name: string, cluster = 'demo'): Service {
  const service = state.clusters.get(cluster)?.services.get(name);
  if (service === undefined) throw new Error(`no service ${name}`);
  return service;
}

/** A task of a service that runs on an instance, or on any. */
export function taskOf(world: World, name: string, instanceId?: string): Task {
  const tasks = [...serviceOf(world, name).tasks].filter(
    ({ containerInstance, desiredStatus }) =>
      desiredStatus === 'RUNNING' &&
      containerInstance.instance.id === (instanceId ?? containerInstance.instance.id),
  );
  const [task] = tasks;
  if (task === undefined) throw new Error(`no task of ${name} on ${instanceId}`);
  return task;
}

/** All tasks of a service end by themselves, wherever they run. */
export function crashAll(world: World, name: string): void {
  for (const task of [...serviceOf(world, name).tasks]) if (task.lastStatus === 'RUNNING') crash(world, task);
}

/** The task's process ends by itself, with an error. */
export function crash({ state }: World, task: Task): void {
  endTask(state, task, exited('fault'));
}

/** With its tasks gone, what drains no longer answers its load balancers. */
export function failWhatDrains(world: World): void {
  world.subscribe((event) => {
    if (event.kind !== 'container-instance-changed') return;
    const { status, instance } = event.containerInstance;
    world.loadBalancing.setHealthy(instance.id, status !== 'DRAINING');
  });
}

/** With its tasks gone, what drains fails the application status checks of EC2. */
export function impairWhatDrains(world: World): void {
  world.subscribe((event) => {
    if (event.kind !== 'container-instance-changed') return;
    const { status, instance } = event.containerInstance;
    const isMember = [...world.state.groups.values()].some(({ members }) => members.has(instance.id));
    if (isMember) world.faults.setApplicationStatus(instance.id, status === 'DRAINING' ? 'impaired' : 'ok');
  });
}

/** Something happens to a group a moment after it has found one of its members Unhealthy. */
export function whenUnhealthy(world: World, happens: (group: Group) => void): void {
  const isUnhealthy = ({ members }: Group) =>
    [...members.values()].some(({ healthStatus }) => healthStatus === 'Unhealthy');
  for (const group of world.state.groups.values())
    once(
      world,
      () => isUnhealthy(group),
      () => world.clock.schedule(1, () => happens(group)),
    );
}
