import type { BlockDeviceMapping } from '@aws-sdk/client-ec2';
import type { Instance } from '../world/ec2/model.ts';
import type { State } from '../world/state.ts';

type Mappings = readonly BlockDeviceMapping[];

/**
 * What an instance that came of a launch spec made by a call has otherwise mapped than any that the owner made of the same
 * template, or as a launch configuration; undefined where it is the same. A snapshot of the image's own is as good as none.
 */
export function foreignVolumes(state: State, instance: Instance): string | undefined {
  const owners = ownersMappings(state, instance);
  if (owners === undefined) return undefined;
  const now = describe(state, instance.blockDeviceMappings);
  return owners.some((mappings) => describe(state, mappings) === now) ? undefined : now;
}

/** Undefined where the owner made the launch spec, or nobody knows it any more. */
function ownersMappings(state: State, { launchedFrom: from }: Instance): Mappings[] | undefined {
  if (from === undefined) return undefined;
  if (from.kind === 'launch-template') {
    const versions = [...from.template.versions.values()];
    if (versions.find(({ number }) => number === from.version)?.madeBy !== 'call') return undefined;
    const owned = versions.filter(({ madeBy }) => madeBy === 'owner');
    return owned.map(({ data }) => (data.BlockDeviceMappings ?? []) as Mappings);
  }
  const configurations = [...state.launchConfigurations.entries()];
  if (configurations.find(([name]) => name === from.name)?.[1].madeBy !== 'call') return undefined;
  const owned = configurations.filter(([, { madeBy }]) => madeBy === 'owner');
  return owned.map(([, { description }]) => (description.BlockDeviceMappings ?? []) as Mappings);
}

function describe(state: State, mappings: Mappings): string {
  const ofImages = new Set(
    [...state.images.values()].flatMap(({ rootSnapshotId, dataVolumes }) => [
      rootSnapshotId,
      ...dataVolumes.map(({ snapshotId }) => snapshotId),
    ]),
  );
  const told = mappings.map(({ Ebs: ebs, ...rest }) => {
    const { SnapshotId: snapshotId = '', ...volume } = ebs ?? {};
    const snapshot = ofImages.has(snapshotId) ? '' : snapshotId;
    return JSON.stringify(Object.entries({ ...rest, ...volume, snapshot }).sort());
  });
  return told.sort().join(' ');
}
