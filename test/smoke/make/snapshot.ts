import {
  CreateSnapshotCommand,
  CreateVolumeCommand,
  DeleteSnapshotCommand,
  DeleteVolumeCommand,
  DescribeSnapshotsCommand,
  DescribeVolumesCommand,
  type Volume,
} from '@aws-sdk/client-ec2';
import { BY_TAG, TAGS } from '../names.ts';
import type { Smoke, Step } from '../smoke.ts';
import { secondsUntil, unlessGone } from '../wait.ts';
import { findDefaultSubnets } from './subnets.ts';

/** Of an empty volume: what is on it matters to nobody, only whether it is kept. */
export const snapshotStep: Step = {
  name: 'snapshot',
  makes: 'a snapshot of an empty volume of 1 GiB, which is deleted at once',
  cents: 1,
  minutes: 2,
  async make(smoke) {
    const [subnet] = await findDefaultSubnets(smoke);
    const { VolumeId } = await smoke.aws.ec2.send(
      new CreateVolumeCommand({
        AvailabilityZone: subnet?.AvailabilityZone,
        Size: 1,
        VolumeType: 'gp3',
        TagSpecifications: [{ ResourceType: 'volume', Tags: TAGS }],
      }),
    );
    await volumeIsThere(smoke);
    await smoke.aws.ec2.send(
      new CreateSnapshotCommand({
        VolumeId,
        TagSpecifications: [{ ResourceType: 'snapshot', Tags: TAGS }],
      }),
    );
    await snapshotIsThere(smoke);
    await smoke.aws.ec2.send(new DeleteVolumeCommand({ VolumeId }));
  },
  async remove(smoke) {
    return [...(await removeVolumes(smoke)), ...(await removeSnapshots(smoke))];
  },
};

/** Those of instances go with these. */
async function looseVolumes({ aws }: Smoke): Promise<Volume[]> {
  const { Volumes = [] } = await aws.ec2.send(new DescribeVolumesCommand({ Filters: BY_TAG }));
  return Volumes.filter(({ State }) => State === 'creating' || State === 'available');
}

async function volumeIsThere(smoke: Smoke) {
  await secondsUntil(smoke, { what: 'the volume', seconds: 300, everySeconds: 5 }, async () =>
    (await looseVolumes(smoke)).some(({ State }) => State === 'available'),
  );
}

async function snapshotIsThere(smoke: Smoke) {
  await secondsUntil(smoke, { what: 'the snapshot', seconds: 900, everySeconds: 10 }, async () =>
    (await snapshots(smoke)).some(({ State }) => State === 'completed'),
  );
}

async function snapshots({ aws }: Smoke) {
  const own = { OwnerIds: ['self'], Filters: BY_TAG };
  const { Snapshots = [] } = await aws.ec2.send(new DescribeSnapshotsCommand(own));
  return Snapshots;
}

async function removeVolumes(smoke: Smoke): Promise<string[]> {
  const ids = (await looseVolumes(smoke)).map(({ VolumeId = '' }) => VolumeId);
  for (const VolumeId of ids)
    await unlessGone(['InvalidVolume.NotFound'], () =>
      smoke.aws.ec2.send(new DeleteVolumeCommand({ VolumeId })),
    );
  return ids.map((id) => `volume ${id}`);
}

async function removeSnapshots(smoke: Smoke): Promise<string[]> {
  const ids = (await snapshots(smoke)).map(({ SnapshotId = '' }) => SnapshotId);
  for (const SnapshotId of ids)
    await unlessGone(['InvalidSnapshot.NotFound'], () =>
      smoke.aws.ec2.send(new DeleteSnapshotCommand({ SnapshotId })),
    );
  return ids.map((id) => `snapshot ${id}`);
}
