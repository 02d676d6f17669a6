import { GetResourcesCommand } from '@aws-sdk/client-resource-groups-tagging-api';
import { type Operation, on } from '../../account/operation.ts';
import type { State } from '../state.ts';

/**
 * As far as it is about functions.
 * https://docs.aws.amazon.com/resourcegroupstagging/latest/APIReference/API_GetResources.html
 */
export function resourceTagOperations({ functions }: State): Operation[] {
  return [
    on(
      GetResourcesCommand,
      { TagFilters: { Key: 'all', Values: 'all' }, ResourceTypeFilters: ['lambda:function'] },
      ({ TagFilters: filters = [] }) => ({
        PaginationToken: '',
        ResourceTagMappingList: [...functions.values()]
          .filter(({ tags = {} }) =>
            filters.every(
              ({ Key = '', Values = [] }) =>
                Object.hasOwn(tags, Key) && (Values.length === 0 || Values.includes(tags[Key] ?? '')),
            ),
          )
          .map(({ arn, tags = {} }) => ({
            ResourceARN: arn,
            Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
          })),
      }),
    ),
  ];
}
