import {
  type Image,
  type LaunchPlace,
  type PolicyChange,
  type TemplatePlace,
  VERSION_TO_COME,
  type VolumeSource,
} from '../model/launch.ts';
import { describeImage } from '../reasons/words.ts';
import type { Definitions } from './definition.ts';
import { type Foreseen, withGroup } from './foreseen.ts';

/** What a group launches from. */
export interface LaunchSpecActions {
  'copy-launch-configuration': CopyConfiguration;
  /** With `copy` if the name is that of a copy, made before: somebody else's may stand there by now. */
  'use-launch-configuration': {
    readonly group: string;
    readonly name: string;
    readonly copy?: CopyConfiguration | undefined;
  };
  'delete-launch-configuration': { readonly name: string };
  'create-launch-template-version': CreateVersion;
  'use-launch-template-version': NumberedVersion & { readonly group: string };
  'change-mixed-instances-policy': { readonly group: string; readonly changes: readonly PolicyChange[] };
  'set-default-version': NumberedVersion;
  'delete-launch-template-versions': { readonly templateId: string; readonly versions: readonly number[] };
}

interface CopyConfiguration {
  readonly group: string;
  readonly source: string;
  readonly name: string;
  readonly image: Image;
  /** What its volumes are made from. */
  readonly volumes: readonly VolumeSource[];
}

interface CreateVersion {
  /**
   * The UUID in the ARN of the group that it is made for. Two groups may want the same version: if one makes
   * it and deletes it again, the other mustn't get that as its answer.
   */
  readonly groupUuid: string;
  readonly templateId: string;
  readonly sourceVersion: number;
  readonly imageId: string;
  /** Those that its volumes are made from: EC2 carries over none. */
  readonly volumes: readonly VolumeSource[];
  readonly requestedAt: Date;
}

interface NumberedVersion {
  readonly templateId: string;
  readonly version: number;
}

export const LAUNCH_SPEC_ACTIONS: Definitions<LaunchSpecActions> = {
  'copy-launch-configuration': {
    describe: ({ source, name, image, volumes }) =>
      `copy launch configuration ${source} to ${name} with ${describeImage(image)}${describeSnapshots(volumes)}`,
    onlyRecords: true,
  },
  'use-launch-configuration': {
    describe: ({ group, name }) => `let group ${group} launch from ${name}`,
    foresee: (observation, { name }) =>
      withPlaces(observation, (place) =>
        place.kind === 'launch-configuration' ? { ...place, name, uuid: '' } : place,
      ),
  },
  'delete-launch-configuration': { describe: ({ name }) => `delete launch configuration ${name}` },
  'create-launch-template-version': {
    describe: ({ templateId, sourceVersion, imageId, volumes }) =>
      `create a version of launch template ${templateId} from version ${sourceVersion} with ${imageId}${describeSnapshots(volumes)}`,
    foresee: created,
  },
  'use-launch-template-version': {
    describe: ({ group, templateId, version }) =>
      `let group ${group} launch from ${versionOf(version)} of ${templateId}`,
    foresee: versionUsed,
  },
  'change-mixed-instances-policy': {
    describe: ({ group, changes }) =>
      `let the mixed instances policy of group ${group} name ${changes.map(describeChange).join(', ')}`,
    foresee: (observation, { changes }) =>
      withPlaces(observation, (place, imageId) => changedBy(changes, place, imageId)),
  },
  'set-default-version': {
    describe: ({ templateId, version }) => `make ${versionOf(version)} the default of ${templateId}`,
    foresee: versionUsed,
  },
  'delete-launch-template-versions': {
    describe: ({ templateId, versions }) =>
      `delete versions ${versions.join(', ')} of launch template ${templateId}`,
  },
};

function describeSnapshots(volumes: readonly VolumeSource[]): string {
  const named = volumes.filter(({ snapshotId }) => snapshotId !== undefined);
  return named.map(({ deviceName, snapshotId }) => `, ${deviceName} from ${snapshotId}`).join('');
}

function describeChange(change: PolicyChange): string {
  if (change.kind === 'image') return `${change.to} in place of ${change.from}`;
  return `${versionOf(change.to)} of ${change.templateId}`;
}

function versionOf(version: number): string {
  return version === VERSION_TO_COME ? 'the new version' : `version ${version}`;
}

function created(
  observation: Foreseen,
  { templateId, sourceVersion, imageId, volumes }: CreateVersion,
): Foreseen {
  const [{ details = {} }] = observation.groups;
  const { ownLaunchSpecs = [] } = details;
  const own = {
    kind: 'launch-template',
    templateId,
    version: VERSION_TO_COME,
    sourceVersion,
    imageId,
    devices: volumes.map(({ deviceName, ...from }) => ({ name: deviceName, ...from })),
    inUse: false,
    made: true,
  } as const;
  const listed = withGroup(observation, {
    details: { ...details, ownLaunchSpecs: [...ownLaunchSpecs, own] },
  });
  return withPlaces(listed, (place) =>
    isOfTemplate(place, templateId) && place.reference === '$Latest'
      ? { ...place, version: VERSION_TO_COME }
      : place,
  );
}

function versionUsed(observation: Foreseen, { templateId, version }: NumberedVersion): Foreseen {
  return withPlaces(observation, (place) =>
    isOfTemplate(place, templateId) && place.reference !== '$Latest' ? { ...place, version } : place,
  );
}

/**
 * Changes where the group has its images from; every place that is changed launches its target from then on.
 */
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

function isOfTemplate(place: LaunchPlace, templateId: string): place is TemplatePlace {
  return place.kind === 'launch-template' && place.templateId === templateId;
}
