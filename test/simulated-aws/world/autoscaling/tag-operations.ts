import {
  CreateOrUpdateTagsCommand,
  DeleteTagsCommand,
  DescribeTagsCommand,
  type Tag,
  type TagDescription,
} from '@aws-sdk/client-auto-scaling';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import type { Filter } from '../filters.ts';
import { assertAtMost, createPager } from '../paging.ts';
import type { State } from '../state.ts';
import { describeTags } from './descriptions.ts';
import { findGroup, validationError } from './groups.ts';
import type { Group } from './model.ts';

export function tagOperations(state: State): Operation[] {
  const written = (group: Group) => state.emit({ kind: 'group-written', group, cause: 'call' });
  return [
    on(CreateOrUpdateTagsCommand, 'all', (input) => {
      const tags = tagged(state, input.Tags ?? []);
      for (const group of new Set(tags.map(([each]) => each))) assertRoomForTags(group, tags);
      for (const [group, tag] of tags) {
        group.tags.set(tag.Key ?? '', {
          value: tag.Value ?? '',
          propagatesAtLaunch: tag.PropagateAtLaunch ?? false,
        });
        written(group);
      }
      return {};
    }),

    on(DeleteTagsCommand, 'all', (input) => {
      for (const [group, tag] of tagged(state, input.Tags ?? [])) {
        group.tags.delete(tag.Key ?? '');
        written(group);
      }
      return {};
    }),

    describeAllTags(state),
  ];
}

const MAX_TAGS = 25;
const MAX_TAGS_OF_GROUP = 50;

/** AWS's own don't count. */
function assertRoomForTags(group: Group, tags: readonly (readonly [Group, Tag])[]) {
  const added = tags.flatMap(([each, { Key = '' }]) => (each === group ? [Key] : []));
  const keys = new Set([...group.tags.keys(), ...added].filter((key) => !key.startsWith('aws:')));
  if (keys.size <= MAX_TAGS_OF_GROUP) return;
  // ledger: group-tags-most
  throw new AwsError(
    'LimitExceeded',
    `${group.name} would have ${keys.size} tags, at most ${MAX_TAGS_OF_GROUP}`,
  );
}

function tagged(state: State, tags: readonly Tag[]): [Group, Tag][] {
  // ledger: group-tags-per-call
  assertAtMost(MAX_TAGS, tags, 'ValidationError', 'Tags');
  return tags.map((tag) => {
    if (tag.ResourceType !== undefined && tag.ResourceType !== 'auto-scaling-group')
      // ledger: group-tags-type
      throw validationError(`Invalid resource type: ${tag.ResourceType}`);
    // ledger: group-tags-reserved
    if (tag.Key?.startsWith('aws:')) throw validationError(`Reserved tag key: ${tag.Key}`);
    return [findGroup(state, tag.ResourceId), tag];
  });
}

function describeAllTags(state: State): Operation {
  const page = createPager<TagDescription>('DescribeTags', {
    default: 50,
    max: 100,
    tokenCode: 'InvalidNextToken',
    limitCode: 'ValidationError',
  });
  return on(DescribeTagsCommand, 'all', ({ Filters: filters = [], MaxRecords: limit, NextToken }) => {
    const tests = filters.map(tagTest);
    const tags = [...state.groups.values()]
      .flatMap(describeTags)
      .filter((tag) => tests.every((test) => test(tag)));
    const { items, token } = page(tags, { limit, token: NextToken });
    return { Tags: [...items], NextToken: token };
  });
}

/** https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_Filter.html */
const FIELDS: Readonly<Record<string, (tag: TagDescription) => unknown>> = {
  'auto-scaling-group': ({ ResourceId }) => ResourceId,
  key: ({ Key }) => Key,
  value: ({ Value }) => Value,
  'propagate-at-launch': ({ PropagateAtLaunch }) => PropagateAtLaunch,
};

function tagTest({ Name: name = '', Values = [] }: Filter) {
  const field = FIELDS[name];
  // ledger: describe-tags-filters
  if (!field) throw validationError(`Filter type ${name} is not correct.`);
  return (tag: TagDescription) => Values.includes(String(field(tag)));
}
