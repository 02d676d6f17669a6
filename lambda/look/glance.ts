import { type DescribedGroup, describeGroups } from '../aws/autoscaling.ts';
import type { Aws } from '../aws/clients.ts';
import { listContainerInstances } from '../aws/ecs.ts';
import { describeServices } from '../aws/services.ts';
import { describeTasks } from '../aws/tasks.ts';
import { isSteady } from '../core/group/steadiness.ts';
import type { ContainerInstance, Service, Task } from '../core/model/cluster.ts';
import type { Member } from '../core/model/group.ts';
import type { WaitsFor } from '../core/model/waits-for.ts';

/** What a whole look saw, as far as a glance compares it. */
export interface Seen {
  readonly cluster: string;
  readonly records: readonly DescribedGroup[];
  readonly containerInstances: readonly ContainerInstance[];
}

/**
 * Whether anything has changed that may end a wait: one or two calls rather than a whole look. Nothing is
 * decided by a glance; it only spares looks that would come to the same as the last.
 *
 * @param withGroups reads what Auto Scaling says of the groups, and their tags, even if nothing waits for it
 */
export async function hasChanged(
  aws: Aws,
  seen: Seen,
  waits: readonly WaitsFor[],
  withGroups: boolean,
): Promise<boolean> {
  if ((withGroups || waits.some(({ group }) => group)) && (await haveGroupsChanged(aws, seen, waits)))
    return true;
  const tasks = waits.flatMap((each) => each.tasks);
  if (tasks.length > 0 && (await haveTasksMoved(aws, seen, tasks))) return true;
  const services = waits.flatMap((each) => each.services);
  if (services.length > 0 && (await haveServicesChanged(aws, seen, services))) return true;
  const lacking = waits.reduce((sum, { registrations }) => sum + registrations, 0);
  return lacking > 0 && (await newcomers(aws, seen)) >= lacking;
}

async function haveGroupsChanged(aws: Aws, { records }: Seen, waits: readonly WaitsFor[]): Promise<boolean> {
  const now = await describeGroups(
    aws,
    records.map(({ name }) => name),
  );
  const gist = waits.some(({ registrations }) => registrations > 0) ? gistBefore : gistOf;
  return !isSame(now.map(gist), records.map(gist));
}

/** While registrations are lacking, it doesn't matter whether all members are in service. */
function gistBefore(record: DescribedGroup): object {
  return { ...gistOf(record), isWhole: undefined };
}

/** Members that are on their way don't matter before all are there; whatever else becomes of one does. */
function gistOf({ members, desiredCapacity, ...rest }: DescribedGroup): object {
  const isServing = ({ lifecycleState, healthy }: Member) => lifecycleState === 'InService' && healthy;
  const isComing = ({ lifecycleState }: Member) => lifecycleState.startsWith('Pending');
  const isWhole = members.length >= desiredCapacity && members.every(isServing);
  const others = members.filter((each) => !isServing(each) && !isComing(each));
  return { ...rest, desiredCapacity, isWhole, others };
}

/** Whether on some instance the last task began to stop, or stopped. */
async function haveTasksMoved(aws: Aws, { cluster }: Seen, before: readonly Task[]): Promise<boolean> {
  const arns = before.map(({ arn }) => arn);
  return !isSame(stagesOf(await describeTasks(aws, cluster, arns)), stagesOf(before));
}

function stagesOf(tasks: readonly Task[]): object {
  const hosts = [...new Set(tasks.map((each) => each.containerInstanceArn))].sort();
  return hosts.map((arn) => {
    const ofHost = tasks.filter(({ containerInstanceArn }) => containerInstanceArn === arn);
    return { arn, isStopping: ofHost.every(({ stopping }) => stopping) };
  });
}

async function haveServicesChanged(
  aws: Aws,
  { cluster }: Seen,
  before: readonly Service[],
): Promise<boolean> {
  const names = [...new Set(before.map(({ name }) => name))].sort();
  const now = await describeServices(aws, cluster, names);
  const steadiness = (services: readonly Service[]) =>
    names.map((name) => services.filter((each) => each.name === name).some(isSteady));
  return !isSame(steadiness(now), steadiness(before));
}

async function newcomers(aws: Aws, { cluster, containerInstances }: Seen): Promise<number> {
  const known = new Set(containerInstances.map(({ arn }) => arn));
  return (await listContainerInstances(aws, cluster)).filter((arn) => !known.has(arn)).length;
}

function isSame(now: object, before: object): boolean {
  return JSON.stringify(now) === JSON.stringify(before);
}
