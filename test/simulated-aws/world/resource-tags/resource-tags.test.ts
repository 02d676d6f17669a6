import { GetResourcesCommand } from '@aws-sdk/client-resource-groups-tagging-api';
import { expect, test } from 'vitest';
import { virtualClock } from '../../clock/clock.ts';
import { directCalls } from '../direct-calls.ts';
import { createWorld } from '../world.ts';

test('functions are found by their tags, those that are gone too', () => {
  const world = createWorld({ clock: virtualClock(0), seed: 1 });
  const add = (arn: string, rest: object) =>
    world.state.functions.set(arn, { arn, events: [], answers: [], answer: () => undefined, ...rest });
  add('one', { tags: { role: 'gate', team: 'web' } });
  add('gone', { tags: { role: 'gate' }, isDeleted: true });
  add('other', { tags: { role: 'door' } });
  add('untagged', {});
  const found = (...TagFilters: { Key: string; Values?: string[] }[]) =>
    directCalls(world)(GetResourcesCommand, { TagFilters, ResourceTypeFilters: ['lambda:function'] })
      .ResourceTagMappingList ?? [];
  const arns = (...filters: Parameters<typeof found>) =>
    found(...filters).map(({ ResourceARN }) => ResourceARN);
  expect(arns({ Key: 'role', Values: ['gate'] })).toEqual(['one', 'gone']);
  expect(arns({ Key: 'role' })).toEqual(['one', 'gone', 'other']);
  expect(arns({ Key: 'role', Values: ['gate'] }, { Key: 'team' })).toEqual(['one']);
  expect(found({ Key: 'team' })[0]?.Tags).toContainEqual({ Key: 'team', Value: 'web' });
});
