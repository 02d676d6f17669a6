import type { Launch } from '../autoscaling/launch-sources.ts';
import type { Instance } from '../ec2/model.ts';
import { findInstanceProfile } from '../iam/instance-profiles.ts';
import type { State } from '../state.ts';
import { agentConfiguration } from './agent-configuration.ts';
import { addCluster } from './clusters.ts';
import type { Cluster } from './model.ts';

const DEFAULT_CLUSTER = 'default';

/**
 * Where the agent on an instance registers it, if it gets through at all: its credentials come with the
 * instance profile, and a security group has to let it out. Of a cluster that is named and isn't there
 * nothing comes; only where none is named does the agent make one, `default`.
 * https://github.com/aws/amazon-ecs-agent/blob/master/ecs-agent/api/ecs/client/ecs_client.go
 */
export function clusterToJoin(state: State, instance: Instance): Cluster | undefined {
  const { agent } = instance;
  const lacked = lackedActions(state, instance);
  if (!agent || !lacked || lacked.has('ecs:RegisterContainerInstance')) return undefined;
  if (!letsOut(state, instance)) return undefined;
  const cluster = activeCluster(state, agent.cluster ?? DEFAULT_CLUSTER);
  if (cluster || agent.cluster !== undefined || lacked.has('ecs:CreateCluster')) return cluster;
  return addCluster(state, DEFAULT_CLUSTER);
}

/** Undefined where it has no role. */
function lackedActions(state: State, { instanceProfile: nameOrArn }: Instance) {
  return nameOrArn === undefined ? undefined : findInstanceProfile(state, nameOrArn)?.lackedActions;
}

function letsOut(state: State, { securityGroups: ids }: Instance): boolean {
  return ids.some((id) => state.securityGroups.get(id)?.allowsOutbound);
}

function activeCluster({ clusters }: State, name: string): Cluster | undefined {
  const cluster = clusters.get(name);
  return cluster?.status === 'ACTIVE' ? cluster : undefined;
}

/** Which cluster somebody has in mind who writes this; none where no agent could register. */
export function clusterNamedBy(state: State, launch: Launch | undefined): string | undefined {
  if (launch?.instanceProfile === undefined) return undefined;
  const family = state.images.get(launch.imageId ?? '')?.family;
  const agent = agentConfiguration(launch.userData, family);
  return agent && (agent.cluster ?? DEFAULT_CLUSTER);
}
