import type { MappedDevice, VolumeSnapshot } from '../core/model/launch.ts';

/** The block device mapping that images, launch templates and launch configurations share. */
interface BlockDeviceMapping {
  DeviceName?: string | undefined;
  Ebs?: { SnapshotId?: string | undefined; VolumeSize?: number | undefined } | undefined;
}

export function mappedDevices(mappings: readonly BlockDeviceMapping[] = []): MappedDevice[] {
  return mappings.map(({ DeviceName = '', Ebs }) => ({
    name: DeviceName,
    ...(Ebs?.SnapshotId && { snapshotId: Ebs.SnapshotId }),
    ...(Ebs?.VolumeSize && { sizeGib: Ebs.VolumeSize }),
  }));
}

/**
 * The same mappings, made from these snapshots; a volume's size, type, encryption and so on stay. A mapping
 * that had only a snapshot and now has none is dropped: the image's own mapping applies, and AWS would
 * reject an empty one.
 */
export function withSnapshots<Mapping extends BlockDeviceMapping>(
  mappings: readonly Mapping[],
  snapshots: readonly VolumeSnapshot[],
): Mapping[] {
  const byDevice = new Map(snapshots.map(({ deviceName, snapshotId }) => [deviceName, snapshotId]));
  const changed = mappings.map((mapping) => {
    if (mapping.Ebs === undefined) return mapping;
    return { ...mapping, Ebs: { ...mapping.Ebs, SnapshotId: byDevice.get(mapping.DeviceName ?? '') } };
  });
  return changed.filter(
    ({ Ebs }) => Ebs === undefined || Object.values(Ebs).some((value) => value !== undefined),
  );
}
