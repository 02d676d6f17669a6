import {
  CreateTagsCommand,
  DeleteTagsCommand,
  DescribeTagsCommand,
  type Tag,
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
      for (const { Key: key = '', Value: value = '' } of tags) demandTag(key, value);
      for (const instance of found(state, 'CreateTags', ids)) demandRoom(instance, tags);
      changeTags(state, 'CreateTags', ids, (instance) => {
        for (const { Key: key = '', Value: value = '' } of tags) instance.tags.set(key, value);
      });
      return {};
    }),

    on(DeleteTagsCommand, 'all', ({ Resources: ids = [], Tags: tags }) => {
      // ledger: delete-tags-most
      assertAtMost(MAX_DELETED, tags ?? [], 'InvalidParameterValue', 'Tags');
      for (const { Key: key = '' } of tags ?? []) demandKey(key);
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

const MAX_TAGS = 50;
const MAX_DELETED = 1000;
const CHARACTERS = { key: 128, value: 256 } as const;

const isOwn = (key: string) => !key.startsWith(RESERVED);

/** https://docs.aws.amazon.com/ec2/latest/devguide/errors-overview.html */
function demandKey(key: string) {
  // ledger: create-tags-key, delete-tags-reserved
  if (key === '' || !isOwn(key))
    throw new AwsError(
      'InvalidTagKey.Malformed',
      `Tag keys can't be empty, nor start with 'aws:', which is reserved for internal use: '${key}'`,
    );
}

/** https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/Using_Tags.html#tag-restrictions */
function demandTag(key: string, value: string) {
  demandKey(key);
  // ledger: create-tags-lengths
  if ([...key].length > CHARACTERS.key || [...value].length > CHARACTERS.value)
    throw new AwsError(
      'InvalidParameterValue',
      `A tag has at most ${CHARACTERS.key} characters in its key and ${CHARACTERS.value} in its value`,
    );
}

function demandRoom({ id, tags: present }: Instance, tags: readonly Tag[]) {
  const keys = new Set([...present.keys(), ...tags.map(({ Key = '' }) => Key)]);
  // ledger: create-tags-most
  if ([...keys].filter(isOwn).length > MAX_TAGS)
    throw new AwsError('TagLimitExceeded', `${id} can't have more than ${MAX_TAGS} tags`);
}

/**
 * Without tags, all are meant that AWS didn't make:
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DeleteTags.html
 */
const ownTags = ({ tags }: Instance) =>
  [...tags.keys()].filter(isOwn).map((Key) => ({ Key, Value: undefined }));

const MAX_IDS = 1000;

function changeTags(
  state: State,
  operation: string,
  ids: readonly string[],
  change: (instance: Instance) => void,
) {
  for (const instance of found(state, operation, ids)) {
    change(instance);
    state.emit({ kind: 'instance-tagged', instance });
  }
}

function found(state: State, operation: string, ids: readonly string[]): Instance[] {
  // ledger: delete-tags-ids, create-tags-ids
  assertAtMost(MAX_IDS, ids, 'InvalidParameterValue', 'Resource ids');
  const malformed = ids.find((id) => !/^[a-z-]+-[0-9a-f]{8,17}$/.test(id));
  // ledger: create-tags-id-malformed
  if (malformed !== undefined) throw new AwsError('InvalidID', `Invalid id: "${malformed}"`);
  // Such as `lt-0123456789abcdef0`: EC2 would tag it.
  const other = ids.find((id) => !id.startsWith('i-'));
  if (other !== undefined) throw notSimulated(`ec2.${operation}: Resources ${other}`);
  return findInstancesToChange(state, ids);
}

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
