import type { StateValue } from '@aws-sdk/client-cloudwatch';
import { groupFaultHooks } from './autoscaling/fault-hooks.ts';
import { memberOwnerHooks } from './autoscaling/owner-hooks.ts';
import { processOwnerHooks } from './autoscaling/process-hooks.ts';
import { setAlarm } from './cloudwatch/alarms.ts';
import { terminateInstance } from './ec2/instances.ts';
import type { Instance, Registration, TemplateVersion } from './ec2/model.ts';
import { makeIpv6Native, setFreeAddresses, type Zone, zoneName } from './ec2/subnets.ts';
import { dropAgent, returnAgent, setStatus } from './ecs/container-instances.ts';
import { startDeployment } from './ecs/deployments.ts';
import { taskFailureHooks } from './ecs/failure-hooks.ts';
import { findCluster, findService } from './ecs/lookup.ts';
import type { ContainerInstance, Task } from './ecs/model.ts';
import { ecsOwnerHooks } from './ecs/owner-hooks.ts';
import { wipeAgent } from './ecs/registration.ts';
import { touchService } from './ecs/touch.ts';
import type { State } from './state.ts';

/** What owners of groups and services do, out of the product's hands. */
export function ownerHooks(state: State) {
  return {
    ...processOwnerHooks(state),
    ...memberOwnerHooks(state),
    ...ecsOwnerHooks(state),
    setDesiredCount(cluster: string, serviceName: string, count: number) {
      const service = findService(findCluster(state, cluster), serviceName);
      service.desiredCount = count;
      state.emit({ kind: 'service-changed', service, cause: 'owner' });
      touchService(state, service);
    },
    /** Begins a new deployment: every task of the service is replaced. */
    deploy(cluster: string, serviceName: string) {
      startDeployment(state, findService(findCluster(state, cluster), serviceName));
    },
    setContainerInstanceStatus(id: string, status: 'ACTIVE' | 'DRAINING') {
      setStatus(state, containerInstanceOf(state, id), status, 'owner');
    },
    setTerminationProtection(id: string, isProtected: boolean) {
      instanceOf(state, id).isTerminationProtected = isProtected;
    },
    /** DisableApiStop. */
    setStopProtection(id: string, isProtected: boolean) {
      instanceOf(state, id).isStopProtected = isProtected;
    },
    deregisterImage(imageId: string) {
      const image = state.images.get(imageId);
      if (image) image.state = 'deregistered';
    },
    /** Launch specs go on naming it. */
    deleteInstanceProfile(name: string) {
      state.instanceProfiles.delete(name);
    },
    setLaunchConfigurationQuota(count: number) {
      state.launchConfigurationQuota = count;
    },
    forbidLaunchConfigurations() {
      state.allowsLaunchConfigurations = false;
    },
  };
}

/** What breaks by itself. The invariants set aside what it takes away. */
export function faultHooks(state: State) {
  return {
    ...groupFaultHooks(state),
    ...taskFailureHooks(state),
    /** The instance is gone from one moment to the next, and all that ran on it. */
    killInstance(id: string) {
      terminateInstance(state, instanceOf(state, id), 'fault');
    },
    /** EC2 lists it, and answers changes as if it didn't exist; or no longer. */
    setUnknownToChanges(id: string, isUnknown: boolean) {
      instanceOf(state, id).isUnknownToChanges = isUnknown;
    },
    /** It was just made, and nobody finds it by its number or in a list; or it is there now. */
    setUnseen(version: TemplateVersion, isUnseen: boolean) {
      version.isUnseen = isUnseen;
    },
    /** It was just started, and no list of tasks has it; or they have it now. */
    setUnlisted(task: Task, isUnlisted: boolean) {
      task.isUnlisted = isUnlisted;
    },
    /** EC2 describes no instances of the zone, nor any without their ids; or does again. */
    setZoneDisrupted(zone: Zone, isDisrupted: boolean) {
      const name = zoneName(state, zone);
      if (isDisrupted) state.disruptedZones.add(name);
      else state.disruptedZones.delete(name);
    },
    dropAgent(instanceId: string) {
      dropAgent(state, containerInstanceOf(state, instanceId));
    },
    returnAgent(instanceId: string) {
      returnAgent(state, containerInstanceOf(state, instanceId));
    },
    /**
     * The agent has lost its stored state, and registers again. Its tasks run on unseen, or are gone too; ECS
     * keeps believing in them either way.
     */
    wipeAgent(instanceId: string, tasks: 'alive' | 'lost') {
      wipeAgent(state, containerInstanceOf(state, instanceId), tasks);
    },
    /** How agents on instances launched from it come into their cluster, from now on. */
    setRegistration(imageId: string, registration: Registration) {
      const image = state.images.get(imageId);
      if (image) image.registration = registration;
    },
    /** Tasks of the service that start from now on crash, or no longer do. */
    setCrashing(cluster: string, serviceName: string, isCrashing: boolean) {
      const service = findService(findCluster(state, cluster), serviceName);
      service.isCrashing = isCrashing;
      if (!isCrashing) service.crashes = 0;
    },
    setAlarm(name: string, to: StateValue) {
      setAlarm(state, name, to);
    },
    /** All subnets are for IPv6 alone. */
    makeIpv6Native() {
      makeIpv6Native(state);
    },
    /** Each launch takes one from now on, each instance that is terminated gives one back. */
    setFreeAddresses(subnetId: string, freeAddresses: number) {
      setFreeAddresses(state, subnetId, freeAddresses);
    },
    /** What runs containers on instances launched from it hangs. */
    breakRuntime(imageId: string) {
      const image = state.images.get(imageId);
      if (image) image.hasBrokenRuntime = true;
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

function containerInstanceOf(state: State, id: string): ContainerInstance {
  const { containerInstance } = instanceOf(state, id);
  if (!containerInstance) throw new Error(`${id} has no container instance`);
  return containerInstance;
}
