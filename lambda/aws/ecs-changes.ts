import {
  type ContainerInstanceStatus,
  DeregisterContainerInstanceCommand,
  StopTaskCommand,
  UpdateContainerInstancesStateCommand,
} from '@aws-sdk/client-ecs';
import type { ContainerInstance, Task } from '../core/model/cluster.ts';
import { piecesOf } from '../core/model/pieces.ts';
import type { Aws } from './clients.ts';
import { sentenceOf } from './ecs.ts';
import { hasCode, orAlreadyDone, orStale, StaleObservation } from './errors.ts';

/** Limit of state changes in a call. */
const CHANGE_BATCH = 10;

/** Longest reason for stopping a task, in characters. */
const REASON = 255;

/** AWS doesn't say by which of them it refuses a container instance that is in another state. */
const REFUSED = ['InvalidParameterException', 'ClientException'] as const;

/** @throws StaleObservation if one of them is no longer ACTIVE */
export function drain(
  aws: Aws,
  cluster: string,
  containerInstances: readonly ContainerInstance[],
): Promise<void> {
  return setStatus(aws, cluster, containerInstances, 'DRAINING');
}

/**
 * Undoes a drain: ECS places tasks on them again. Tasks that stopped meanwhile don't come back.
 *
 * @throws StaleObservation if one of them is no longer DRAINING, or deregistered
 */
export function activate(
  aws: Aws,
  cluster: string,
  containerInstances: readonly ContainerInstance[],
): Promise<void> {
  return setStatus(aws, cluster, containerInstances, 'ACTIVE');
}

async function setStatus(
  { ecs }: Aws,
  cluster: string,
  instances: readonly ContainerInstance[],
  status: ContainerInstanceStatus,
): Promise<void> {
  const arns = instances.map(({ arn }) => arn);
  for (const containerInstances of piecesOf(arns, CHANGE_BATCH)) {
    const change = ecs.send(
      new UpdateContainerInstancesStateCommand({ cluster, containerInstances, status }),
    );
    const { failures } = await orStale(change, ...REFUSED);
    const [failure] = failures ?? [];
    if (failure !== undefined)
      throw new StaleObservation(sentenceOf('UpdateContainerInstancesState', failure), { cause: failure });
  }
}

/**
 * Deregisters a container instance, never with force: ECS would forget tasks that keep running.
 *
 * @param mayStay nothing that runs depends on this registration, and AWS doesn't document whether it
 *   accepts the call in this state: a refusal is no error, and the registration stays
 * @throws StaleObservation if a task runs on it, or it is already deregistered
 */
export async function deregister(
  { ecs }: Aws,
  cluster: string,
  instance: ContainerInstance,
  mayStay = false,
): Promise<void> {
  const input = { cluster, containerInstance: instance.arn };
  const change = ecs.send(new DeregisterContainerInstanceCommand(input));
  await (mayStay ? orAlreadyDone(change, ...REFUSED) : orStale(change, ...REFUSED));
}

/**
 * Stops tasks one by one. One that has stopped or is gone is no error.
 *
 * @param because the reason that ECS will show for each of them; cut off if too long
 */
export async function stopTasks(
  { ecs }: Aws,
  cluster: string,
  tasks: readonly Task[],
  because: string,
): Promise<void> {
  for (const { arn } of tasks) {
    try {
      await ecs.send(new StopTaskCommand({ cluster, task: arn, reason: because.slice(0, REASON) }));
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
}

/** ECS has no separate code for a task that is gone: `The referenced task was not found`. */
function isGone(error: unknown): boolean {
  return (
    hasCode(error, 'InvalidParameterException', 'ClientException') &&
    /task was not found/i.test(error.message)
  );
}
