import type { AvailabilityZoneRebalancing } from '@aws-sdk/client-ecs';
import type { Instance } from '../ec2/model.ts';
import type { State } from '../state.ts';
import { deleteCluster } from './cluster-deletion.ts';
import { deregister } from './container-instances.ts';
import { type DeploymentOptions, startDeployment } from './deployments.ts';
import { fargateHost } from './hosts.ts';
import { findCluster, findServiceAnywhere, findTask } from './lookup.ts';
import type { ContainerInstance } from './model.ts';
import { continueDeployment } from './pauses.ts';
import { protectTask, unprotectTask } from './protection.ts';
import { deleteService } from './service-deletion.ts';
import { changeZoneRebalancing } from './services.ts';
import { neverPlaced } from './stops.ts';
import { endTask, placeTask } from './tasks.ts';
import { touchStarved } from './touch.ts';

/** Services go by ARN, or by a name that no other cluster has a service of. */
export function ecsOwnerHooks(state: State) {
  return {
    /** Every task of the service is replaced: by a second deployment, or by a second task set. */
    startDeployment(service: string, options?: DeploymentOptions) {
      startDeployment(state, findServiceAnywhere(state, service), options);
    },
    /** What a pause hook waits for. */
    continueDeployment(service: string, action: 'CONTINUE' | 'ROLLBACK') {
      continueDeployment(state, findServiceAnywhere(state, service), action);
    },
    setAvailabilityZoneRebalancing(service: string, to: AvailabilityZoneRebalancing) {
      changeZoneRebalancing(state, findServiceAnywhere(state, service), to);
    },
    /** With its tasks. */
    deleteService(service: string) {
      deleteService(state, findServiceAnywhere(state, service), 'owner');
    },
    /** With its services, tasks and container instances; what EC2 and Auto Scaling have of it stays. */
    deleteCluster(cluster: string) {
      deleteCluster(state, findCluster(state, cluster));
    },
    /** By force: whatever tasks ECS believes in there. */
    deregister(containerInstance: ContainerInstance) {
      deregister(state, containerInstance, 'owner');
    },
    /** For 1 to 2880 minutes from now. */
    protectTask(taskArn: string, minutes: number) {
      protectTask(state, findTask(state, taskArn), minutes);
    },
    /** As PutAttributes does: what is launched later doesn't get it. */
    putAttribute(instance: Instance, name: string, value?: string) {
      const { containerInstance } = instance;
      if (!containerInstance) throw new Error(`${instance.id} is not registered`);
      containerInstance.attributes.set(name, value);
      touchStarved(state, containerInstance.cluster);
    },
    /** Of no service. ECS gives it up, as no instance of its capacity provider has what it needs. */
    runTaskThatFitsNowhere(cluster: string) {
      const containerInstance = { ...fargateHost(findCluster(state, cluster)), launchType: 'EC2' as const };
      const job = { family: 'job', group: 'family:job', service: undefined, cpu: 0, slot: 0 };
      const task = placeTask(state, { ...job, containerInstance });
      endTask(state, task, neverPlaced('RESOURCE:CPU'));
    },
    unprotectTask(taskArn: string) {
      unprotectTask(state, findTask(state, taskArn));
    },
  };
}
