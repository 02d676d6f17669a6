import {
  CreateVolumeCommand,
  DeleteVolumeCommand,
  type Volume as Described,
  DescribeVolumesCommand,
} from '@aws-sdk/client-ec2';
import { AwsError, type Operation, on } from '../../operation.ts';
import { ec2Filter, type FilterFields } from '../filters.ts';
import { createPager } from '../paging.ts';
import type { State } from '../state.ts';
import { attachedVolumes } from './attached-volumes.ts';
import { describeTags, findSnapshot, findVolume, requestedTags, type Volume } from './storage.ts';

/** How long an empty volume is `creating`. */
const CREATING_SECONDS = 5;

const FIELDS: FilterFields<Described> = {
  'attachment.device': ({ Attachments = [] }) => Attachments.map(({ Device }) => Device),
  'attachment.instance-id': ({ Attachments = [] }) => Attachments.map(({ InstanceId }) => InstanceId),
  'availability-zone': ({ AvailabilityZone }) => [AvailabilityZone],
  'snapshot-id': ({ SnapshotId }) => [SnapshotId],
  status: ({ State }) => [State],
  'volume-id': ({ VolumeId }) => [VolumeId],
};

const tagsOf = ({ Tags = [] }: Described) =>
  new Map(Tags.map(({ Key: key = '', Value: value = '' }) => [key, value]));

export function volumeOperations(state: State): Operation[] {
  const page = createPager<Described>('DescribeVolumes', {
    default: 1000,
    min: 5,
    max: 1000,
    tokenCode: 'InvalidNextToken',
    limitCode: 'InvalidParameterValue',
  });
  return [
    on(CreateVolumeCommand, (input) => {
      const { Size: size, SnapshotId: snapshotId, AvailabilityZone: availabilityZone = '' } = input;
      const sizeGib =
        size ?? (snapshotId === undefined ? undefined : findSnapshot(state, snapshotId).sizeGib);
      if (sizeGib === undefined)
        throw new AwsError('MissingParameter', 'The request must contain the parameter size/snapshot');
      const volume: Volume = {
        id: state.ids.next('vol-'),
        sizeGib,
        availabilityZone,
        snapshotId,
        createdAtMs: state.clock.now(),
        tags: requestedTags(input.TagSpecifications, 'volume'),
        state: 'creating',
      };
      state.storage.volumes.set(volume.id, volume);
      state.clock.schedule(CREATING_SECONDS, () => {
        volume.state = 'available';
      });
      return describe(volume);
    }),

    on(DescribeVolumesCommand, ({ VolumeIds: ids, Filters, MaxResults: limit, NextToken }) => {
      const all = [
        ...[...state.storage.volumes.values()].map(describe),
        ...[...state.instances.values()].flatMap((instance) => attachedVolumes(state, instance)),
      ];
      const named = ids?.map(
        (id) => all.find((one) => one.VolumeId === id) ?? describe(findVolume(state, id)),
      );
      const { items, token } = page((named ?? all).filter(ec2Filter(Filters, FIELDS, tagsOf)), {
        limit,
        token: NextToken,
      });
      return { Volumes: [...items], NextToken: token };
    }),

    on(DeleteVolumeCommand, ({ VolumeId: id }) => {
      state.storage.volumes.delete(findVolume(state, id).id);
      return {};
    }),
  ];
}

const describe = (volume: Volume): Described => ({
  VolumeId: volume.id,
  Size: volume.sizeGib,
  AvailabilityZone: volume.availabilityZone,
  SnapshotId: volume.snapshotId ?? '',
  State: volume.state,
  VolumeType: 'gp3',
  Encrypted: false,
  CreateTime: new Date(volume.createdAtMs),
  Attachments: [],
  Tags: describeTags(volume.tags),
});
