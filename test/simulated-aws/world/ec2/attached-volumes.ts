import type { BlockDeviceMapping, Volume } from '@aws-sdk/client-ec2';
import type { State } from '../state.ts';
import { type Image, type Instance, isAlive } from './model.ts';
import { describeTags, requestedTags } from './storage.ts';

/**
 * The volumes of an instance, which go with it: what its image maps, as its launch spec changes it, and what
 * that maps besides.
 */
export function attachedVolumes(state: State, instance: Instance): Volume[] {
  if (!isAlive(instance)) return [];
  const image = state.images.get(instance.imageId);
  const byDevice = new Map([
    ...(image === undefined ? [] : mappingsOf(image)),
    ...instance.blockDeviceMappings.map((one) => [one.DeviceName ?? '', one] as const),
  ]);
  const tags = describeTags(tagsAtLaunch(instance));
  return [...byDevice.values()].flatMap(({ DeviceName: device, Ebs: ebs }, index) =>
    ebs === undefined
      ? []
      : [
          {
            // Unique to the volume, and the same for each request.
            VolumeId: instance.id.replace(/^i-.../, `vol-f${String(index).padStart(2, '0')}`),
            Size: ebs.VolumeSize ?? (image?.rootDeviceName === device ? image?.rootSizeGib : undefined),
            AvailabilityZone: instance.availabilityZone,
            SnapshotId: ebs.SnapshotId ?? snapshotOf(image, device) ?? '',
            State: 'in-use',
            VolumeType: ebs.VolumeType ?? 'gp3',
            Encrypted: ebs.Encrypted ?? false,
            CreateTime: new Date(instance.launchedAtMs),
            Attachments: [
              {
                InstanceId: instance.id,
                Device: device,
                State: 'attached',
                DeleteOnTermination: ebs.DeleteOnTermination ?? true,
              },
            ],
            Tags: tags,
          } satisfies Volume,
        ],
  );
}

function mappingsOf(image: Image): [string, BlockDeviceMapping][] {
  const { rootDeviceName, rootSnapshotId, rootSizeGib, dataVolumes } = image;
  const root = { deviceName: rootDeviceName, snapshotId: rootSnapshotId, sizeGib: rootSizeGib };
  return [root, ...dataVolumes].map(({ deviceName, snapshotId, sizeGib }) => {
    return [deviceName, { DeviceName: deviceName, Ebs: { SnapshotId: snapshotId, VolumeSize: sizeGib } }];
  });
}

/** A root that names no snapshot is made from its image's. */
const snapshotOf = (image: Image | undefined, device: string | undefined) =>
  image?.rootDeviceName === device ? image?.rootSnapshotId : undefined;

function tagsAtLaunch({ launchedFrom }: Instance): Map<string, string> {
  if (launchedFrom?.kind !== 'launch-template') return new Map();
  const data = launchedFrom.template.versions.get(launchedFrom.version)?.data;
  return requestedTags(data?.TagSpecifications, 'volume');
}
