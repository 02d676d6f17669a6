import { DescribeLaunchTemplateVersionsCommand, EC2Client } from '@aws-sdk/client-ec2';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { launchCatalog } from '../../lambda/launch.ts';

const api = mockClient(EC2Client);
const aws = createAws({ region: 'eu-west-1' });
beforeEach(() => api.reset());

const group = {
  name: 'web',
  uuid: '1',
  desiredCapacity: 1,
  members: [],
  tags: {},
  launchTemplate: { templateId: 'lt-1', version: '$Latest' },
  mixedInstances: false,
  templateReferences: [],
  suspendedProcesses: [],
  trafficSources: [],
  warmPool: false,
  deleting: false,
};
const launching = (VersionNumber: number, ImageId: string) => ({
  LaunchTemplateVersions: [{ VersionNumber, LaunchTemplateData: { ImageId } }],
});

test('a template is looked up again until it is seen to launch the image of the roll, and while nothing is ended', async () => {
  api
    .on(DescribeLaunchTemplateVersionsCommand)
    .resolvesOnce(launching(1, 'ami-1'))
    .resolvesOnce(launching(2, 'ami-2'))
    .resolves(launching(3, 'ami-3'));
  const catalog = launchCatalog(aws);
  const seen = async (settledImageId?: string) => {
    const launch = await catalog.launchOf(group, settledImageId);
    return 'spec' in launch && launch.spec.imageId;
  };
  expect(await seen()).toBe('ami-1');
  // Another invocation has given the group its image, and has gone on to detach, since the last look.
  expect(await seen('ami-2')).toBe('ami-2');
  expect(await seen('ami-2')).toBe('ami-2');
  expect(api.calls()).toHaveLength(2);
  expect(await seen()).toBe('ami-3');
});
