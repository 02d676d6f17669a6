import type { Instance } from '../ec2/model.ts';
import type { Cause } from '../events.ts';
import type { State } from '../state.ts';
import { registerContainerInstance, registrationsOf, setAgentConnected } from './agents.ts';
import { loseTask } from './health.ts';
import { clusterToJoin } from './joining.ts';
import type { Cluster, ContainerInstance } from './model.ts';
import { followRegistration, wipeAgent } from './registration.ts';
import { byUser, hostEnded } from './stops.ts';
import { endTask } from './tasks.ts';
import { touchDaemons, touchService, touchStarved } from './touch.ts';

/** ACTIVE to DRAINING, or back. Either way the services that have to do with it look at it. */
export function setStatus(
  state: State,
  containerInstance: ContainerInstance,
  status: 'ACTIVE' | 'DRAINING',
  cause: Cause,
) {
  if (containerInstance.status === status) return;
  containerInstance.status = status;
  containerInstance.version++;
  state.emit({ kind: 'container-instance-changed', containerInstance, cause });
  for (const { service } of containerInstance.tasks) if (service) touchService(state, service);
  if (status === 'ACTIVE') offerRoom(state, containerInstance.cluster);
}

/** Daemons come first, as their tasks do. */
function offerRoom(state: State, cluster: Cluster) {
  touchDaemons(state, cluster);
  touchStarved(state, cluster);
}

export function dropAgent(state: State, containerInstance: ContainerInstance) {
  setAgentConnected(containerInstance, false);
  state.emit({ kind: 'agent-changed', containerInstance });
}

export function returnAgent(state: State, containerInstance: ContainerInstance) {
  setAgentConnected(containerInstance, true);
  state.emit({ kind: 'agent-changed', containerInstance });
  offerRoom(state, containerInstance.cluster);
}

/** Takes it out of the cluster. Tasks that it still has run on unseen, and ECS has them STOPPED. */
export function deregister(state: State, containerInstance: ContainerInstance, cause: Cause) {
  const { cluster, arn } = containerInstance;
  const orphans = [...containerInstance.tasks];
  containerInstance.status = 'INACTIVE';
  containerInstance.agentConnected = false;
  state.emit({ kind: 'container-instance-deregistered', containerInstance, orphans, cause });
  for (const task of orphans)
    endTask(state, task, byUser('Container instance deregistration forced by user', cause));
  touchDaemons(state, cluster);
  state.after('goneButVisibleSeconds', () => {
    cluster.containerInstances.delete(arn);
  });
}

/** An agent comes up on each instance whose user data have one start, and goes with it. */
export function followHosts(state: State) {
  state.subscribe((event) => {
    if (event.kind === 'instance-running') registerLater(state, event.instance);
    if (event.kind === 'root-volume-replaced') rebuildHost(state, event.instance);
    if (event.kind === 'instance-terminating') loseHost(state, event.instance, event.cause);
  });
}

/** What the agent knew of itself was on the volume, and it registers as if it were new. */
function rebuildHost(state: State, { containerInstance }: Instance) {
  if (!containerInstance) return;
  const tasks = [...containerInstance.tasks];
  state.emit({ kind: 'host-lost', containerInstance, tasks, cause: 'group' });
  for (const task of tasks) loseTask(state, task, 'group');
  wipeAgent(state, containerInstance, 'alive');
}

function registerLater(state: State, instance: Instance) {
  if (!instance.agent || instance.instanceProfile === undefined) return;
  state.after('agentSeconds', () => {
    const isBad = state.images.get(instance.imageId)?.isBad;
    if (isBad || instance.state !== 'running' || instance.containerInstance) return;
    const cluster = clusterToJoin(state, instance);
    if (!cluster) return;
    registerContainerInstance(state, cluster, instance);
    followRegistration(state, instance, cluster);
    offerRoom(state, cluster);
  });
}

/** ECS learns of the end of an instance by its agent. Without one it goes on believing in the tasks. */
function loseHost(state: State, instance: Instance, cause: Cause) {
  for (const one of registrationsOf(instance)) loseRegistration(state, one, cause);
}

function loseRegistration(state: State, containerInstance: ContainerInstance, cause: Cause) {
  const { instance } = containerInstance;
  const tasks = [...containerInstance.tasks];
  state.emit({ kind: 'host-lost', containerInstance, tasks, cause });
  const wasConnected = containerInstance.agentConnected;
  setAgentConnected(containerInstance, false);
  containerInstance.parked.length = 0;
  if (wasConnected) deregisterAfter(state, instance, containerInstance);
  for (const task of tasks)
    if (wasConnected) endTask(state, task, hostEnded(instance, cause));
    else loseTask(state, task, cause);
}

function deregisterAfter(state: State, instance: Instance, containerInstance: ContainerInstance) {
  const unsubscribe = state.subscribe((event) => {
    if (event.kind !== 'instance-terminated' || event.instance !== instance) return;
    unsubscribe();
    if (containerInstance.status !== 'INACTIVE') deregister(state, containerInstance, 'scheduler');
  });
}
