import type { Action } from './decision.ts';
import type { ContainerInstance, Group, Instance, LaunchSpec, Member, Observation } from './model.ts';

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
  const { members, instances } = wholeGroup(observation);
  const ids = new Set(members.map(({ instanceId }) => instanceId));
  const known = new Set(observation.containerInstances.map(({ instanceId }) => instanceId));
  const settled = observation.containerInstances
    .filter(({ status }) => status !== 'DEREGISTERING')
    .map((each) => {
      const isMember = ids.has(each.instanceId);
      const status = isMember || each.status === 'REGISTERING' ? 'ACTIVE' : each.status;
      return { ...each, status, pendingTasksCount: 0, agentConnected: isMember || each.agentConnected };
    });
  const registered = [...ids].filter((id) => !known.has(id)).map(containerInstanceOn);
  return {
    ...withGroup(observation, { members, instances, watch: { draining: [], settledSince: new Date(0) } }),
    now: new Date(observation.now.getTime() + LONG_ENOUGH_MILLISECONDS),
    containerInstances: [...settled, ...registered],
    services: [],
    tasks: [],
  };
}

/** The group when Auto Scaling has ended what it was ending, and launched what was lacking. */
function wholeGroup({ groups: [group], now }: Foreseen): Pick<Group, 'members' | 'instances'> {
  const staying = group.members
    .filter(({ lifecycleState }) => !/^(Terminat|Detach)/.test(lifecycleState))
    .map((member) => ({
      ...member,
      lifecycleState: standbyOrInService(member.lifecycleState),
      healthy: true,
    }));
  const serving = staying.filter(({ lifecycleState }) => lifecycleState === 'InService').length;
  const lacking = Math.max(0, group.desiredCapacity - serving);
  const launched = newMembers(
    Array.from({ length: lacking }, (_, index) => `new member ${serving + index + 1}`),
  );
  const seen = new Set(group.instances.map(({ instanceId }) => instanceId));
  const unseen = staying.map(({ instanceId }) => instanceId).filter((instanceId) => !seen.has(instanceId));
  const fresh = launched.map(({ instanceId }) => instanceId);
  return {
    members: [...staying, ...launched.map((member) => ({ ...member, lifecycleState: 'InService' }))],
    instances: [...group.instances, ...newInstances(group, [...unseen, ...fresh], now)],
  };
}

function standbyOrInService(lifecycleState: string): string {
  return lifecycleState === 'Standby' ? 'Standby' : 'InService';
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
  const replacements = instanceIds.map((instanceId) => `the replacement of ${instanceId}`);
  const staying = group.members.filter(({ instanceId }) => !instanceIds.includes(instanceId));
  return {
    members: [...staying, ...newMembers(replacements)],
    instances: [...group.instances, ...newInstances(group, replacements, now)],
  };
}

function newMembers(instanceIds: readonly string[]): Member[] {
  return instanceIds.map((instanceId) => ({ instanceId, lifecycleState: 'Pending', healthy: true }));
}

function newInstances({ launch }: Group, instanceIds: readonly string[], launchedAt: Date): Instance[] {
  if ('obstacle' in launch) return [];
  const { imageId } = launch.target;
  return instanceIds.map((instanceId) => ({ instanceId, alive: true, imageId, launchedAt }));
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
