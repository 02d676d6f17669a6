import {
  type ArchitectureType,
  DescribeImagesCommand,
  DescribeInstanceImageMetadataCommand,
  DescribeInstanceTypesCommand,
  EC2Client,
  type Image,
  type InstanceTypeInfo,
} from '@aws-sdk/client-ec2';
import { describe, expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { describeInstanceTypes } from '../../lambda/aws/ec2.ts';
import { describeImageOf, describeImages, findImages } from '../../lambda/aws/images.ts';
import { mocked } from './mocked.ts';
import { refusal } from './refusal.ts';

const api = mocked(EC2Client);
const aws = createAws({ region: 'eu-west-1' });

const inputs = () => api.calls().map(({ args: [{ input }] }) => input);
const range = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

describe('images', () => {
  test('are requested by filter, the deprecated and disabled ones too; no ids means no call', async () => {
    api.on(DescribeImagesCommand).resolves({});
    await describeImages(aws, []);
    await describeImages(aws, ['ami-1']);
    expect(inputs()).toMatchObject([
      { Filters: [{ Name: 'image-id', Values: ['ami-1'] }], IncludeDeprecated: true, IncludeDisabled: true },
    ]);
  });

  test('are requested 200 at a time, the most values that a filter may have', async () => {
    api.on(DescribeImagesCommand).resolves({});
    await describeImages(aws, range(201, 'ami-'));
    const values = inputs().map((input) => ('Filters' in input ? input.Filters?.[0]?.Values?.length : 0));
    expect(values).toEqual([200, 1]);
  });

  test('show what decides whether they fit: owner, architecture, state, root device and deprecation', async () => {
    const image: Image = {
      ImageId: 'ami-1',
      Name: 'one',
      CreationDate: '2026-01-01T00:00:00.000Z',
      RootDeviceName: '/dev/xvda',
      Architecture: 'arm64',
      State: 'disabled',
      OwnerId: '591542846629',
      ImageOwnerAlias: 'amazon',
      BootMode: 'uefi',
    };
    const deprecated = {
      ...image,
      OwnerId: '123456789012',
      BootMode: undefined,
      InstanceTypeSpecification: { UnsupportedInstanceTypes: [{ InstanceType: 't3.*' }, {}] },
      ImageId: 'ami-2',
      DeprecationTime: '2027-01-01T00:00:00.000Z',
      BlockDeviceMappings: [{ DeviceName: '/dev/xvda' }, { DeviceName: '/dev/b', Ebs: { Encrypted: false } }],
    };
    api.on(DescribeImagesCommand).resolves({ Images: [image, deprecated, { Name: 'without id' }] });
    const expected = {
      imageId: 'ami-1',
      name: 'one',
      createdAt: new Date('2026-01-01T00:00:00Z'),
      rootDeviceName: '/dev/xvda',
      devices: [],
      architecture: 'arm64',
      state: 'disabled',
      ownerId: '123456789012',
    };
    expect(await describeImages(aws, ['ami-1', 'ami-2'])).toStrictEqual([
      // Nothing says that it isn't.
      { ...expected, ownerId: '591542846629', bootMode: 'uefi', encrypted: true },
      {
        ...expected,
        imageId: 'ami-2',
        devices: [{ name: '/dev/xvda' }, { name: '/dev/b' }],
        deprecatedAt: new Date('2027-01-01T00:00:00Z'),
        typeSpecification: { supported: [], unsupported: ['t3.*'] },
      },
    ]);
  });
});

describe('the image of an instance', () => {
  const METADATA = {
    ImageId: 'ami-1',
    Name: 'one',
    OwnerId: '591542846629',
    CreationDate: '2026-01-01T00:00:00.000Z',
  };

  test('is told even if nobody else shows it', async () => {
    api
      .on(DescribeInstanceImageMetadataCommand)
      .resolves({ InstanceImageMetadata: [{ InstanceId: 'i-1', ImageMetadata: METADATA }] });
    expect(await describeImageOf(aws, 'i-1')).toStrictEqual({
      imageId: 'ami-1',
      name: 'one',
      ownerId: '591542846629',
      createdAt: new Date('2026-01-01T00:00:00Z'),
    });
    expect(inputs()).toEqual([{ InstanceIds: ['i-1'] }]);
  });

  test('is unknown if its instance is gone, or its name is', async () => {
    api.on(DescribeInstanceImageMetadataCommand).rejects(await refusal('ec2', 'InvalidInstanceID.NotFound'));
    expect(await describeImageOf(aws, 'i-1')).toBeUndefined();
    const nameless = { ImageMetadata: { ...METADATA, Name: '' } };
    api.on(DescribeInstanceImageMetadataCommand).resolves({ InstanceImageMetadata: [nameless] });
    expect(await describeImageOf(aws, 'i-1')).toBeUndefined();
  });

  test('fails to be read for any other reason', async () => {
    api.on(DescribeInstanceImageMetadataCommand).rejects(await refusal('ec2', 'InternalError'));
    await expect(describeImageOf(aws, 'i-1')).rejects.toThrow();
  });
});

describe('images with a name', () => {
  const QUERY = { name: 'x-*', owner: 'self' };

  test('come newest first, by creation date, not by place or name', async () => {
    const image = (ImageId: string, CreationDate: string) => ({ ImageId, CreationDate, Name: ImageId });
    api
      .on(DescribeImagesCommand)
      .resolvesOnce({ Images: [image('ami-1', '2026-01-01T00:00:00Z')], NextToken: 'more' })
      .resolves({ Images: [image('ami-3', '2026-03-01T00:00:00Z'), image('ami-2', '2026-02-01T00:00:00Z')] });
    const found = await findImages(aws, QUERY);
    expect(found.map(({ imageId }) => imageId)).toEqual(['ami-3', 'ami-2', 'ami-1']);
  });

  test("are requested among an owner's available ones, without the deprecated", async () => {
    api.on(DescribeImagesCommand).resolves({ Images: [] });
    expect(await findImages(aws, QUERY)).toEqual([]);
    const [input] = inputs();
    expect(input).toMatchObject({
      Owners: ['self'],
      Filters: [
        { Name: 'name', Values: ['x-*'] },
        { Name: 'state', Values: ['available'] },
      ],
    });
    expect(input).not.toHaveProperty('IncludeDeprecated');
  });

  test('are requested by architecture if only one will do', async () => {
    api.on(DescribeImagesCommand).resolves({ Images: [] });
    await findImages(aws, { ...QUERY, architecture: 'arm64' });
    const [input] = inputs();
    expect(input).toMatchObject({
      Filters: expect.arrayContaining([{ Name: 'architecture', Values: ['arm64'] }]),
    });
  });
});

describe('images with one of a few names', () => {
  test('are found, deprecated or not', async () => {
    api.on(DescribeImagesCommand).resolves({ Images: [] });
    await findImages(aws, { name: 'x-*', owner: 'self', imageIds: ['ami-1'] });
    expect(inputs()).toMatchObject([
      {
        Owners: ['self'],
        IncludeDeprecated: true,
        Filters: expect.arrayContaining([{ Name: 'image-id', Values: ['ami-1'] }]),
      },
    ]);
  });
});

describe('what instance types can run', () => {
  const type = (InstanceType: InstanceTypeInfo['InstanceType'], ...runs: ArchitectureType[]) => ({
    InstanceType,
    ProcessorInfo: { SupportedArchitectures: runs },
  });

  test('are read page by page, 200 types at a time', async () => {
    api
      .on(DescribeInstanceTypesCommand)
      .resolvesOnce({ InstanceTypes: [type('t2.small', 'i386', 'x86_64')], NextToken: 'more' })
      .resolvesOnce({ InstanceTypes: [{ ...type('m7g.large', 'arm64'), SupportedBootModes: ['uefi'] }] })
      .resolves({ InstanceTypes: [{ InstanceType: 'm5.large' }] });
    expect(await describeInstanceTypes(aws, range(201, 'type-'))).toEqual(
      new Map([
        ['t2.small', { architectures: ['i386', 'x86_64'], bootModes: [] }],
        ['m7g.large', { architectures: ['arm64'], bootModes: ['uefi'] }],
        ['m5.large', { architectures: [], bootModes: [] }],
      ]),
    );
    const asked = inputs().map((input) => {
      const [filter] = ('Filters' in input && input.Filters) || [];
      return [filter?.Name, filter?.Values?.length];
    });
    expect(asked).toEqual([
      ['instance-type', 200],
      ['instance-type', 200],
      ['instance-type', 1],
    ]);
  });

  test('are requested by filter, so that a missing type is left out', async () => {
    api.on(DescribeInstanceTypesCommand).resolves({ InstanceTypes: [] });
    expect(await describeInstanceTypes(aws, ['no.such'])).toEqual(new Map());
    expect(inputs()[0]).not.toHaveProperty('InstanceTypes');
  });

  test('of no types need no call', async () => {
    expect(await describeInstanceTypes(aws, [])).toEqual(new Map());
    expect(api.calls()).toHaveLength(0);
  });
});
