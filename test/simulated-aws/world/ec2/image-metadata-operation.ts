import { DescribeInstanceImageMetadataCommand, type InstanceImageMetadata } from '@aws-sdk/client-ec2';
import { type Operation, on } from '../../account/operation.ts';
import { ec2Filter, type Filterable } from '../filters.ts';
import { createPager } from '../paging.ts';
import type { State } from '../state.ts';
import { isoDate, isPublic } from './image-operations.ts';
import { aliasOf, isAllowed } from './image-sight.ts';
import { describeState } from './instance-descriptions.ts';
import { findInstances } from './instances.ts';
import type { Instance } from './model.ts';

/**
 * The images of instances, "even if the AMI is deprecated, deregistered, made private (no longer public or
 * shared with your account), or not allowed".
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeInstanceImageMetadata.html
 */
export function imageMetadataOperation(state: State): Operation {
  const page = createPager<Instance>('DescribeInstanceImageMetadata', {
    default: 1000,
    max: 1000,
    tokenCode: 'InvalidNextToken',
    limitCode: 'InvalidParameterValue',
  });
  const filtered: Filterable<Instance> = {
    operation: 'DescribeInstanceImageMetadata',
    tagsOf: ({ tags }) => tags,
    fields: {
      'availability-zone': ({ availabilityZone }) => [availabilityZone],
      'instance-id': ({ id }) => [id],
      'instance-state-name': (instance) => [instance.state],
      'instance-type': ({ instanceType }) => [instanceType],
    },
  };
  return on(
    DescribeInstanceImageMetadataCommand,
    { InstanceIds: 'all', Filters: 'all', MaxResults: 'all', NextToken: 'all' },
    ({ InstanceIds: ids, Filters: filters, MaxResults: limit, NextToken: token }) => {
      // Row image-metadata-unknown-instance.
      const instances = ids?.length ? findInstances(state, ids) : [...state.instances.values()];
      const found = page(instances.filter(ec2Filter(filters, filtered)), { limit, token });
      return {
        InstanceImageMetadata: found.items.map((instance) => describe(state, instance)),
        NextToken: found.token,
      };
    },
  );
}

function describe(state: State, instance: Instance): InstanceImageMetadata {
  const image = state.images.get(instance.imageId);
  return {
    InstanceId: instance.id,
    InstanceType: instance.instanceType as InstanceImageMetadata['InstanceType'],
    LaunchTime: new Date(instance.launchedAtMs),
    AvailabilityZone: instance.availabilityZone,
    State: describeState(instance),
    OwnerId: state.account,
    Tags: [...instance.tags].map(([Key, Value]) => ({ Key, Value })),
    ImageMetadata: image && {
      ImageId: image.id,
      Name: image.name,
      OwnerId: image.ownerId,
      State: image.state,
      ImageOwnerAlias: aliasOf(image),
      CreationDate: isoDate(image.createdAtMs),
      DeprecationTime: image.deprecatedAtMs === undefined ? undefined : isoDate(image.deprecatedAtMs),
      ImageAllowed: isAllowed(state, image),
      IsPublic: isPublic(image),
    },
  };
}
