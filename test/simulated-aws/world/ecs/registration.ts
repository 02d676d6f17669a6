import { attachInterface } from '../ec2/instances.ts';
import type { Instance } from '../ec2/model.ts';
import type { State } from '../state.ts';
import { registerContainerInstance, setAgentConnected } from './agents.ts';
import { loseTask } from './health.ts';
import type { Cluster, ContainerInstance } from './model.ts';
import { touchDaemons, touchStarved } from './touch.ts';

/** What becomes of an instance's first registration, depending on its image. */
export function followRegistration(state: State, instance: Instance, cluster: Cluster) {
  const { containerInstance: first } = instance;
  if (first === undefined) return;
  switch (state.images.get(instance.imageId)?.registration) {
    case 'twice':
      forsake(state, first);
      return void registerContainerInstance(state, cluster, instance);
    case 'twice-the-first-alive':
      forsake(state, registerContainerInstance(state, cluster, instance));
      instance.containerInstance = first;
      return;
    case 'trunked':
      attachInterface(state, instance);
      first.attributes.set('ecs.awsvpc-trunk-id', 'eni-00000000000000001');
      return becomeLater(state, first, 'ACTIVE');
    case 'trunk-fails':
      return becomeLater(state, first, 'REGISTRATION_FAILED');
    case 'trunk-hangs':
      return become(state, first, 'REGISTERING');
    default:
      return;
  }
}

function forsake(state: State, containerInstance: ContainerInstance) {
  setAgentConnected(containerInstance, false);
  containerInstance.isForsaken = true;
  state.emit({ kind: 'agent-changed', containerInstance });
}

/**
 * REGISTERING until its trunk interface is there, or is found not to come:
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_ContainerInstance.html
 */
function becomeLater(state: State, one: ContainerInstance, status: 'ACTIVE' | 'REGISTRATION_FAILED') {
  become(state, one, 'REGISTERING');
  state.after('trunkSeconds', () => {
    if (one.status !== 'REGISTERING') return;
    one.statusReason = status === 'ACTIVE' ? undefined : 'the trunk network interface could not be attached';
    become(state, one, status);
    touchDaemons(state, one.cluster);
    touchStarved(state, one.cluster);
  });
}

function become(state: State, containerInstance: ContainerInstance, status: ContainerInstance['status']) {
  containerInstance.status = status;
  state.emit({ kind: 'container-instance-changed', containerInstance, cause: 'scheduler' });
}

/** Its agent registers again under another ARN, and will never report this one's tasks again. */
export function wipeAgent(state: State, containerInstance: ContainerInstance, tasks: 'alive' | 'lost') {
  const { cluster, instance } = containerInstance;
  forsake(state, containerInstance);
  if (tasks === 'lost') for (const task of containerInstance.tasks) loseTask(state, task, 'fault');
  state.after('agentSeconds', () => {
    if (instance.state !== 'running' || cluster.status !== 'ACTIVE') return;
    registerContainerInstance(state, cluster, instance);
    touchDaemons(state, cluster);
    touchStarved(state, cluster);
  });
}
