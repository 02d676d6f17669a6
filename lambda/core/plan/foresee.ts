import type { ContainerInstance } from '../model/cluster.ts';
import { type Action, VERSION_TO_COME } from '../model/decision.ts';
import type { Group, Instance } from '../model/group.ts';
import type { LaunchPlace, PolicyChange } from '../model/launch.ts';
import type { Observation } from '../model/observation.ts';
import { NO_HOLD } from '../sizes/temporary-changes.ts';
import { detached, ended, resized } from './foresee-members.ts';

/** An observation of one group, as `planSteps` carries it from decision to decision. */
export interface Foreseen extends Observation {
  readonly groups: readonly [Group];
}

/** What a roll's record leaves open. */
const NOT_BEGUN = { canary: { kind: 'pending' }, course: { kind: 'forward' }, changes: NO_HOLD } as const;

/** The observation after an action has taken effect, as far as the decision will ask. */
export function foresee(observation: Foreseen, action: Action): Foreseen {
  const [group] = observation.groups;
  switch (action.kind) {
    case 'record-roll':
      return withGroup(observation, { roll: { ...NOT_BEGUN, ...group.roll, ...action.roll } });
    case 'record-cluster':
      return withGroup(observation, { misnamed: false });
    case 'record-canary':
      return withGroup(observation, {
        roll: group.roll && { ...group.roll, canary: action.canary },
      });
    case 'record-course':
      return withGroup(observation, {
        roll: group.roll && { ...group.roll, course: action.course },
      });
    case 'record-rejection':
      return withGroup(observation, { rejection: action.rejection });
    case 'pause':
      return withGroup(observation, { pausedSince: action.since });
    case 'resume':
      return withGroup(observation, { pausedSince: undefined });
    case 'record-changes':
      return withGroup(observation, { roll: group.roll && { ...group.roll, changes: action.changes } });
    case 'use-launch-configuration':
      return withPlaces(observation, (place) =>
        place.kind === 'launch-configuration' ? { ...place, name: action.name, uuid: '' } : place,
      );
    case 'create-launch-template-version':
      return created(observation, action);
    case 'use-launch-template-version':
    case 'set-default-version':
      return withPlaces(observation, (place) =>
        isOfTemplate(place, action.templateId) && place.reference !== '$Latest'
          ? { ...place, version: action.version }
          : place,
      );
    case 'change-mixed-instances-policy':
      return withPlaces(observation, (place, imageId) => changedBy(action.changes, place, imageId));
    case 'mark-instances':
      return withInstances(observation, action.instanceIds, (instance) => ({
        ...instance,
        mark: action.mark,
      }));
    case 'unmark-instances':
      return withInstances(observation, action.instanceIds, ({ mark: _, ...instance }) => instance);
    case 'detach-instances':
      return withGroup(observation, detached(group, action, observation.now));
    case 'terminate-members':
      return withGroup(observation, ended(group, action, observation.now));
    case 'set-sizes':
      return withGroup(observation, resized(group, action, observation.now));
    case 'suspend-processes':
      return withGroup(observation, {
        suspendedProcesses: [...group.suspendedProcesses, ...action.processes],
      });
    case 'resume-processes':
      return withGroup(observation, {
        suspendedProcesses: group.suspendedProcesses.filter((each) => !action.processes.includes(each)),
      });
    case 'set-healthy':
      return withGroup(observation, {
        members: group.members.map((member) =>
          action.instanceIds.includes(member.instanceId) ? { ...member, healthy: true } : member,
        ),
      });
    case 'drain':
      return withContainerInstances(observation, (each) =>
        action.containerInstances.some(({ arn }) => arn === each.arn)
          ? [{ ...each, status: 'DRAINING' }]
          : [each],
      );
    case 'activate':
      return withContainerInstances(observation, (each) =>
        action.containerInstances.some(({ arn }) => arn === each.arn)
          ? [{ ...each, status: 'ACTIVE' }]
          : [each],
      );
    case 'deregister':
      return withContainerInstances(observation, (each) =>
        each.arn === action.containerInstance.arn ? [] : [each],
      );
    case 'terminate':
      return withInstances(observation, action.instanceIds, (instance) => ({ ...instance, alive: false }));
    case 'attach-instances':
    case 'stop-tasks':
    case 'clear-rejection':
    case 'copy-launch-configuration':
    case 'delete-launch-configuration':
    case 'delete-launch-template-versions':
    case 'clear-roll':
      return observation;
  }
}

/** The new members of a foreseen group that are still to come. */
export function membersToCome({ groups: [group] }: Foreseen): number {
  return group.members.filter(({ lifecycleState }) => lifecycleState === 'Pending').length;
}

function created(
  observation: Foreseen,
  {
    templateId,
    sourceVersion,
    imageId,
    snapshots,
  }: Extract<Action, { kind: 'create-launch-template-version' }>,
): Foreseen {
  const [{ ownLaunchSpecs = [] }] = observation.groups;
  const own = {
    kind: 'launch-template',
    templateId,
    version: VERSION_TO_COME,
    sourceVersion,
    imageId,
    devices: snapshots.map(({ deviceName, snapshotId }) => ({ name: deviceName, snapshotId })),
    inUse: false,
  } as const;
  const listed = withGroup(observation, { ownLaunchSpecs: [...ownLaunchSpecs, own] });
  return withPlaces(listed, (place) =>
    isOfTemplate(place, templateId) && place.reference === '$Latest'
      ? { ...place, version: VERSION_TO_COME }
      : place,
  );
}

export function withGroup(observation: Foreseen, changes: Partial<Group>): Foreseen {
  return { ...observation, groups: [{ ...observation.groups[0], ...changes }] };
}

/** Changes where the group has its images from; every place that is changed launches its target from then on. */
function withPlaces(
  observation: Foreseen,
  change: (place: LaunchPlace, imageId: string) => LaunchPlace,
): Foreseen {
  const { launch } = observation.groups[0];
  if ('obstacle' in launch) return observation;
  const sources = launch.sources.map((source) => {
    const place = change(source.place, source.imageId);
    return place === source.place ? source : { ...source, place, imageId: source.target.imageId };
  });
  return withGroup(observation, { launch: { ...launch, sources } });
}

function changedBy(changes: readonly PolicyChange[], place: LaunchPlace, imageId: string): LaunchPlace {
  for (const change of changes) {
    if (change.kind === 'image' && place.kind === 'override' && change.from === imageId) return { ...place };
    if (change.kind !== 'version' || !isOfTemplate(place, change.templateId)) continue;
    if (place.version === change.from) return { ...place, version: change.to };
  }
  return place;
}

type TemplatePlace = Extract<LaunchPlace, { kind: 'launch-template' }>;

function isOfTemplate(place: LaunchPlace, templateId: string): place is TemplatePlace {
  return place.kind === 'launch-template' && place.templateId === templateId;
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
