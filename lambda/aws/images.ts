import {
  type Image as AwsImage,
  DescribeInstanceImageMetadataCommand,
  type Filter,
  type InstanceTypeSpecification,
  paginateDescribeImages,
} from '@aws-sdk/client-ec2';
import type { Image, ImageTrace, TypeSpecification } from '../core/model/launch.ts';
import { piecesOf } from '../core/model/pieces.ts';
import { mappedDevices } from './block-devices.ts';
import type { Aws } from './clients.ts';
import { FILTER_VALUES, PAGE } from './ec2.ts';
import { hasCode } from './errors.ts';

/**
 * Images by id, the deprecated and disabled too. Those are missing that are gone, not shared with this
 * account, or not allowed in it.
 */
export async function describeImages(aws: Aws, imageIds: readonly string[]): Promise<Image[]> {
  const found: Image[] = [];
  for (const Values of piecesOf(imageIds, FILTER_VALUES)) {
    const Filters = [{ Name: 'image-id', Values }];
    found.push(...(await imagesBy(aws, { Filters, IncludeDeprecated: true, IncludeDisabled: true })));
  }
  return found;
}

/** Which images to look for. */
export interface ImageQuery {
  /** `*` and `?` are wildcards. */
  readonly name: string;
  readonly owner: string;
  /** Any if undefined. */
  readonly architecture?: string;
  /** Only these images, deprecated or not; any image that isn't deprecated if undefined. */
  readonly imageIds?: readonly string[];
}

/**
 * The available images that match, newest by creation date first. Deprecated images of other owners are
 * left out.
 */
export async function findImages(
  aws: Aws,
  { name, owner, architecture, imageIds }: ImageQuery,
): Promise<Image[]> {
  const filters = [
    { Name: 'name', Values: [name] },
    { Name: 'state', Values: ['available'] },
    ...(architecture === undefined ? [] : [{ Name: 'architecture', Values: [architecture] }]),
    ...(imageIds === undefined ? [] : [{ Name: 'image-id', Values: [...imageIds] }]),
  ];
  const input = { Owners: [owner], Filters: filters };
  const images = await imagesBy(aws, imageIds === undefined ? input : { ...input, IncludeDeprecated: true });
  return images.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
}

async function imagesBy(
  { ec2 }: Aws,
  input: { Owners?: string[]; Filters: Filter[]; IncludeDeprecated?: boolean; IncludeDisabled?: boolean },
): Promise<Image[]> {
  const found: Image[] = [];
  for await (const { Images = [] } of paginateDescribeImages({ client: ec2, pageSize: PAGE }, input)) {
    found.push(...Images.flatMap(imageOf));
  }
  return found;
}

function isUnencrypted({ BlockDeviceMappings = [] }: AwsImage): boolean {
  const volumes = BlockDeviceMappings.flatMap(({ Ebs }) => Ebs ?? []);
  return volumes.length > 0 && volumes.every(({ Encrypted }) => Encrypted === false);
}

function imageOf(image: AwsImage): Image[] {
  if (image.ImageId === undefined) return [];
  const { DeprecationTime } = image;
  return [
    {
      imageId: image.ImageId,
      name: image.Name ?? '',
      ownerId: image.OwnerId ?? '',
      createdAt: new Date(image.CreationDate ?? ''),
      rootDeviceName: image.RootDeviceName ?? '',
      devices: mappedDevices(image.BlockDeviceMappings),
      ...(!isUnencrypted(image) && { encrypted: true }),
      architecture: image.Architecture ?? '',
      state: image.State ?? '',
      ...(DeprecationTime && { deprecatedAt: new Date(DeprecationTime) }),
      ...(image.Platform && { platform: image.Platform.toLowerCase() }),
      ...(image.BootMode && { bootMode: image.BootMode }),
      ...typesOf(image.InstanceTypeSpecification),
    },
  ];
}

function typesOf({
  SupportedInstanceTypes = [],
  UnsupportedInstanceTypes = [],
}: InstanceTypeSpecification = {}): { readonly typeSpecification?: TypeSpecification } {
  const supported = SupportedInstanceTypes.flatMap(({ InstanceType }) => InstanceType ?? []);
  const unsupported = UnsupportedInstanceTypes.flatMap(({ InstanceType }) => InstanceType ?? []);
  return supported.length + unsupported.length === 0 ? {} : { typeSpecification: { supported, unsupported } };
}

/**
 * The image that an instance was launched with, even if it is gone, or hidden from this account.
 *
 * @returns undefined if there is no such instance any more
 */
export async function describeImageOf({ ec2 }: Aws, instanceId: string): Promise<ImageTrace | undefined> {
  try {
    const { InstanceImageMetadata: [found] = [] } = await ec2.send(
      new DescribeInstanceImageMetadataCommand({ InstanceIds: [instanceId] }),
    );
    const { ImageId, Name, OwnerId, CreationDate } = found?.ImageMetadata ?? {};
    if (!ImageId || !Name || !OwnerId) return undefined;
    return { imageId: ImageId, name: Name, ownerId: OwnerId, createdAt: new Date(CreationDate ?? '') };
  } catch (error) {
    if (!hasCode(error, 'InvalidInstanceID.NotFound')) throw error;
    return undefined;
  }
}
