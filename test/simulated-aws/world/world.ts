import { AwsError, type Operation } from '../account/operation.ts';
import type { Clock } from '../clock/clock.ts';
import { launchConfigurationOperations } from './autoscaling/launch-configuration-operations.ts';
import { autoScalingReadOperations } from './autoscaling/read-operations.ts';
import { followInstances } from './autoscaling/reconcile.ts';
import { autoScalingWriteOperations } from './autoscaling/write-operations.ts';
import { builders } from './builders.ts';
import { alarmOperations } from './cloudwatch/operations.ts';
import { tableOperations } from './dynamodb/operations.ts';
import { ec2Operations } from './ec2/operations.ts';
import { attributeOperations } from './ecs/attribute-operations.ts';
import { capacityProviderMaking } from './ecs/capacity-provider-making.ts';
import { capacityProviderOperations } from './ecs/capacity-provider-operations.ts';
import { clusterMaking } from './ecs/cluster-making.ts';
import { containerInstanceOperations } from './ecs/container-instance-operations.ts';
import { followHosts } from './ecs/container-instances.ts';
import { followDeploymentAlarms } from './ecs/deployment-failures.ts';
import { drainManaged, drainReclaimed } from './ecs/managed-draining.ts';
import { ecsReadOperations } from './ecs/read-operations.ts';
import { registeredDefinitions } from './ecs/registered-definitions.ts';
import { scheduleServices } from './ecs/scheduler.ts';
import { serviceMaking } from './ecs/service-making.ts';
import { taskDefinitionOperations } from './ecs/task-definitions.ts';
import { followZones } from './ecs/zone-looks.ts';
import { loadBalancingBuilders, loadBalancingHooks } from './elastic-load-balancing/hooks.ts';
import { loadBalancerOperations } from './elastic-load-balancing/load-balancer-operations.ts';
import { followMembers } from './elastic-load-balancing/members.ts';
import { targetGroupOperations } from './elastic-load-balancing/target-group-operations.ts';
import { eventBusOperations } from './event-bus/operations.ts';
import type { Listener } from './events.ts';
import { forgerHooks } from './forger-hooks.ts';
import { faultHooks, ownerHooks } from './hooks.ts';
import { instanceProfileOperations } from './iam/operations.ts';
import { keyOperations } from './kms/operations.ts';
import { functionOperations } from './lambda/operations.ts';
import { logOperations } from './logs/operations.ts';
import { resourceTagOperations } from './resource-tags/operations.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';
import { topicOperations } from './sns/operations.ts';
import { calendarOperations, parameterOperations } from './ssm/operations.ts';
import { createState, type State, type WorldOptions } from './state.ts';
import { identityOperations } from './sts/operations.ts';

/**
 * A simulated account: what it holds, what happens in it as time passes, and the operations that read and
 * change it. It is all synchronous, and takes its time from the clock alone.
 */
export interface World extends ReturnType<typeof builders>, ReturnType<typeof loadBalancingBuilders> {
  readonly clock: Clock;
  readonly state: State;
  readonly operations: readonly Operation[];
  readonly owner: ReturnType<typeof ownerHooks>;
  readonly faults: ReturnType<typeof faultHooks>;
  readonly forger: ReturnType<typeof forgerHooks>;
  readonly loadBalancing: ReturnType<typeof loadBalancingHooks>;
  snapshot(): Snapshot;
  /** Tells everything that happens; the answer ends that. */
  subscribe(listener: Listener): () => void;
}

export function createWorld(options: WorldOptions): World {
  const state = createState(options);
  followHosts(state);
  followInstances(state);
  followMembers(state);
  drainManaged(state);
  drainReclaimed(state);
  scheduleServices(state);
  followZones(state);
  followDeploymentAlarms(state);
  return {
    ...builders(state),
    ...loadBalancingBuilders(state),
    clock: state.clock,
    state,
    operations: [
      ...ec2Operations(state),
      ...autoScalingReadOperations(state),
      ...autoScalingWriteOperations(state),
      ...launchConfigurationOperations(state),
      ...ecsReadOperations(state),
      ...containerInstanceOperations(state),
      ...attributeOperations(state),
      ...taskDefinitionOperations(state),
      ...registeredDefinitions(state),
      ...capacityProviderOperations(state),
      ...capacityProviderMaking(state),
      ...clusterMaking(state),
      ...serviceMaking(state),
      ...targetGroupOperations(state),
      ...loadBalancerOperations(state),
      ...parameterOperations(state),
      ...calendarOperations(state),
      ...alarmOperations(state),
      ...eventBusOperations(state),
      ...functionOperations(state),
      ...logOperations(state),
      ...resourceTagOperations(state),
      ...topicOperations(state),
      ...instanceProfileOperations(state),
      ...keyOperations(state),
      ...tableOperations(state),
      ...identityOperations(state),
    ].map((operation) => toldToAll(state, operation)),
    owner: ownerHooks(state),
    faults: faultHooks(state),
    forger: forgerHooks(state),
    loadBalancing: loadBalancingHooks(state),
    snapshot: () => takeSnapshot(state),
    subscribe: state.subscribe,
  };
}

/**
 * Tells of each call that changes something, or would. What others are told or asked changes nothing here.
 */
function toldToAll(state: State, operation: Operation): Operation {
  const { schema, handle } = operation;
  const name = schema[2];
  if (/^(Describe|Filter|Generate|Get|Invoke|List|Publish|PutEvents|PutItem|Query)/.test(name))
    return operation;
  return {
    ...operation,
    handle(input) {
      try {
        const output = handle(input);
        state.emit({ kind: 'called', operation: name, input });
        return output;
      } catch (error) {
        if (error instanceof AwsError && error.code !== 'DryRunOperation')
          state.emit({ kind: 'refused', operation: name, message: error.message });
        throw error;
      }
    },
  };
}
