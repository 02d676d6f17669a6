import { DescribeLaunchTemplateVersionsCommand, EC2Client } from '@aws-sdk/client-ec2';
import { GetParametersCommand, SSMClient } from '@aws-sdk/client-ssm';
import { describe, expect, test } from 'vitest';
import type { DescribedGroup, MixedInstances } from '../../lambda/aws/autoscaling.ts';
import { createAws } from '../../lambda/aws/clients.ts';
import { sentenceOf } from '../../lambda/core/reasons/reason.ts';
import { launchCatalog } from '../../lambda/look/launch.ts';
import { mocked } from '../aws/mocked.ts';

const ec2 = mocked(EC2Client);
const ssm = mocked(SSMClient);
const aws = createAws({ region: 'eu-west-1' });

const GROUP: DescribedGroup = {
  name: 'web',
  uuid: '1',
  createdAt: new Date(0),
  minSize: 0,
  maxSize: 4,
  desiredCapacity: 1,
  members: [],
  tags: {},
  untrusted: [],
  propagatedTags: [],
  suspendedProcesses: [],
  trafficSources: [],
  otherTrafficSources: [],
  availabilityZones: [],
  subnetIds: [],
  hasWarmPool: false,
  capacityType: 'units',
  deleting: false,
};
const template = (templateId: string, version = '$Latest') => ({ templateId, version });
const launching = (VersionNumber: number, ImageId?: string, InstanceType?: 'm5.large') => ({
  LaunchTemplateVersions: [{ VersionNumber, LaunchTemplateData: { ImageId, InstanceType } }],
});

test('a template is looked up again until it is seen to launch the image of the roll, and while nothing is ended', async () => {
  ec2
    .on(DescribeLaunchTemplateVersionsCommand)
    .resolvesOnce(launching(1, 'ami-1'))
    .resolvesOnce(launching(2, 'ami-2'))
    .resolves(launching(3, 'ami-3'));
  const catalog = launchCatalog(aws);
  const seen = async (...settledImageIds: string[]) => {
    const settled = settledImageIds.length > 0 ? settledImageIds : undefined;
    const found = await catalog.launchOf({ ...GROUP, launchTemplate: template('lt-1') }, settled);
    return 'sources' in found && found.sources.map(({ imageId }) => imageId);
  };
  expect(await seen()).toEqual(['ami-1']);
  // Another invocation has given the group its image, and has gone on to detach, since the last look.
  expect(await seen('ami-2')).toEqual(['ami-2']);
  expect(await seen('ami-2', 'ami-9')).toEqual(['ami-2']);
  expect(ec2.calls()).toHaveLength(2);
  expect(await seen()).toEqual(['ami-3']);
});

describe('a mixed instances policy', () => {
  const base = template('lt-1');

  async function launchOf(overrides: MixedInstances['overrides']) {
    ec2
      .on(DescribeLaunchTemplateVersionsCommand, { LaunchTemplateId: 'lt-1' })
      .resolves(launching(3, 'ami-1', 'm5.large'))
      .on(DescribeLaunchTemplateVersionsCommand, { LaunchTemplateId: 'lt-2' })
      .resolves(launching(4, 'ami-2'));
    return launchCatalog(aws).launchOf({ ...GROUP, mixedInstances: { base, overrides } });
  }

  const ofTemplate = (templateId: string, version: number, reference = '$Latest') => ({
    kind: 'launch-template',
    templateId,
    version,
    reference,
  });

  test('without overrides launches its template as the type that this names', async () => {
    expect(await launchOf([])).toEqual({
      mixed: true,
      sources: [{ place: ofTemplate('lt-1', 3), imageId: 'ami-1', instanceTypes: ['m5.large'], devices: [] }],
    });
  });

  test('launches the images of all templates, and those that overrides name, as the types that go with each', async () => {
    const own = template('lt-2', '4');
    const found = await launchOf([
      { instanceType: 'm5.xlarge' },
      {},
      { instanceType: 'm7g.large', template: own },
      { instanceType: 'c5.large', imageId: 'ami-5' },
    ]);
    expect(found).toMatchObject({
      mixed: true,
      sources: [
        { place: ofTemplate('lt-1', 3), imageId: 'ami-1', instanceTypes: ['m5.xlarge', 'm5.large'] },
        {
          place: { kind: 'override', templateId: 'lt-1', version: 3, instanceTypes: ['c5.large'] },
          imageId: 'ami-5',
          instanceTypes: ['c5.large'],
        },
        { place: ofTemplate('lt-2', 4, 'number'), imageId: 'ami-2', instanceTypes: ['m7g.large'] },
      ],
    });
  });

  test('launches nothing that is known of its template where it chooses by requirements', async () => {
    const found = await launchOf([{ byRequirements: true }, { byRequirements: true, imageId: 'ami-5' }]);
    expect(found).toMatchObject({
      sources: [
        { imageId: 'ami-1', instanceTypes: [] },
        { imageId: 'ami-5', instanceTypes: [], place: { kind: 'override', instanceTypes: [] } },
      ],
    });
  });

  test('does not launch its own template if every override has another', async () => {
    const found = await launchOf([{ template: template('lt-2', '4') }]);
    expect(found).toMatchObject({ sources: [{ imageId: 'ami-2' }] });
  });
});

describe('an alias', () => {
  const ALIAS = 'resolve:ssm:/images/ecs:blessed';

  test('is looked up once, and told with the image which it resolves to', async () => {
    ec2.on(DescribeLaunchTemplateVersionsCommand).resolves(launching(1, ALIAS));
    ssm
      .on(GetParametersCommand, { Names: ['/images/ecs:blessed'] })
      .resolves({ Parameters: [{ Value: 'ami-7' }] });
    const catalog = launchCatalog(aws);
    const group = { ...GROUP, launchTemplate: template('lt-1') };
    await catalog.launchOf(group);
    expect(await catalog.launchOf({ ...group, name: 'jobs' })).toMatchObject({
      sources: [{ place: { alias: ALIAS }, imageId: 'ami-7' }],
    });
    expect(ssm.calls()).toHaveLength(1);
  });

  test.each([
    [
      'an alias without an image',
      ALIAS,
      /version 1 of launch template lt-1 has the image resolve:ssm:\S+, which resolves to no image id/,
    ],
    ['what is neither an id nor an alias', 'latest', /has the image latest, which resolves to no image id/],
    ['no image', undefined, /version 1 of launch template lt-1 names no image/],
  ])('or a template with %s is an obstacle', async (_, image, obstacle) => {
    ec2.on(DescribeLaunchTemplateVersionsCommand).resolves(launching(1, image));
    ssm.on(GetParametersCommand).resolves({ Parameters: [] });
    const found = await launchCatalog(aws).launchOf({ ...GROUP, launchTemplate: template('lt-1') });
    expect('obstacle' in found && sentenceOf(found.obstacle)).toMatch(obstacle);
  });
});
