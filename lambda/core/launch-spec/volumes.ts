import type { Image, LaunchSource, MappedDevice, VolumeSource } from '../model/launch.ts';
import type { Obstacle } from '../reasons/obstacles.ts';
import { namedImage, namedPlace } from './named.ts';

/**
 * What a launch spec maps once it launches another image. Its snapshots stay, as they are its owner's data,
 * with two exceptions: the root's goes, since EC2 only starts an image from its own; and another snapshot of
 * the old image, such as for a Bottlerocket data volume, is replaced by the new image's.
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

/**
 * What the volumes of a new launch spec are made from. One that is mapped with neither a snapshot nor a size
 * is as large as the image has it.
 */
export function volumesOf({ target, devices = [] }: LaunchSource): VolumeSource[] {
  return devices.flatMap(({ name: deviceName, snapshotId, sizeGib }): VolumeSource[] => {
    if (snapshotId !== undefined) return [{ deviceName, snapshotId }];
    const own = deviceOf(target, deviceName)?.sizeGib;
    return sizeGib !== undefined || own === undefined ? [] : [{ deviceName, sizeGib: own }];
  });
}

/** Whether the devices are made from the snapshots that these volumes are. */
export function hasSnapshots(devices: readonly MappedDevice[], volumes: readonly VolumeSource[]): boolean {
  return volumes.every(
    ({ deviceName, snapshotId }) =>
      snapshotId === undefined ||
      devices.some((device) => device.name === deviceName && device.snapshotId === snapshotId),
  );
}

/** Why launches of the images would fail because of the mapped devices. */
export function unfitVolumes(sources: readonly LaunchSource[]): Obstacle[] {
  const all = sources.flatMap((source) =>
    (source.devices ?? []).flatMap((device) => {
      const problem = foreignRoot(source, device) ?? tooSmall(source, device);
      return problem === undefined ? [] : [problem];
    }),
  );
  return all.filter(isFirst);
}

/** EC2 refuses it: `snapshotId … cannot be modified on root device`. */
function foreignRoot(
  { place, target }: LaunchSource,
  { name, snapshotId }: MappedDevice,
): Obstacle | undefined {
  const own = deviceOf(target, name)?.snapshotId;
  if (name !== target.rootDeviceName || own === undefined) return undefined;
  if (snapshotId === undefined || snapshotId === own) return undefined;
  const image = namedImage(target);
  return { code: 'root-from-other-snapshot', place: namedPlace(place), image, device: name, snapshotId };
}

/** EC2 refuses it: `Volume of size 20GB is smaller than snapshot …, expect size >= 30GB`. */
function tooSmall(
  { place, target }: LaunchSource,
  { name, snapshotId, sizeGib }: MappedDevice,
): Obstacle | undefined {
  const own = deviceOf(target, name);
  const isImages = name === target.rootDeviceName || (snapshotId && snapshotId === own?.snapshotId);
  if (!isImages || sizeGib === undefined || own?.sizeGib === undefined || sizeGib >= own.sizeGib) {
    return undefined;
  }
  return {
    code: 'volume-too-small',
    place: namedPlace(place),
    image: namedImage(target),
    device: name,
    sizeGib,
    neededGib: own.sizeGib,
  };
}

const deviceOf = (image: Image | undefined, name: string) =>
  image?.devices.find((device) => device.name === name);

function isFirst(obstacle: Obstacle, index: number, all: readonly Obstacle[]): boolean {
  return all.findIndex((other) => JSON.stringify(other) === JSON.stringify(obstacle)) === index;
}
