import type { State } from '../state.ts';
import type { ContainerInstance, Deployment, Service, Task } from './model.ts';
import { startTaskLater } from './starts.ts';
import { placeTask } from './tasks.ts';

interface Start {
  readonly place: ContainerInstance;
  readonly slot: number;
  /** Default: the service's latest. */
  readonly deployment?: Deployment;
}

/** One task of a replica service. */
export function startReplicaTask(
  state: State,
  service: Service,
  { place: containerInstance, slot, deployment = service.deployment }: Start,
): Task {
  const { name, cpu } = service;
  const group = `service:${name}`;
  const task = placeTask(state, { containerInstance, service, deployment, group, family: name, cpu, slot });
  startTaskLater(state, task);
  return task;
}
