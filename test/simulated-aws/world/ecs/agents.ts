import { capacityOf } from '../ec2/instance-types.ts';
import type { Instance } from '../ec2/model.ts';
import type { State } from '../state.ts';
import { arnIn } from './arns.ts';
import { attributesAt } from './attributes.ts';
import { capacityProviderOf } from './capacity-providers.ts';
import { launchTypeOf } from './hosts.ts';
import type { Cluster, ContainerInstance } from './model.ts';

const CPU_UNITS_PER_VCPU = 1024;

export function registerContainerInstance(
  state: State,
  cluster: Cluster,
  instance: Instance,
): ContainerInstance {
  const id = state.ids.next('', 32);
  const { vcpus, memoryMib } = capacityOf(instance.instanceType);
  const containerInstance: ContainerInstance = {
    arn: arnIn(state, cluster, 'container-instance', id, !state.hasLongArns),
    cluster,
    instance,
    launchType: launchTypeOf(instance),
    capacityProviderName: capacityProviderOf(state, instance)?.name,
    registeredAtMs: state.clock.now(),
    attributes: attributesAt(state, instance),
    cpu: vcpus * CPU_UNITS_PER_VCPU,
    memory: memoryMib - (state.images.get(instance.imageId)?.kernelMemoryMib ?? 0),
    gpus: hasGpus(state, instance) ? 1 : 0,
    reservedCpu: 0,
    queue: [],
    tasks: new Set(),
    pulled: new Set(),
    parked: [],
    status: 'ACTIVE',
    statusReason: undefined,
    agentConnected: true,
    isForsaken: false,
    version: 1,
  };
  instance.containerInstance = containerInstance;
  instance.registrations.push(containerInstance);
  cluster.containerInstances.set(containerInstance.arn, containerInstance);
  state.emit({ kind: 'container-instance-changed', containerInstance, cause: 'scheduler' });
  return containerInstance;
}

/**
 * The registrations of an instance that ECS still has: more than one once its agent has lost what it kept of
 * itself, or has made its call twice. https://github.com/aws/amazon-ecs-agent/issues/782
 */
export function registrationsOf({ registrations }: Instance): ContainerInstance[] {
  return registrations.filter(({ status }) => status !== 'INACTIVE');
}

/** As its agent finds. https://docs.aws.amazon.com/AmazonECS/latest/developerguide/container-instance-health.html */
export function isImpaired({ images }: State, { instance }: ContainerInstance): boolean {
  return images.get(instance.imageId)?.hasBrokenRuntime ?? false;
}

/** It takes both, the devices and an image with their driver. */
function hasGpus(state: State, { imageId, instanceType }: Instance): boolean {
  const image = state.images.get(imageId);
  const hasDriver = image?.family === undefined || /gpu|nvidia/.test(image.family);
  return /^(g|p)\d/.test(instanceType) && hasDriver && !image?.lackedCapabilities.has('gpu');
}

/** Does `step` now, or when the agent is back. */
export function whenConnected(containerInstance: ContainerInstance, step: () => void) {
  if (containerInstance.agentConnected) step();
  else containerInstance.parked.push(step);
}

export function setAgentConnected(containerInstance: ContainerInstance, isConnected: boolean) {
  containerInstance.agentConnected = isConnected;
  containerInstance.version++;
  if (!isConnected) return;
  for (const step of containerInstance.parked.splice(0)) step();
}
