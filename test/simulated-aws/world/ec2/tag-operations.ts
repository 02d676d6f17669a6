import {
  CreateTagsCommand,
  DeleteTagsCommand,
  DescribeTagsCommand,
  type TagDescription,
} from '@aws-sdk/client-ec2';
import { notSimulated } from '../../account/aws-error.ts';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import { ec2Filter, type Filterable } from '../filters.ts';
import { assertAtMost, createPager } from '../paging.ts';
import type { State } from '../state.ts';
import { findInstancesToChange } from './instances.ts';
import type { Instance } from './model.ts';

/** Tags of instances; no other EC2 resource has any here. */
export function tagOperations(state: State): Operation[] {
  return [
    on(CreateTagsCommand, 'all', ({ Resources: ids = [], Tags: tags = [] }) => {
      for (const { Key: key = '' } of tags) assertOwnKey(key);
      changeTags(state, 'CreateTags', ids, (instance) => {
        for (const { Key: key = '', Value: value = '' } of tags) instance.tags.set(key, value);
      });
      return {};
    }),

    on(DeleteTagsCommand, 'all', ({ Resources: ids = [], Tags: tags }) => {
      for (const { Key: key = '' } of tags ?? []) assertOwnKey(key);
      changeTags(state, 'DeleteTags', ids, (instance) => {
        // A tag named with a value is only deleted where it has that value.
        for (const { Key: key = '', Value: value } of tags ?? ownTags(instance))
          if (value === undefined || instance.tags.get(key) === value) instance.tags.delete(key);
      });
      return {};
    }),

    describeTags(state),
  ];
}

const RESERVED = 'aws:';

function assertOwnKey(key: string) {
  if (key.startsWith(RESERVED))
    throw new AwsError(
      'InvalidParameterValue',
      `Tag keys starting with 'aws:' are reserved for internal use: ${key}`,
    );
}

/**
 * Without tags, all are meant that AWS didn't make:
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DeleteTags.html
 */
const ownTags = ({ tags }: Instance) =>
  [...tags.keys()].filter((key) => !key.startsWith(RESERVED)).map((Key) => ({ Key, Value: undefined }));

const MAX_IDS = 1000;

function changeTags(
  state: State,
  operation: string,
  ids: readonly string[],
  change: (instance: Instance) => void,
) {
  // ledger: delete-tags-ids, create-tags-ids
  assertAtMost(MAX_IDS, ids, 'InvalidParameterValue', 'Resource ids');
  const other = ids.find(isOfAnotherKind);
  if (other !== undefined) throw notSimulated(`ec2.${operation}: Resources ${other}`);
  for (const instance of findInstancesToChange(state, ids)) {
    change(instance);
    state.emit({ kind: 'instance-tagged', instance });
  }
}

/** Such as `lt-0123456789abcdef0`: EC2 would tag it. */
const isOfAnotherKind = (id: string) => /^(?!i-)[a-z-]+-[0-9a-f]{8,17}$/.test(id);

function describeTags(state: State): Operation {
  const page = createPager<TagDescription>('DescribeTags', {
    default: 1000,
    min: 5,
    max: 1000,
    tokenCode: 'InvalidNextToken',
    limitCode: 'InvalidParameterValue',
  });
  return on(
    DescribeTagsCommand,
    { Filters: 'all', NextToken: 'all', MaxResults: 'all' },
    ({ Filters: filters, MaxResults: limit, NextToken: token }) => {
      const passes = ec2Filter(filters, FILTERED);
      const tags = [...state.instances.values()].flatMap(describe).filter(passes);
      const { items, token: next } = page(tags, { limit, token });
      return { Tags: [...items], NextToken: next };
    },
  );
}

const describe = ({ id, tags }: Instance): TagDescription[] =>
  [...tags].map(([Key, Value]) => ({ ResourceId: id, ResourceType: 'instance', Key, Value }));

/**
 * `tag:` and a key finds that tag alone:
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeTags.html
 */
const FILTERED: Filterable<TagDescription> = {
  operation: 'DescribeTags',
  tagsOf: ({ Key = '', Value = '' }) => new Map([[Key, Value]]),
  fields: {
    key: ({ Key }) => [Key],
    'resource-id': ({ ResourceId }) => [ResourceId],
    'resource-type': ({ ResourceType }) => [ResourceType],
    value: ({ Value }) => [Value],
  },
};
