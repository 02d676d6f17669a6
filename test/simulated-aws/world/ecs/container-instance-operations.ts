import {
  DeregisterContainerInstanceCommand,
  DescribeContainerInstancesCommand,
  type Failure,
  ListContainerInstancesCommand,
  UpdateContainerInstancesStateCommand,
} from '@aws-sdk/client-ecs';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import { assertAtMost, createPager } from '../paging.ts';
import type { State } from '../state.ts';
import { selects } from './constraints.ts';
import { deregister, setStatus } from './container-instances.ts';
import { describeContainerInstance, describeHealth } from './descriptions.ts';
import { findByArn, findCluster, foundOrMissing, invalidParameter, PAGE_CODES } from './lookup.ts';
import type { Cluster, ContainerInstance } from './model.ts';
import { stopTaskOperation } from './stop-task-operation.ts';

const INVALID = 'InvalidParameterException';

export function containerInstanceOperations(state: State): Operation[] {
  const find = (cluster: Cluster, names: readonly string[]) =>
    foundOrMissing(
      names,
      (name) => findByArn(cluster.containerInstances, name),
      (name) => `arn:aws:ecs:${state.region}:${state.account}:container-instance/${cluster.name}/${name}`,
    );

  return [
    listContainerInstances(state),
    stopTaskOperation(state),

    on(
      DescribeContainerInstancesCommand,
      { containerInstances: 'all', cluster: 'all', include: ['TAGS', 'CONTAINER_INSTANCE_HEALTH'] },
      (input) => {
        const cluster = findCluster(state, input.cluster);
        const names = input.containerInstances ?? [];
        // ledger: describe-hosts-none
        if (names.length === 0) throw invalidParameter('Instances cannot be empty.');
        // ledger: describe-hosts-most
        assertAtMost(100, names, INVALID, 'Container instances');
        const { found, failures } = find(cluster, names);
        const isAsked = input.include?.includes('CONTAINER_INSTANCE_HEALTH') ?? false;
        const containerInstances = found.map((one) => ({
          ...describeContainerInstance(state, one),
          ...(isAsked && { healthStatus: describeHealth(state, one) }),
        }));
        return { containerInstances, failures };
      },
    ),

    on(UpdateContainerInstancesStateCommand, 'all', (input) => {
      const cluster = findCluster(state, input.cluster);
      const names = input.containerInstances ?? [];
      // ledger: update-state-most
      assertAtMost(10, names, INVALID, 'Container instances');
      const { status } = input;
      // ledger: update-state-values
      if (status !== 'ACTIVE' && status !== 'DRAINING')
        throw invalidParameter('Container instance status should be one of [ACTIVE, DRAINING]');
      const { found, failures } = find(cluster, names);
      const isAgain = (one: ContainerInstance) => status === 'DRAINING' && one.status === 'DRAINING';
      const unfit = found.find((one) => isBetween(one) || (isAgain(one) && !state.readings.drainsAgain));
      // ledger: update-state-between
      if (unfit)
        throw new AwsError(
          state.readings.stateRefusedAs,
          `Container instance ${unfit.arn} is ${unfit.status}.`,
        );
      const live = found.filter((one) => one.status !== 'INACTIVE');
      for (const one of live) setStatus(state, one, status, 'call');
      const inactive: Failure[] = found
        .filter((one) => one.status === 'INACTIVE')
        .map(({ arn }) => ({ arn, reason: 'INACTIVE' }));
      return {
        containerInstances: live.map((one) => describeContainerInstance(state, one)),
        failures: [...failures, ...inactive],
      };
    }),

    on(DeregisterContainerInstanceCommand, 'all', (input) => {
      const cluster = findCluster(state, input.cluster);
      const name = input.containerInstance ?? '';
      const found = findByArn(cluster.containerInstances, name);
      // ledger: deregister-unknown
      if (!found) throw invalidParameter('Container instance not found.');
      // ledger: deregister-inactive
      if (found.status === 'INACTIVE')
        throw new AwsError('ClientException', `Container instance ${name} is inactive.`);
      // ledger: deregister-between
      if (isBetween(found) && !state.readings.deregistersUnready)
        throw invalidParameter(`Container instance ${name} is ${found.status}.`);
      const running = [...found.tasks].filter(
        ({ desiredStatus }) => desiredStatus === 'RUNNING' || !state.readings.deregistersStopping,
      );
      // ledger: deregister-tasks
      if (running.length > 0 && !input.force) throw invalidParameter('Found running tasks on the instance.');
      deregister(state, found, 'call');
      return { containerInstance: describeContainerInstance(state, found) };
    }),
  ];
}

/**
 * Its status can't be changed, and it has no tasks: "you can describe the container instance but can't
 * update" it.
 */
function isBetween({ status }: ContainerInstance): boolean {
  return status === 'REGISTERING' || status === 'REGISTRATION_FAILED' || status === 'DEREGISTERING';
}

function listContainerInstances(state: State): Operation {
  const page = createPager<string>('ListContainerInstances', {
    default: 100,
    max: 100,
    ...PAGE_CODES,
  });
  return on(ListContainerInstancesCommand, 'all', (input) => {
    const cluster = findCluster(state, input.cluster);
    const isSelected = input.filter === undefined ? () => true : selects(input.filter);
    const isListed = (one: ContainerInstance) =>
      one.status !== 'INACTIVE' && (input.status ?? one.status) === one.status && isSelected(one);
    const arns = [...cluster.containerInstances.values()].filter(isListed).map(({ arn }) => arn);
    const { items, token } = page(arns, {
      limit: input.maxResults,
      token: input.nextToken,
    });
    return { containerInstanceArns: [...items], nextToken: token };
  });
}
