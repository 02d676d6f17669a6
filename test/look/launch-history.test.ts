import { AutoScalingClient, DescribeAutoScalingGroupsCommand } from '@aws-sdk/client-auto-scaling';
import { DescribeLaunchTemplateVersionsCommand, EC2Client } from '@aws-sdk/client-ec2';
import { describe, expect, test } from 'vitest';
import { describeGroups } from '../../lambda/aws/autoscaling.ts';
import type { LaunchSource } from '../../lambda/core/model/launch.ts';
import { launchHistory } from '../../lambda/look/launch-history.ts';
import { describedGroup } from '../aws/described-group.ts';
import { mocked } from '../aws/mocked.ts';
import { sealedAws } from '../aws/sealed-aws.ts';

const autoScaling = mocked(AutoScalingClient);
const ec2 = mocked(EC2Client);
const aws = sealedAws();

const source: LaunchSource = {
  place: { kind: 'launch-template', templateId: 'lt-1', reference: '$Latest', version: 5 },
  imageId: 'ami-1',
  target: {
    imageId: 'ami-2',
    name: 'image',
    createdAt: new Date(0),
    rootDeviceName: '/dev/xvda',
    devices: [],
    ownerId: '591542846629',
    architecture: 'x86_64',
    state: 'available',
  },
};
const ours = (VersionNumber: number) => ({
  VersionNumber,
  VersionDescription: `ecs-ami-deploy: ami-1 from version ${VersionNumber - 1}`,
});
const on = (AutoScalingGroupName: string, Version: string) =>
  describedGroup({ AutoScalingGroupName, LaunchTemplate: { LaunchTemplateId: 'lt-1', Version } });

describe('what was made for a group by launch template', () => {
  test('is in use if it is the default, or if any group of the account names it by number', async () => {
    autoScaling
      .on(DescribeAutoScalingGroupsCommand)
      .resolvesOnce({ AutoScalingGroups: [on('web', '$Latest')] })
      .resolves({ AutoScalingGroups: [on('web', '$Latest'), on('elsewhere', '3')] });
    ec2.on(DescribeLaunchTemplateVersionsCommand).resolves({
      LaunchTemplateVersions: [
        { VersionNumber: 1, VersionDescription: 'by hand' },
        { ...ours(2), DefaultVersion: true },
        ours(3),
        ours(4),
        { ...ours(5), VersionDescription: 'by hand, too' },
      ],
    });
    const [group] = await describeGroups(aws, ['web']);
    if (group === undefined) throw new Error('there is a group');
    const { ownLaunchSpecs, templateUsers } = await launchHistory(
      aws,
      group,
      [source],
      new Set(['lt-1:3', 'lt-2:4']),
    );
    expect(ownLaunchSpecs).toMatchObject([
      { version: 2, inUse: true, made: false },
      { version: 3, inUse: true, made: true },
      { version: 4, inUse: false, made: false },
    ]);
    expect(templateUsers).toEqual([
      { templateId: 'lt-1', group: 'web', reference: '$Latest', version: 5 },
      { templateId: 'lt-1', group: 'elsewhere', reference: 'number', version: 3 },
    ]);
  });
});
