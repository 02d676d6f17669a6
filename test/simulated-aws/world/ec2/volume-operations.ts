import {
  CreateVolumeCommand,
  type CreateVolumeRequest,
  DeleteVolumeCommand,
  type Volume as Described,
  DescribeVolumesCommand,
} from '@aws-sdk/client-ec2';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import { ec2Filter, type Filterable } from '../filters.ts';
import { createPager } from '../paging.ts';
import type { State } from '../state.ts';
import { attachedVolumes } from './attached-volumes.ts';
import { describeTags, findSnapshot, findVolume, requestedTags, type Volume } from './storage.ts';

/** How long an empty volume is `creating`. */
const CREATING_SECONDS = 5;

const FILTERED: Filterable<Described> = {
  operation: 'DescribeVolumes',
  tagsOf: ({ Tags = [] }) => new Map(Tags.map(({ Key: key = '', Value: value = '' }) => [key, value])),
  fields: {
    'attachment.device': ({ Attachments = [] }) => Attachments.map(({ Device }) => Device),
    'attachment.instance-id': ({ Attachments = [] }) => Attachments.map(({ InstanceId }) => InstanceId),
    'availability-zone': ({ AvailabilityZone }) => [AvailabilityZone],
    'snapshot-id': ({ SnapshotId }) => [SnapshotId],
    status: ({ State }) => [State],
    'volume-id': ({ VolumeId }) => [VolumeId],
  },
};

const CREATION = {
  AvailabilityZone: 'all',
  Size: 'all',
  SnapshotId: 'all',
  VolumeType: ['gp3'],
  TagSpecifications: 'all',
  ClientToken: 'all',
} as const;
const QUERY = { VolumeIds: 'all', Filters: 'all', NextToken: 'all', MaxResults: 'all' } as const;

export function volumeOperations(state: State): Operation[] {
  const page = createPager<Described>('DescribeVolumes', {
    default: 1000,
    min: 5,
    max: 1000,
    tokenCode: 'InvalidNextToken',
    limitCode: 'InvalidParameterValue',
  });
  const made = new Map<string, Volume>();
  return [
    on(CreateVolumeCommand, CREATION, (input) => {
      const { ClientToken: token = '' } = input;
      const volume = made.get(token) ?? makeVolume(state, input);
      if (token !== '') made.set(token, volume);
      return describe(volume);
    }),

    on(DescribeVolumesCommand, QUERY, ({ VolumeIds: ids, Filters, MaxResults: limit, NextToken }) => {
      const all = [
        ...[...state.storage.volumes.values()].map(describe),
        ...[...state.instances.values()].flatMap((instance) => attachedVolumes(state, instance)),
      ];
      const named = ids?.map(
        (id) => all.find((one) => one.VolumeId === id) ?? describe(findVolume(state, id)),
      );
      const { items, token } = page((named ?? all).filter(ec2Filter(Filters, FILTERED)), {
        limit,
        token: NextToken,
      });
      return { Volumes: [...items], NextToken: token };
    }),

    on(DeleteVolumeCommand, { VolumeId: 'all' }, ({ VolumeId: id }) => {
      state.storage.volumes.delete(findVolume(state, id).id);
      return {};
    }),
  ];
}

function makeVolume(state: State, input: CreateVolumeRequest): Volume {
  const { Size: size, SnapshotId: snapshotId, AvailabilityZone: availabilityZone = '' } = input;
  const sizeGib = size ?? (snapshotId === undefined ? undefined : findSnapshot(state, snapshotId).sizeGib);
  // ledger: create-volume-source
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
  return volume;
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
