import {
  DescribeTasksCommand,
  type Failure,
  GetTaskProtectionCommand,
  ListTasksCommand,
  type ListTasksRequest,
} from '@aws-sdk/client-ecs';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import { assertAtMost, createPager } from '../paging.ts';
import type { State } from '../state.ts';
import { describeTask, startedByOf } from './descriptions.ts';
import {
  findByArn,
  findCluster,
  findService,
  foundOrMissing,
  invalidParameter,
  PAGE_CODES,
} from './lookup.ts';
import { type Cluster, hasStopped, isReplicaTask, type Task } from './model.ts';
import { describeProtection } from './protection.ts';

const INVALID = 'InvalidParameterException';

export function taskReadOperations(state: State): Operation[] {
  const find = (cluster: Cluster, names: readonly string[], isThere: (task: Task) => boolean = () => true) =>
    foundOrMissing(
      names,
      (name) => {
        const task = findByArn(cluster.tasks, name);
        return task && isThere(task) ? task : undefined;
      },
      (name) => `arn:aws:ecs:${state.region}:${state.account}:task/${cluster.name}/${name}`,
    );

  return [
    listTasks(state),

    on(DescribeTasksCommand, { tasks: 'all', cluster: 'all', include: ['TAGS'] }, (input) => {
      const cluster = findCluster(state, input.cluster);
      const names = input.tasks ?? [];
      // ledger: describe-tasks-most
      assertAtMost(100, names, INVALID, 'Tasks');
      const { found, failures } = find(cluster, names);
      const asFailures = state.readings.tasksNeverPlaced === 'failures' ? found.filter(wasNeverPlaced) : [];
      const described = found.filter((task) => !asFailures.includes(task));
      return {
        tasks: described.map((task) => describeTask(state, task)),
        failures: [...failures, ...asFailures.map(notPlaced)],
      };
    }),

    on(GetTaskProtectionCommand, 'all', (input) => {
      const cluster = findCluster(state, input.cluster);
      const names = input.tasks ?? [];
      // ledger: get-protection-none
      if (names.length === 0) throw invalidParameter('Tasks cannot be empty.');
      // ledger: get-protection-most
      assertAtMost(100, names, INVALID, 'Tasks');
      const { protectionOfStopped } = state.readings;
      const isThere = (task: Task) => protectionOfStopped === 'told' || !hasStopped(task);
      const { found, failures } = find(cluster, names, isThere);
      // ledger: get-protection-not-found
      if (failures.length > 0 && protectionOfStopped === 'refused')
        throw new AwsError('ResourceNotFoundException', `${failures.map(({ arn }) => arn)} not found.`);
      return {
        protectedTasks: found.filter(isReplicaTask).map((task) => describeProtection(state, task)),
        failures: [...failures, ...found.filter((task) => !isReplicaTask(task)).map(notValid)],
      };
    }),
  ];
}

function wasNeverPlaced({ stopCode, containerInstance }: Task): boolean {
  return stopCode === 'TaskFailedToStart' && containerInstance.arn === '';
}

/** https://docs.aws.amazon.com/AmazonECS/latest/developerguide/api_failures_messages.html */
function notPlaced({ arn, stopCode, stoppedReason }: Task): Failure {
  return { arn, reason: `${stopCode}: ${stoppedReason}` };
}

/** https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_GetTaskProtection.html */
const notValid = ({ arn }: Task): Failure => ({ arn, reason: 'TASK_NOT_VALID' });

function listTasks(state: State): Operation {
  const page = createPager<string>('ListTasks', {
    default: 100,
    max: 100,
    ...PAGE_CODES,
  });
  return on(
    ListTasksCommand,
    {
      cluster: 'all',
      containerInstance: 'all',
      family: 'all',
      startedBy: 'all',
      serviceName: 'all',
      desiredStatus: 'all',
      launchType: 'all',
      nextToken: 'all',
      maxResults: 'all',
    },
    (input) => {
      const cluster = findCluster(state, input.cluster);
      const { desiredStatus = 'RUNNING', family, launchType, startedBy } = input;
      assertAlone(input);
      const tasks = tasksOf(state, cluster, input).filter(
        (task) =>
          task.desiredStatus === desiredStatus &&
          !task.isUnlisted &&
          (family ?? task.family) === task.family &&
          (startedBy ?? startedByOf(task)) === startedByOf(task) &&
          (launchType ?? task.containerInstance.launchType) === task.containerInstance.launchType,
      );
      const { items, token } = page(
        tasks.map(({ arn }) => arn),
        { limit: input.maxResults, token: input.nextToken },
      );
      return { taskArns: [...items], nextToken: token };
    },
  );
}

/** "When you specify startedBy as the filter, it must be the only filter that you use." */
function assertAlone({ startedBy, containerInstance, family, serviceName }: ListTasksRequest) {
  // ledger: list-tasks-started-by-alone
  if (startedBy !== undefined && (containerInstance ?? family ?? serviceName) !== undefined)
    throw invalidParameter('startedBy cannot be combined with other filters.');
}

/** The few that are alive are held by whose they are; only for STOPPED ones all are gone through. */
function tasksOf(
  { readings }: State,
  cluster: Cluster,
  { containerInstance: instanceName, serviceName, desiredStatus }: ListTasksRequest,
): Task[] {
  const service = serviceName === undefined ? undefined : findService(cluster, serviceName);
  const instance =
    instanceName === undefined ? undefined : findByArn(cluster.containerInstances, instanceName);
  const isGone = instance?.status === 'INACTIVE' && readings.tasksOfDeregistered === 'refused';
  // ledger: list-tasks-instance-none
  if (instanceName !== undefined && (!instance || isGone))
    throw invalidParameter('Container instance not found.');
  const alive = desiredStatus === 'STOPPED' ? undefined : (instance?.tasks ?? service?.tasks);
  const found: Task[] = [];
  for (const task of alive ?? cluster.tasks.values())
    if (
      (service ?? task.service) === task.service &&
      (instance ?? task.containerInstance) === task.containerInstance
    )
      found.push(task);
  return found;
}
