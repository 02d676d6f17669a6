import { DescribeVolumesCommand } from '@aws-sdk/client-ec2';
import { launchVersion, memberIds, snapshotId, stackOutputs } from '../found.ts';
import { findImages } from '../images.ts';
import { imagesOfMembers } from '../members.ts';
import { DATA_DEVICE, TASKS } from '../names.ts';
import { rollToEnd } from '../rolling.ts';
import type { Check, Finding, Smoke } from '../smoke.ts';

/** From the older image to the newest. */
export const rollCheck: Check = {
  name: 'a roll',
  minutes: 15,
  async run(smoke) {
    const { functionName } = await stackOutputs(smoke);
    const { newest } = await findImages(smoke);
    const ending = await rollToEnd(smoke, functionName, { action: 'roll' });
    const images = await imagesOfMembers(smoke);
    return [
      {
        what: 'the group is rolled onto the newest image',
        passed: ending.state === 'completed' && images.every((image) => image === newest),
        observed: `${ending.state} after ${ending.minutes.toFixed(1)} min`,
      },
      {
        what: 'the service never lacks a task meanwhile',
        passed: ending.lowestRunning >= TASKS,
        observed: `${ending.lowestRunning} of ${TASKS} at the least`,
      },
      await templateKeepsSnapshot(smoke),
      await volumesAreOfSnapshot(smoke),
    ];
  },
};

async function templateKeepsSnapshot(smoke: Smoke): Promise<Finding> {
  const wanted = await snapshotId(smoke);
  const { VersionNumber: number, LaunchTemplateData: data } = await launchVersion(smoke);
  const mapping = data?.BlockDeviceMappings?.find(({ DeviceName }) => DeviceName === DATA_DEVICE);
  const found = mapping?.Ebs?.SnapshotId;
  return {
    what: "the new version keeps the second volume's snapshot",
    passed: number !== 1 && found === wanted,
    observed: `version ${number}: ${found === wanted ? 'the same' : (found ?? 'none')}`,
  };
}

async function volumesAreOfSnapshot(smoke: Smoke): Promise<Finding> {
  const wanted = await snapshotId(smoke);
  const ids = await memberIds(smoke);
  const { Volumes = [] } = await smoke.aws.ec2.send(
    new DescribeVolumesCommand({
      Filters: [
        { Name: 'attachment.instance-id', Values: ids },
        { Name: 'attachment.device', Values: [DATA_DEVICE] },
      ],
    }),
  );
  const kept = Volumes.filter(({ SnapshotId }) => SnapshotId === wanted);
  return {
    what: 'the second volumes of the new members are made from it',
    passed: ids.length > 0 && kept.length === ids.length,
    observed: `${kept.length} of ${ids.length}`,
  };
}
