import type { Action, ContainerInstance, Group, Instance, LaunchSpec, Observation } from './model.ts';

/** The number of a template version that is yet to be made. */
export const VERSION_TO_COME = 0;

/** A week: longer than any limit may be, so that whatever is waited for has come. */
const LONG_ENOUGH_MILLISECONDS = 7 * 24 * 3600 * 1000;

/** An observation of one group, as `planSteps` carries it from decision to decision. */
export interface Foreseen extends Observation {
  readonly groups: readonly [Group];
}

/** The observation after an action has taken effect, as far as the decision will ask. */
export function foresee(observation: Foreseen, action: Action): Foreseen {
  const [group] = observation.groups;
  switch (action.kind) {
    case 'record-rollout':
      return withGroup(observation, { rollout: action.rollout });
    case 'use-launch-configuration':
      return withSpec(observation, (spec) => ({
        ...spec,
        kind: 'launch-configuration',
        name: action.name,
        uuid: '',
      }));
    case 'create-launch-template-version':
      return created(observation, action);
    case 'use-launch-template-version':
    case 'set-default-version':
      return withSpec(observation, (spec) => ({ ...spec, version: action.version }) as LaunchSpec);
    case 'mark-instances':
      return withInstances(observation, action.instanceIds, (instance) => ({
        ...instance,
        mark: action.mark,
      }));
    case 'unmark-instances':
      return withInstances(observation, action.instanceIds, ({ mark: _, ...instance }) => instance);
    case 'detach-instances':
      return withGroup(observation, detached(group, action.instanceIds, observation.now));
    case 'drain':
      return withContainerInstances(observation, (each) =>
        action.containerInstances.some(({ arn }) => arn === each.arn)
          ? [{ ...each, status: 'DRAINING' }]
          : [each],
      );
    case 'deregister':
      return withContainerInstances(observation, (each) =>
        each.arn === action.containerInstance.arn ? [] : [each],
      );
    case 'terminate':
      return withInstances(observation, action.instanceIds, (instance) => ({ ...instance, alive: false }));
    case 'copy-launch-configuration':
    case 'delete-launch-configuration':
    case 'delete-launch-template-versions':
    case 'clear-rollout':
      return observation;
  }
}

/** The observation once everything has come that is waited for: members ready, tasks moved, services long steady. */
export function expectReady(observation: Foreseen): Foreseen {
  const [group] = observation.groups;
  const ready = withGroup(observation, {
    members: group.members.map((member) => ({ ...member, lifecycleState: 'InService', healthy: true })),
    watch: { draining: [], settledSince: new Date(0) },
  });
  const known = new Set(observation.containerInstances.map(({ instanceId }) => instanceId));
  const registered = group.members
    .filter(({ instanceId }) => !known.has(instanceId))
    .map(({ instanceId }) => containerInstanceOn(instanceId));
  const members = new Set(group.members.map(({ instanceId }) => instanceId));
  const settled = observation.containerInstances
    .filter(({ status }) => status !== 'DEREGISTERING')
    .map((each) => {
      const isMember = members.has(each.instanceId);
      const status = isMember || each.status === 'REGISTERING' ? 'ACTIVE' : each.status;
      return { ...each, status, pendingTasksCount: 0, agentConnected: isMember || each.agentConnected };
    });
  const now = new Date(observation.now.getTime() + LONG_ENOUGH_MILLISECONDS);
  return { ...ready, now, containerInstances: [...settled, ...registered], services: [], tasks: [] };
}

/** The new members of a foreseen group that are still to come. */
export function membersToCome({ groups: [group] }: Foreseen): number {
  return group.members.filter(({ lifecycleState }) => lifecycleState === 'Pending').length;
}

function created(
  observation: Foreseen,
  { sourceVersion, imageId }: Extract<Action, { kind: 'create-launch-template-version' }>,
): Foreseen {
  const [{ launch, ownLaunchSpecs = [] }] = observation.groups;
  const own = {
    kind: 'launch-template',
    version: VERSION_TO_COME,
    sourceVersion,
    imageId,
    inUse: false,
  } as const;
  const listed = withGroup(observation, { ownLaunchSpecs: [...ownLaunchSpecs, own] });
  const latest =
    'spec' in launch && launch.spec.kind === 'launch-template' && launch.spec.reference === '$Latest';
  return latest ? withSpec(listed, (spec) => ({ ...spec, version: VERSION_TO_COME }) as LaunchSpec) : listed;
}

/** Members leave, and as many that run the target take their places. */
function detached(group: Group, instanceIds: readonly string[], now: Date): Partial<Group> {
  if ('obstacle' in group.launch) return {};
  const { imageId } = group.launch.target;
  const names = instanceIds.map((instanceId) => `the replacement of ${instanceId}`);
  const members = group.members.filter(({ instanceId }) => !instanceIds.includes(instanceId));
  return {
    members: [
      ...members,
      ...names.map((instanceId) => ({ instanceId, lifecycleState: 'Pending', healthy: true })),
    ],
    instances: [
      ...group.instances,
      ...names.map((instanceId) => ({ instanceId, alive: true, imageId, launchedAt: now })),
    ],
  };
}

function withGroup(observation: Foreseen, changes: Partial<Group>): Foreseen {
  return { ...observation, groups: [{ ...observation.groups[0], ...changes }] };
}

function withSpec(observation: Foreseen, change: (spec: LaunchSpec) => LaunchSpec): Foreseen {
  const { launch } = observation.groups[0];
  if ('obstacle' in launch) return observation;
  const spec = { ...change(launch.spec), imageId: launch.target.imageId };
  return withGroup(observation, { launch: { ...launch, spec } });
}

function withInstances(
  observation: Foreseen,
  instanceIds: readonly string[],
  change: (instance: Instance) => Instance,
): Foreseen {
  const instances = observation.groups[0].instances.map((instance) =>
    instanceIds.includes(instance.instanceId) ? change(instance) : instance,
  );
  return withGroup(observation, { instances });
}

function withContainerInstances(
  observation: Foreseen,
  change: (each: ContainerInstance) => readonly ContainerInstance[],
): Foreseen {
  return { ...observation, containerInstances: observation.containerInstances.flatMap(change) };
}

function containerInstanceOn(instanceId: string): ContainerInstance {
  const tasks = { pendingTasksCount: 0, runningTasksCount: 0 };
  return { arn: instanceId, instanceId, status: 'ACTIVE', agentConnected: true, ...tasks };
}
