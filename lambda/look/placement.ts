import type { Aws } from '../aws/clients.ts';
import { listRunningTasks, TASKS_PER_PAGE } from '../aws/task-lists.ts';
import { describeTaskGroups, describeTasks } from '../aws/tasks.ts';
import { isConcerned, withDetails } from '../core/group/assess.ts';
import { readiness } from '../core/group/readiness.ts';
import type { Assessment, ClusterAssessment } from '../core/model/assessment.ts';
import type { ContainerInstance, Movable, Service } from '../core/model/cluster.ts';
import type { Observation } from '../core/model/observation.ts';
import { instanceIdsOf, isHost } from '../core/model/registrations.ts';
import { groupOfService } from '../core/model/task-group.ts';
import { isOver } from '../core/model/time.ts';
import { inTurn, strandedOn, type TaskDefinitions } from '../core/placement/stranded.ts';
import type { Memory } from './memory.ts';
import { listTasksOnSome, noteBeforeDrain, withProtection } from './tasks.ts';

/**
 * Before instances drain, compares what their services need with what other instances have, and asks which of
 * their tasks are protected. Reads tasks and task definitions only then.
 */
export async function withPlacement(
  aws: Aws,
  assessed: ClusterAssessment,
  memory: Memory,
): Promise<ClusterAssessment> {
  const { tasksSeen, taskDefinitions, tasksRead: read } = memory;
  const { observation } = assessed;
  const { cluster, containerInstances, details: { services = [], tasks: running = [] } = {} } = observation;
  const turns = assessed.groups.filter(isConcerned).flatMap((each) => inTurn(each));
  const active = containerInstances.filter(
    ({ instanceId, status }) => status === 'ACTIVE' && turns.some((each) => each.instanceId === instanceId),
  );
  if (active.length === 0) return assessed;
  const held = new Set(turns.flatMap((each) => (each.mark.drainGivenUpAt ? [each.instanceId] : [])));
  const next = active.filter(({ instanceId }) => !held.has(instanceId));
  const listed =
    next.length === 0 ? [] : await listTasksOnSome(aws, observation, next, read, read.stopped.has(cluster));
  const hosts = new Set(next.map(({ arn }) => arn));
  // What runs on them now need not be there once they drain.
  const seen = { ...tasksSeen, servicesOn: new Map(), read };
  const described = await describeTasks(aws, cluster, listed, seen);
  const onHosts = described.filter((each) => hosts.has(each.containerInstanceArn));
  const tasksInTurn = await withProtection(aws, cluster, onHosts);
  noteBeforeDrain(memory, next, tasksInTurn);
  const tasks = [...running, ...tasksInTurn];
  const names = new Set(tasks.map(({ group }) => group));
  await taskDefinitions.learn(services.filter(({ name }) => names.has(groupOfService(name))));
  return withDetails(assessed, { tasksInTurn, stranded: strandedOn(assessed, tasks, taskDefinitions.known) });
}

/** Tasks that come or go meanwhile make more or fewer drain at once; nothing else rests on them. */
const LIST_SECONDS = 60;

/** Before instances are chosen to drain, reads what would move off them if that decides how many. */
export async function withMovable(
  aws: Aws,
  assessed: ClusterAssessment,
  memory: Memory,
): Promise<ClusterAssessment> {
  const { taskDefinitions, taskGroups } = memory;
  const { observation } = assessed;
  const { containerInstances, details: { services, tasks = [] } = {} } = observation;
  const leaving = assessed.groups.filter(isConcerned).filter(needsMovable);
  const ids = new Set(instanceIdsOf(leaving.flatMap(({ classified }) => classified.leaving)));
  const hosts = containerInstances.filter((each) => isHost(each) && ids.has(each.instanceId));
  if (services === undefined || hosts.length === 0) return assessed;
  const active = hosts.filter(({ status }) => status === 'ACTIVE');
  await learnGroups(aws, observation, services, active, memory);
  const groupsOn = ({ arn, status }: ContainerInstance) =>
    status === 'ACTIVE'
      ? (taskGroups.get(arn)?.groups ?? [])
      : tasks.filter((each) => each.containerInstanceArn === arn && !each.stopping).map(({ group }) => group);
  const found = new Map(hosts.map((host) => [host.arn, groupsOn(host)]));
  const names = new Set([...found.values()].flat());
  const moving = services.filter(({ name, daemon }) => !daemon && names.has(groupOfService(name)));
  await taskDefinitions.learn(moving);
  const known = new Map(
    moving.map((each) => [groupOfService(each.name), movableOf(each, taskDefinitions.known)]),
  );
  const movable = [...found].map(
    ([arn, groups]) => [arn, groups.flatMap((group) => known.get(group) ?? [])] as const,
  );
  return withDetails(assessed, { movable: new Map(movable) });
}

/** Lists the tasks of the whole cluster if that takes fewer pages than instance by instance. */
async function learnGroups(
  aws: Aws,
  { cluster, now }: Observation,
  services: readonly Service[],
  active: readonly ContainerInstance[],
  { taskGroups: known, tasksRead: read }: Memory,
): Promise<void> {
  const due = active.filter(({ arn }) => {
    const at = known.get(arn)?.at;
    return at === undefined || isOver(at, LIST_SECONDS, now);
  });
  if (due.length === 0) return;
  const own = services.reduce((sum, { runningCount }) => sum + runningCount, 0);
  const pages = Math.max(own, read.inCluster.get(cluster) ?? 0) / TASKS_PER_PAGE;
  const arns = await listRunningTasks(aws, cluster, pages < due.length ? undefined : due, read);
  const tasks = await describeTaskGroups(aws, cluster, arns);
  for (const { arn } of due) known.set(arn, { groups: tasks.get(arn) ?? [], at: now });
}

function movableOf({ name, placement }: Service, definitions: TaskDefinitions): Movable {
  const definition = definitions.get(placement?.taskDefinition ?? '');
  return {
    service: name,
    ...(definition && { needs: definition.resources }),
    exclusive: placement?.distinctInstance === true || definition?.bindsHostPorts === true,
  };
}

/** Whether it will need to know what would move off instances that wait for their turn to drain. */
function needsMovable(assessment: Assessment): boolean {
  const { settings, classified } = assessment;
  return (
    settings.drainConcurrency === 'auto' &&
    classified.leaving.length > 1 &&
    readiness(assessment).length === 0
  );
}
