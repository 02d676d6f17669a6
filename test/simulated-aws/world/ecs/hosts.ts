import type { Instance } from '../ec2/model.ts';
import type { Cluster, ContainerInstance, LaunchType } from './model.ts';

/** A host that EC2 knows nothing of. */
export function hostOutsideEc2(id: string): Instance {
  return {
    id,
    imageId: '',
    instanceType: 'external',
    availabilityZone: '',
    launchedAtMs: 0,
    tags: new Map(),
    blockDeviceMappings: [],
    state: 'running',
    launchedBy: undefined,
    launchedFrom: undefined,
    operator: undefined,
    isSpot: false,
    isTerminationProtected: false,
    isUnknownToChanges: false,
    isStopProtected: false,
    containerInstance: undefined,
    privateIpAddress: undefined,
    addresses: 0,
    registrations: [],
    userData: undefined,
    agent: undefined,
    instanceProfile: undefined,
    securityGroups: [],
  };
}

/** External instances have Systems Manager ids. */
export function launchTypeOf({ id, operator }: Instance): LaunchType {
  if (id.startsWith('mi-')) return 'EXTERNAL';
  return operator === undefined ? 'EC2' : 'MANAGED_INSTANCES';
}

/** Each Fargate task has its own machine, which ECS doesn't show, and which the cluster has no record of. */
export function fargateHost(cluster: Cluster): ContainerInstance {
  return {
    arn: '',
    cluster,
    instance: hostOutsideEc2('fargate'),
    launchType: 'FARGATE',
    capacityProviderName: undefined,
    registeredAtMs: 0,
    attributes: new Map(),
    cpu: Number.POSITIVE_INFINITY,
    memory: Number.POSITIVE_INFINITY,
    gpus: 0,
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
}
