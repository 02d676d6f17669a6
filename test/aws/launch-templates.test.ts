import {
  CreateLaunchTemplateVersionCommand,
  DeleteLaunchTemplateVersionsCommand,
  DescribeLaunchTemplateVersionsCommand,
  EC2Client,
  ModifyLaunchTemplateCommand,
} from '@aws-sdk/client-ec2';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import {
  createTemplateVersion,
  deleteTemplateVersions,
  describeTemplateVersion,
  listTemplateVersions,
  setDefaultTemplateVersion,
} from '../../lambda/aws/launch-templates.ts';

const api = mockClient(EC2Client);
const aws = createAws({ region: 'eu-west-1' });
beforeEach(() => api.reset());

const PROFILE = 'arn:aws:iam::123456789012:instance-profile/ecs/profile';

describe('launch template versions', () => {
  test('are made of their source with nothing but the image, once for one token', async () => {
    api.on(CreateLaunchTemplateVersionCommand).resolves({});
    await createTemplateVersion(aws, 'lt-1', {
      sourceVersion: 3,
      imageId: 'ami-2',
      groupUuid: '11111111-0000-4000-8000-000000000000',
      requestedAt: new Date('2026-11-21T12:34:56Z'),
    });
    expect(api.commandCalls(CreateLaunchTemplateVersionCommand)[0]?.args[0].input).toEqual({
      LaunchTemplateId: 'lt-1',
      SourceVersion: '3',
      VersionDescription: 'ecs-ami-deploy: ami-2 from version 3',
      LaunchTemplateData: { ImageId: 'ami-2' },
      ClientToken: 'lt-1-3-ami-2-11111111-2026-11-21T12:3',
    });
  });

  test('are resolved from a reference, and listed on every page', async () => {
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
      deviceNames: [],
    });
    expect((await listTemplateVersions(aws, 'lt-1')).map(({ version }) => version)).toEqual([2, 1]);
  });

  test('tell the image, or its alias, the type, the devices and the profile, as far as they name any', async () => {
    api.on(DescribeLaunchTemplateVersionsCommand).resolves({
      LaunchTemplateVersions: [
        {
          VersionNumber: 3,
          VersionDescription: 'by hand',
          LaunchTemplateData: {
            ImageId: 'resolve:ssm:/images/ecs',
            InstanceType: 'm7g.large',
            BlockDeviceMappings: [{ DeviceName: '/dev/xvda' }, { DeviceName: '/dev/sdb' }],
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
      deviceNames: ['/dev/xvda', '/dev/sdb'],
      instanceProfile: 'profile',
    });
    const bare = {
      description: '',
      isDefault: false,
      imageId: undefined,
      instanceType: undefined,
      deviceNames: [],
    };
    expect(others).toEqual([
      { version: 2, ...bare, instanceProfile: PROFILE },
      { version: 1, ...bare },
    ]);
  });

  test('that a reference comes to may not be there', async () => {
    api.on(DescribeLaunchTemplateVersionsCommand).resolves({ LaunchTemplateVersions: [] });
    expect(await describeTemplateVersion(aws, 'lt-1', '9')).toBeUndefined();
    expect(api.commandCalls(DescribeLaunchTemplateVersionsCommand)[0]?.args[0].input).toEqual({
      LaunchTemplateId: 'lt-1',
      Versions: ['9'],
    });
  });

  test('become the default by number', async () => {
    api.on(ModifyLaunchTemplateCommand).resolves({});
    await setDefaultTemplateVersion(aws, 'lt-1', 4);
    expect(api.commandCalls(ModifyLaunchTemplateCommand)[0]?.args[0].input).toEqual({
      LaunchTemplateId: 'lt-1',
      DefaultVersion: '4',
    });
  });

  test('are deleted 200 at a time; what is gone is no fault, anything else is', async () => {
    const failure = (Code: 'launchTemplateVersionDoesNotExist' | 'unexpectedError') => ({
      UnsuccessfullyDeletedLaunchTemplateVersions: [
        { VersionNumber: 1, ResponseError: { Code, Message: Code } },
      ],
    });
    api
      .on(DeleteLaunchTemplateVersionsCommand)
      .resolvesOnce(failure('launchTemplateVersionDoesNotExist'))
      .resolves(failure('unexpectedError'));
    const versions = Array.from({ length: 201 }, (_, index) => index + 1);
    await expect(deleteTemplateVersions(aws, 'lt-1', versions)).rejects.toThrow(
      "version 1 of launch template lt-1 can't be deleted: unexpectedError",
    );
    expect(
      api.commandCalls(DeleteLaunchTemplateVersionsCommand).map(({ args }) => args[0].input.Versions?.length),
    ).toEqual([200, 1]);
  });
});
