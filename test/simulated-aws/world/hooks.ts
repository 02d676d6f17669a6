import { findGroup } from './autoscaling/groups.ts';
import type { Group, Member } from './autoscaling/model.ts';
import { touchGroup } from './autoscaling/reconcile.ts';
import { terminateInstance } from './ec2/instances.ts';
import type { Instance } from './ec2/model.ts';
import { setAgentConnected } from './ecs/agents.ts';
import { returnAgent, setStatus } from './ecs/container-instances.ts';
import { findCluster, findService } from './ecs/lookup.ts';
import type { ContainerInstance } from './ecs/model.ts';
import { newDeployment } from './ecs/services.ts';
import { touchService } from './ecs/touch.ts';
import type { State } from './state.ts';

type Sizes = Partial<Pick<Group, 'minSize' | 'maxSize' | 'desiredCapacity'>>;

/** What owners of groups and services do, out of the product's hands. */
export function ownerHooks(state: State) {
  const change = (group: Group) => {
    state.emit({ kind: 'group-written', group, cause: 'owner' });
    touchGroup(state, group);
  };
  const changeMember = (instanceId: string, edit: (member: Member) => void) => {
    const { group, member } = memberOf(state, instanceId);
    edit(member);
    change(group);
  };
  return {
    setSizes(groupName: string, sizes: Sizes) {
      const group = findGroup(state, groupName);
      Object.assign(group, sizes);
      change(group);
    },
    suspend(groupName: string, ...processes: readonly string[]) {
      const group = findGroup(state, groupName);
      for (const process of processes) group.suspendedProcesses.add(process);
      change(group);
    },
    resume(groupName: string, ...processes: readonly string[]) {
      const group = findGroup(state, groupName);
      for (const process of processes) group.suspendedProcesses.delete(process);
      change(group);
    },
    /** The desired capacity goes down with it, as is usual; so nothing is launched in its place. */
    enterStandby: (instanceId: string) =>
      changeMember(instanceId, (member) => {
        member.lifecycleState = 'Standby';
        memberOf(state, instanceId).group.desiredCapacity--;
      }),
    exitStandby: (instanceId: string) =>
      changeMember(instanceId, (member) => {
        member.lifecycleState = 'InService';
        memberOf(state, instanceId).group.desiredCapacity++;
      }),
    protectFromScaleIn: (instanceId: string) =>
      changeMember(instanceId, (member) => {
        member.isProtectedFromScaleIn = true;
      }),
    setDesiredCount(cluster: string, serviceName: string, count: number) {
      const service = findService(findCluster(state, cluster), serviceName);
      service.desiredCount = count;
      state.emit({ kind: 'service-changed', service });
      touchService(state, service);
    },
    /** Begins a new deployment: every task of the service is replaced. */
    deploy(cluster: string, serviceName: string) {
      const service = findService(findCluster(state, cluster), serviceName);
      const { number } = service.deployment;
      service.deployment = newDeployment(state, number + 1);
      touchService(state, service);
    },
    setContainerInstanceStatus(id: string, status: 'ACTIVE' | 'DRAINING') {
      setStatus(state, containerInstanceOf(state, id), status, 'owner');
    },
    deregisterImage(imageId: string) {
      const image = state.images.get(imageId);
      if (image) image.state = 'deregistered';
    },
    forbidLaunchConfigurations() {
      state.allowsLaunchConfigurations = false;
    },
  };
}

/** What breaks by itself. The invariants set aside what it takes away. */
export function faultHooks(state: State) {
  return {
    /** The instance is gone from one moment to the next, and all that ran on it. */
    killInstance(id: string) {
      terminateInstance(state, instanceOf(state, id), 'fault');
    },
    dropAgent(instanceId: string) {
      setAgentConnected(containerInstanceOf(state, instanceId), false);
    },
    returnAgent(instanceId: string) {
      returnAgent(state, containerInstanceOf(state, instanceId));
    },
    /** Tasks of the service that start from now on crash, or no longer do. */
    setCrashing(cluster: string, serviceName: string, isCrashing: boolean) {
      const service = findService(findCluster(state, cluster), serviceName);
      service.isCrashing = isCrashing;
      if (!isCrashing) service.crashes = 0;
    },
    /** No agent comes up on instances launched from it. */
    spoilImage(imageId: string) {
      const image = state.images.get(imageId);
      if (image) image.isBad = true;
    },
  };
}

function instanceOf(state: State, id: string): Instance {
  const instance = state.instances.get(id);
  if (!instance) throw new Error(`No instance ${id}`);
  return instance;
}

function memberOf(state: State, id: string): { group: Group; member: Member } {
  const group = instanceOf(state, id).launchedBy;
  const member = group?.members.get(id);
  if (!group || !member) throw new Error(`${id} is a member of no group`);
  return { group, member };
}

function containerInstanceOf(state: State, id: string): ContainerInstance {
  const { containerInstance } = instanceOf(state, id);
  if (!containerInstance) throw new Error(`${id} has no container instance`);
  return containerInstance;
}
