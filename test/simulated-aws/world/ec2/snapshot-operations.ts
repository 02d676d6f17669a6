import {
  CreateSnapshotCommand,
  DeleteSnapshotCommand,
  type Snapshot as Described,
  DescribeSnapshotsCommand,
} from '@aws-sdk/client-ec2';
import { type Operation, on } from '../../account/operation.ts';
import { ec2Filter, type Filterable } from '../filters.ts';
import { createPager } from '../paging.ts';
import type { State } from '../state.ts';
import { describeTags, findSnapshot, findVolume, requestedTags, type Snapshot } from './storage.ts';

/** How long that of an empty volume is `pending`. */
const PENDING_SECONDS = 60;

const FILTERED: Filterable<Snapshot> = {
  operation: 'DescribeSnapshots',
  tagsOf: ({ tags }) => tags,
  fields: {
    'snapshot-id': ({ id }) => [id],
    status: ({ state }) => [state],
    'volume-id': ({ volumeId }) => [volumeId],
  },
};

const QUERY = {
  SnapshotIds: 'all',
  OwnerIds: 'all',
  Filters: 'all',
  MaxResults: 'all',
  NextToken: 'all',
} as const;

/** Of this account's own. */
export function snapshotOperations(state: State): Operation[] {
  const page = createPager<Snapshot>('DescribeSnapshots', {
    default: 1000,
    min: 5,
    max: 1000,
    tokenCode: 'InvalidNextToken',
    limitCode: 'InvalidParameterValue',
  });
  return [
    on(CreateSnapshotCommand, { VolumeId: 'all', Description: 'all', TagSpecifications: 'all' }, (input) => {
      const { id: volumeId, sizeGib } = findVolume(state, input.VolumeId);
      const snapshot: Snapshot = {
        id: state.ids.next('snap-'),
        volumeId,
        sizeGib,
        description: input.Description,
        createdAtMs: state.clock.now(),
        tags: requestedTags(input.TagSpecifications, 'snapshot'),
        state: 'pending',
      };
      state.storage.snapshots.set(snapshot.id, snapshot);
      state.clock.schedule(PENDING_SECONDS, () => {
        snapshot.state = 'completed';
      });
      return describe(state, snapshot);
    }),

    on(DescribeSnapshotsCommand, QUERY, (input) => {
      const { SnapshotIds: ids, OwnerIds: owners, Filters, MaxResults: limit, NextToken } = input;
      const isOwned = owners?.some((owner) => owner === 'self' || owner === state.account) ?? true;
      const passes = ec2Filter(Filters, FILTERED);
      const all = ids?.map((id) => findSnapshot(state, id)) ?? [...state.storage.snapshots.values()];
      const { items, token } = page(
        all.filter((one) => isOwned && passes(one)),
        { limit, token: NextToken },
      );
      return { Snapshots: items.map((one) => describe(state, one)), NextToken: token };
    }),

    on(DeleteSnapshotCommand, { SnapshotId: 'all' }, ({ SnapshotId: id }) => {
      state.storage.snapshots.delete(findSnapshot(state, id).id);
      state.storage.deleted.add(id ?? '');
      return {};
    }),
  ];
}

const describe = ({ account }: State, one: Snapshot): Described => ({
  SnapshotId: one.id,
  VolumeId: one.volumeId,
  VolumeSize: one.sizeGib,
  Description: one.description ?? '',
  OwnerId: account,
  State: one.state,
  Progress: one.state === 'completed' ? '100%' : '',
  StartTime: new Date(one.createdAtMs),
  Encrypted: false,
  Tags: describeTags(one.tags),
});
