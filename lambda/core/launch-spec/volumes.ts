import type { Image, LaunchPlace, LaunchSource, MappedDevice, VolumeSnapshot } from '../model/launch.ts';
import { describeImage } from '../text/describe.ts';

/**
 * What a launch spec maps once it launches another image. Its snapshots stay, as they are its owner's data; but the root's
 * goes, since EC2 starts an image from its own alone, and where it names another one of the old image's, as a Bottlerocket
 * data volume may be, the new image's takes its place.
 */
export function carriedDevices(
  devices: readonly MappedDevice[],
  before: Image | undefined,
  after: Image,
): MappedDevice[] {
  return devices.map((device) => {
    const { name, snapshotId } = device;
    if (name === after.rootDeviceName) return { ...device, snapshotId: undefined };
    const isImages = snapshotId !== undefined && deviceOf(before, name)?.snapshotId === snapshotId;
    return isImages ? { ...device, snapshotId: deviceOf(after, name)?.snapshotId ?? snapshotId } : device;
  });
}

/** The snapshots that the volumes of a new launch spec are made from: what is not named here is made from none of its own. */
export function snapshotsOf({ devices = [] }: LaunchSource): VolumeSnapshot[] {
  return devices.flatMap(({ name, snapshotId }) =>
    snapshotId === undefined ? [] : [{ deviceName: name, snapshotId }],
  );
}

export function hasSnapshots(
  devices: readonly MappedDevice[],
  snapshots: readonly VolumeSnapshot[],
): boolean {
  return snapshots.every(({ deviceName, snapshotId }) =>
    devices.some((device) => device.name === deviceName && device.snapshotId === snapshotId),
  );
}

/** Why launches of the images would fail by what is mapped there, a sentence for each device with what to do. */
export function unfitVolumes(sources: readonly LaunchSource[]): string[] {
  const all = sources.flatMap((source) =>
    (source.devices ?? []).flatMap((device) => {
      const problem = foreignRoot(source, device) ?? tooSmall(source, device);
      return problem === undefined ? [] : [problem];
    }),
  );
  return [...new Set(all)];
}

/** EC2 refuses it: `snapshotId … cannot be modified on root device`. */
function foreignRoot({ place, target }: LaunchSource, { name, snapshotId }: MappedDevice) {
  const own = deviceOf(target, name)?.snapshotId;
  if (name !== target.rootDeviceName || own === undefined) return undefined;
  if (snapshotId === undefined || snapshotId === own) return undefined;
  return (
    `${describePlace(place)} maps ${name} from ${snapshotId}, but image ${describeImage(target)} has its root there ` +
    'and starts from its own snapshot alone; take that snapshot out of the mapping'
  );
}

/** EC2 refuses it: `Volume of size 20GB is smaller than snapshot …, expect size >= 30GB`. */
function tooSmall({ place, target }: LaunchSource, { name, snapshotId, sizeGib }: MappedDevice) {
  const own = deviceOf(target, name);
  const isImages = name === target.rootDeviceName || (snapshotId && snapshotId === own?.snapshotId);
  if (!isImages || sizeGib === undefined || own?.sizeGib === undefined || sizeGib >= own.sizeGib) {
    return undefined;
  }
  return (
    `${describePlace(place)} maps ${name} with ${sizeGib} GiB, too small for the ${own.sizeGib} GiB that image ` +
    `${describeImage(target)} has there, so that launches would fail; let it have ${own.sizeGib} GiB or more, or leave ` +
    'the size out'
  );
}

const deviceOf = (image: Image | undefined, name: string) =>
  image?.devices.find((device) => device.name === name);

function describePlace(place: LaunchPlace): string {
  if (place.kind === 'launch-configuration') return `launch configuration ${place.name}`;
  return `version ${place.version} of launch template ${place.templateId}`;
}
