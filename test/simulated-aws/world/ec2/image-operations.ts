import { type Image as Described, DescribeImagesCommand } from '@aws-sdk/client-ec2';
import { AwsError, type Operation, on } from '../../operation.ts';
import { ec2Filter, type FilterFields } from '../filters.ts';
import { createPager } from '../paging.ts';
import type { State } from '../state.ts';
import { AMAZON_ECS_ACCOUNT } from './families.ts';
import { availableImage, ROOT_DEVICE } from './images.ts';
import type { Image } from './model.ts';

const FIELDS: FilterFields<Image> = {
  architecture: (image) => [image.architecture],
  'creation-date': (image) => [new Date(image.createdAtMs).toISOString()],
  'image-id': (image) => [image.id],
  'image-type': () => ['machine'],
  name: (image) => [image.name],
  'owner-alias': (image) => [ownerAlias(image)],
  'owner-id': (image) => [image.ownerId],
  'root-device-type': () => ['ebs'],
  state: (image) => [image.state],
  'virtualization-type': () => ['hvm'],
};

export function imageOperations(state: State): Operation[] {
  const page = createPager<Image>('DescribeImages', {
    default: 1000,
    max: 1000,
    tokenCode: 'InvalidNextToken',
    limitCode: 'InvalidParameterValue',
  });

  return [
    on(DescribeImagesCommand, (input) => {
      if (input.ImageIds?.length && input.MaxResults !== undefined)
        throw new AwsError(
          'InvalidParameterCombination',
          'The parameter imageIdsSet cannot be used with the parameter maxResults',
        );
      const passes = ec2Filter(input.Filters, FIELDS, () => new Map());
      const owned = ownerTest(state, input.Owners);
      const images = candidates(state, input.ImageIds).filter((image) => owned(image) && passes(image));
      const { items, token } = page(images, {
        limit: input.MaxResults,
        token: input.NextToken,
      });
      return { Images: items.map(describe), NextToken: token };
    }),
  ];
}

function candidates(state: State, ids: readonly string[] | undefined): Image[] {
  if (!ids?.length) return [...state.images.values()].filter((image) => image.state === 'available');
  return ids.map((id) => {
    if (!/^ami-[0-9a-f]{8,17}$/.test(id)) throw new AwsError('InvalidAMIID.Malformed', `Invalid id: "${id}"`);
    const image = availableImage(state, id);
    if (!image) throw new AwsError('InvalidAMIID.NotFound', `The image id '[${id}]' does not exist`);
    return image;
  });
}

function ownerTest(state: State, owners: readonly string[] | undefined) {
  if (!owners?.length) return () => true;
  const wanted = new Set(owners.map((owner) => (owner === 'self' ? state.account : owner)));
  return (image: Image) => wanted.has(image.ownerId) || wanted.has(ownerAlias(image) ?? '');
}

function ownerAlias(image: Image): string | undefined {
  return image.ownerId === AMAZON_ECS_ACCOUNT ? 'amazon' : undefined;
}

function describe(image: Image): Described {
  return {
    ImageId: image.id,
    Name: image.name,
    CreationDate: new Date(image.createdAtMs).toISOString(),
    OwnerId: image.ownerId,
    ImageOwnerAlias: ownerAlias(image),
    Architecture: image.architecture,
    State: image.state,
    ImageType: 'machine',
    Public: image.ownerId === AMAZON_ECS_ACCOUNT,
    RootDeviceType: 'ebs',
    RootDeviceName: ROOT_DEVICE,
    VirtualizationType: 'hvm',
    Hypervisor: 'xen',
    BlockDeviceMappings: [
      {
        DeviceName: ROOT_DEVICE,
        Ebs: {
          SnapshotId: image.rootSnapshotId,
          VolumeSize: 30,
          VolumeType: 'gp3',
          DeleteOnTermination: true,
          Encrypted: false,
        },
      },
    ],
  };
}
