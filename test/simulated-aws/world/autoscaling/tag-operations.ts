import {
  CreateOrUpdateTagsCommand,
  DeleteTagsCommand,
  DescribeTagsCommand,
  type Tag,
  type TagDescription,
} from '@aws-sdk/client-auto-scaling';
import { type Operation, on } from '../../account/operation.ts';
import type { Filter } from '../filters.ts';
import { createPager } from '../paging.ts';
import type { State } from '../state.ts';
import { describeTags } from './descriptions.ts';
import { findGroup, validationError } from './groups.ts';
import type { Group } from './model.ts';

export function tagOperations(state: State): Operation[] {
  const written = (group: Group) => state.emit({ kind: 'group-written', group, cause: 'call' });
  return [
    on(CreateOrUpdateTagsCommand, 'all', (input) => {
      for (const [group, tag] of tagged(state, input.Tags ?? [])) {
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

function tagged(state: State, tags: readonly Tag[]): [Group, Tag][] {
  return tags.map((tag) => {
    if (tag.ResourceType !== undefined && tag.ResourceType !== 'auto-scaling-group')
      throw validationError(`Invalid resource type: ${tag.ResourceType}`);
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
  if (!field) throw validationError(`Filter type ${name} is not correct.`);
  return (tag: TagDescription) => Values.includes(String(field(tag)));
}
