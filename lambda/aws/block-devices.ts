import type { MappedDevice, VolumeSource } from '../core/model/launch.ts';

/** The block device mapping that images, launch templates and launch configurations share. */
interface BlockDeviceMapping {
  DeviceName?: string | undefined;
  Ebs?:
    | {
        SnapshotId?: string | undefined;
        VolumeSize?: number | undefined;
        Encrypted?: boolean | undefined;
      }
    | undefined;
}

export function mappedDevices(mappings: readonly BlockDeviceMapping[] = []): MappedDevice[] {
  return mappings.map(({ DeviceName = '', Ebs }) => ({
    name: DeviceName,
    ...(Ebs?.SnapshotId && { snapshotId: Ebs.SnapshotId }),
    ...(Ebs?.VolumeSize && { sizeGib: Ebs.VolumeSize }),
  }));
}

/**
 * The same mappings, made from these volumes; a volume's size, type, encryption and so on stay. A mapping
 * that had only a snapshot and now has none is dropped: the image's own mapping applies, and AWS would
 * reject an empty one.
 */
export function withVolumes<Mapping extends BlockDeviceMapping>(
  mappings: readonly Mapping[],
  volumes: readonly VolumeSource[],
): Mapping[] {
  const byDevice = new Map(volumes.map((volume) => [volume.deviceName, volume]));
  return mappings.flatMap((mapping) => {
    const { Ebs, DeviceName = '' } = mapping;
    if (Ebs === undefined) return [mapping];
    const { snapshotId: SnapshotId, sizeGib } = byDevice.get(DeviceName) ?? {};
    const { Encrypted, VolumeSize = SnapshotId === undefined ? sizeGib : undefined, ...rest } = Ebs;
    if (Object.values({ ...Ebs, SnapshotId }).every((value) => value === undefined)) return [];
    // "If you are creating a volume from a snapshot, you can't specify an encryption value": that it isn't
    // encrypted goes without saying. What is to be encrypted is left for AWS to refuse.
    const encryption = SnapshotId !== undefined && Encrypted === false ? {} : { Encrypted };
    return [{ ...mapping, Ebs: withoutUndefined({ ...rest, SnapshotId, VolumeSize, ...encryption }) }];
  });
}

function withoutUndefined<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}
