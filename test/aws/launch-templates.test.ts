import { DescribeLaunchTemplateVersionsCommand, EC2Client } from '@aws-sdk/client-ec2';
import { describe, expect, test } from 'vitest';
import { describeTemplateVersion, listTemplateVersions } from '../../lambda/aws/launch-templates.ts';
import { mocked } from './mocked.ts';
import { sealedAws } from './sealed-aws.ts';

const api = mocked(EC2Client);
const aws = sealedAws();

const PROFILE = 'arn:aws:iam::123456789012:instance-profile/ecs/profile';

describe('launch template versions', () => {
  test('are resolved from a reference, and listed from every page', async () => {
    const version = (VersionNumber: number) => ({ VersionNumber, LaunchTemplateData: { ImageId: 'ami-1' } });
    api
      .on(DescribeLaunchTemplateVersionsCommand, { Versions: ['$Default'] })
      .resolves({ LaunchTemplateVersions: [{ ...version(2), DefaultVersion: true }] })
      .on(DescribeLaunchTemplateVersionsCommand, { MaxResults: 200 })
      .resolvesOnce({ LaunchTemplateVersions: [version(2)], NextToken: 'more' })
      .resolves({ LaunchTemplateVersions: [version(1)] });
    expect(await describeTemplateVersion(aws, 'lt-1', '$Default')).toEqual({
      version: 2,
      description: '',
      isDefault: true,
      imageId: 'ami-1',
      devices: [],
    });
    expect((await listTemplateVersions(aws, 'lt-1')).map(({ version }) => version)).toEqual([2, 1]);
  });

  test('show the image, or its alias, the type, the devices and the profile, if they name any', async () => {
    api.on(DescribeLaunchTemplateVersionsCommand).resolves({
      LaunchTemplateVersions: [
        {
          VersionNumber: 3,
          VersionDescription: 'by hand',
          LaunchTemplateData: {
            ImageId: 'resolve:ssm:/images/ecs',
            InstanceType: 'm7g.large',
            BlockDeviceMappings: [
              { DeviceName: '/dev/xvda', Ebs: { SnapshotId: 'snap-1', VolumeSize: 50 } },
              { DeviceName: '/dev/sdb', VirtualName: 'ephemeral0' },
            ],
            IamInstanceProfile: { Name: 'profile' },
          },
        },
        { VersionNumber: 2, LaunchTemplateData: { ImageId: '', IamInstanceProfile: { Arn: PROFILE } } },
        { VersionNumber: 1 },
      ],
    });
    const [third, ...others] = await listTemplateVersions(aws, 'lt-1');
    expect(third).toEqual({
      version: 3,
      description: 'by hand',
      isDefault: false,
      imageId: 'resolve:ssm:/images/ecs',
      instanceType: 'm7g.large',
      devices: [{ name: '/dev/xvda', snapshotId: 'snap-1', sizeGib: 50 }, { name: '/dev/sdb' }],
      instanceProfile: 'profile',
    });
    const bare = {
      description: '',
      isDefault: false,
      imageId: undefined,
      instanceType: undefined,
      devices: [],
    };
    expect(others).toEqual([
      { version: 2, ...bare, instanceProfile: PROFILE },
      { version: 1, ...bare },
    ]);
  });

  test('that a reference resolves to may be missing', async () => {
    api.on(DescribeLaunchTemplateVersionsCommand).resolves({ LaunchTemplateVersions: [] });
    expect(await describeTemplateVersion(aws, 'lt-1', '9')).toBeUndefined();
    expect(api.commandCalls(DescribeLaunchTemplateVersionsCommand)[0]?.args[0].input).toEqual({
      LaunchTemplateId: 'lt-1',
      Versions: ['9'],
    });
  });
});
