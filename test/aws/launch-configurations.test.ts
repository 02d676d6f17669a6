import {
  AutoScalingClient,
  DescribeAccountLimitsCommand,
  DescribeLaunchConfigurationsCommand,
} from '@aws-sdk/client-auto-scaling';
import { describe, expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import {
  describeLaunchConfigurations,
  describeLaunchConfigurationsLeft,
} from '../../lambda/aws/launch-configurations.ts';
import { UUID } from './described-group.ts';
import { mocked } from './mocked.ts';

const api = mocked(AutoScalingClient);
const aws = createAws({ region: 'eu-west-1' });

describe('launch configurations', () => {
  test('show their image, type, devices and profile, and are told apart by the UUID in their ARN', async () => {
    api.on(DescribeLaunchConfigurationsCommand).resolves({
      LaunchConfigurations: [
        {
          LaunchConfigurationName: 'old',
          LaunchConfigurationARN: `arn:aws:autoscaling:eu-west-1:1:launchConfiguration:${UUID}:launchConfigurationName/old`,
          ImageId: 'ami-1',
          InstanceType: 'm5.large',
          BlockDeviceMappings: [
            { DeviceName: '/dev/xvda', Ebs: { VolumeSize: 50 } },
            { DeviceName: '/dev/sdd', NoDevice: true },
          ],
          IamInstanceProfile: 'profile',
          CreatedTime: new Date(0),
        },
      ],
    });
    expect(await describeLaunchConfigurations(aws, ['old'])).toEqual([
      {
        name: 'old',
        uuid: UUID,
        imageId: 'ami-1',
        instanceType: 'm5.large',
        devices: [{ name: '/dev/xvda', sizeGib: 50 }, { name: '/dev/sdd' }],
        instanceProfile: 'profile',
        createdAt: new Date(0),
      },
    ]);
  });

  test('are requested by name, 50 at a time', async () => {
    api.on(DescribeLaunchConfigurationsCommand).resolves({ LaunchConfigurations: [] });
    await describeLaunchConfigurations(
      aws,
      Array.from({ length: 51 }, (_, index) => `lc-${index}`),
    );
    const names = api
      .commandCalls(DescribeLaunchConfigurationsCommand)
      .map(({ args: [{ input }] }) => input.LaunchConfigurationNames?.length);
    expect(names).toEqual([50, 1]);
  });

  test('are all read, page by page, if none is named; no names means no call', async () => {
    const named = (LaunchConfigurationName: string) => ({
      LaunchConfigurationName,
      ImageId: 'ami-1',
      InstanceType: 'm5.large',
      CreatedTime: new Date(0),
    });
    api
      .on(DescribeLaunchConfigurationsCommand)
      .resolvesOnce({ LaunchConfigurations: [named('a')], NextToken: 'more' })
      .resolves({ LaunchConfigurations: [named('b')] });
    expect(await describeLaunchConfigurations(aws, [])).toEqual([]);
    expect(api.calls()).toHaveLength(0);
    const found = await describeLaunchConfigurations(aws);
    expect(found.map(({ name, devices }) => [name, devices])).toEqual([
      ['a', []],
      ['b', []],
    ]);
  });

  test.each([
    [200, 198, 2],
    [200, 201, 0],
  ])('with a limit of %i and %i in use leave room for %i', async (most, there, room) => {
    api.on(DescribeAccountLimitsCommand).resolves({
      MaxNumberOfLaunchConfigurations: most,
      NumberOfLaunchConfigurations: there,
    });
    expect(await describeLaunchConfigurationsLeft(aws)).toBe(room);
  });
});
