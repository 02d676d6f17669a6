import type { MappedDevice, VolumeSnapshot } from '../core/model/launch.ts';

/** A block device mapping as images, launch templates and launch configurations all have it. */
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
 * The same mappings from these snapshots; size, type, encryption and all the rest of a volume stay. One that said nothing but
 * its snapshot, and has none now, is left out: what the image maps there holds, and a mapping of nothing would be refused.
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
