import {
  type Image as Described,
  DescribeImagesCommand,
  type DescribeImagesCommandInput,
} from '@aws-sdk/client-ec2';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import { ec2Filter, type Filterable } from '../filters.ts';
import { createPager } from '../paging.ts';
import type { State } from '../state.ts';
import { isAmazons } from './families.ts';
import { aliasOf, isAllowed, isVisible } from './image-sight.ts';
import type { Image } from './model.ts';

export const isoDate = (epochMs: number) => new Date(epochMs).toISOString();

export const isPublic = ({ ownerId, isShared, state }: Image) =>
  isAmazons(ownerId) && isShared && state !== 'disabled';

const FILTERED: Filterable<Image> = {
  operation: 'DescribeImages',
  tagsOf: () => new Map(),
  fields: {
    architecture: (image) => [image.architecture],
    'boot-mode': (image) => [image.bootMode],
    'creation-date': (image) => [isoDate(image.createdAtMs)],
    'image-id': (image) => [image.id],
    'image-type': () => ['machine'],
    'is-public': (image) => [String(isPublic(image))],
    name: (image) => [image.name],
    'owner-alias': (image) => [aliasOf(image)],
    'owner-id': (image) => [image.ownerId],
    'root-device-name': (image) => [image.rootDeviceName],
    'root-device-type': () => ['ebs'],
    state: (image) => [image.state],
    'virtualization-type': () => ['hvm'],
  },
};

export function imageOperations(state: State): Operation[] {
  const page = createPager<Image>('DescribeImages', {
    default: 1000,
    max: 1000,
    tokenCode: 'InvalidNextToken',
    limitCode: 'InvalidParameterValue',
  });

  return [
    on(
      DescribeImagesCommand,
      {
        ImageIds: 'all',
        Owners: 'all',
        IncludeDeprecated: 'all',
        IncludeDisabled: 'all',
        Filters: 'all',
        NextToken: 'all',
        MaxResults: 'all',
      },
      (input) => {
        const { ImageIds: ids, MaxResults: limit } = input;
        // ledger: images-ids-paged
        if (ids?.length && limit !== undefined)
          throw new AwsError(
            'InvalidParameterCombination',
            'The parameter imageIdsSet cannot be used with the parameter maxResults',
          );
        const passes = ec2Filter(input.Filters, FILTERED);
        const isOwned = ownerTest(state, input.Owners);
        const candidates = ids?.length ? byIds(state, ids) : listed(state, input);
        const images = candidates.filter((image) => isOwned(image) && passes(image));
        const { items, token } = page(images, { limit, token: input.NextToken });
        return { Images: items.map((image) => describe(state, image)), NextToken: token };
      },
    ),
  ];
}

/**
 * "The deprecated AMI does not appear in DescribeImages API calls unless you specify its ID or specify that
 * deprecated AMIs must appear. AMI owners continue to see" theirs.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ami-deprecate.html
 *
 * "A disabled AMI does not appear in DescribeImages API calls by default."
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/disable-an-ami.html
 */
function listed(
  state: State,
  { IncludeDeprecated: includesDeprecated, IncludeDisabled: includesDisabled }: DescribeImagesCommandInput,
): Image[] {
  const isHidden = ({ deprecatedAtMs = Number.POSITIVE_INFINITY, ownerId, state: is }: Image) =>
    (!includesDeprecated && deprecatedAtMs <= state.clock.now() && ownerId !== state.account) ||
    (!includesDisabled && is === 'disabled');
  return [...state.images.values()].filter((image) => isVisible(state, image) && !isHidden(image));
}

/** In any state and of any age, as long as this account sees them. */
function byIds(state: State, ids: readonly string[]): Image[] {
  return ids.map((id) => {
    // ledger: images-id-malformed
    if (!/^ami-[0-9a-f]{8,17}$/.test(id)) throw new AwsError('InvalidAMIID.Malformed', `Invalid id: "${id}"`);
    const image = state.images.get(id);
    // ledger: images-id-unknown
    if (!image || !isVisible(state, image))
      throw new AwsError('InvalidAMIID.NotFound', `The image id '[${id}]' does not exist`);
    return image;
  });
}

const OWNER = /^(?:\d{12}|self|amazon|aws-marketplace|aws-backup-vault)$/;

function ownerTest(state: State, owners: readonly string[] | undefined) {
  if (!owners?.length) return () => true;
  const unknown = owners.find((owner) => !OWNER.test(owner));
  // ledger: images-owner-malformed
  if (unknown !== undefined)
    throw new AwsError(
      'InvalidUserID.Malformed',
      `Invalid user id: "${unknown}" (expecting "self" or an id)`,
    );
  const wanted = new Set(owners.map((owner) => (owner === 'self' ? state.account : owner)));
  return (image: Image) => wanted.has(image.ownerId) || wanted.has(aliasOf(image) ?? '');
}

/** The SDK calls it `Windows`, EC2 answers it in lower case. */
const WINDOWS = 'windows' as 'Windows';

function describe(state: State, image: Image): Described {
  const { deprecatedAtMs, typeSpecification } = image;
  return {
    ImageId: image.id,
    Name: image.name,
    CreationDate: isoDate(image.createdAtMs),
    DeprecationTime: deprecatedAtMs === undefined ? undefined : isoDate(deprecatedAtMs),
    OwnerId: image.ownerId,
    ImageOwnerAlias: aliasOf(image),
    ImageAllowed: state.allowedImages && isAllowed(state, image),
    BootMode: image.bootMode,
    InstanceTypeSpecification: typeSpecification && {
      SupportedInstanceTypes: typeItems(typeSpecification.supported),
      UnsupportedInstanceTypes: typeItems(typeSpecification.unsupported),
    },
    Architecture: image.architecture,
    Platform: image.family?.startsWith('windows/') ? WINDOWS : undefined,
    State: image.state,
    ImageType: 'machine',
    Public: isPublic(image),
    RootDeviceType: 'ebs',
    RootDeviceName: image.rootDeviceName,
    VirtualizationType: 'hvm',
    Hypervisor: 'xen',
    BlockDeviceMappings: [
      volume(image, image.rootDeviceName, image.rootSnapshotId, image.rootSizeGib),
      ...image.dataVolumes.map(({ deviceName, snapshotId, sizeGib }) =>
        volume(image, deviceName, snapshotId, sizeGib),
      ),
    ],
  };
}

const typeItems = (types: readonly string[] | undefined) => types?.map((InstanceType) => ({ InstanceType }));

function volume(
  { isEncrypted: Encrypted }: Image,
  DeviceName: string,
  SnapshotId: string,
  VolumeSize: number,
) {
  const ebs = { VolumeType: 'gp3', DeleteOnTermination: true, Encrypted } as const;
  return { DeviceName, Ebs: { SnapshotId, VolumeSize, ...ebs } };
}
