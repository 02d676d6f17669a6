import {
  DescribeAutoScalingGroupsCommand,
  DescribeAutoScalingInstancesCommand,
} from '@aws-sdk/client-auto-scaling';
import { type Operation, on } from '../../account/operation.ts';
import type { Filter } from '../filters.ts';
import { assertAtMost, createPager } from '../paging.ts';
import type { State } from '../state.ts';
import { describeAccountLimits } from './account-limits.ts';
import { describeActivities } from './activity-operations.ts';
import { describeGroup, describeInstanceDetails } from './descriptions.ts';
import { validationError } from './groups.ts';
import { describeInstanceRefreshes } from './instance-refreshes.ts';
import type { Group } from './model.ts';
import { describeWarmPool } from './warm-pool-operations.ts';

const DEFAULT_NAMES = 50;
const CODES = { tokenCode: 'InvalidNextToken', limitCode: 'ValidationError' };

export function autoScalingReadOperations(state: State): Operation[] {
  return [
    describeAccountLimits(state),
    describeGroups(state),
    describeInstances(state),
    describeActivities(state),
    describeWarmPool(state),
    describeInstanceRefreshes(state),
  ];
}

function describeGroups(state: State): Operation {
  const page = createPager<Group>('DescribeAutoScalingGroups', {
    default: 50,
    max: 100,
    ...CODES,
  });
  return on(
    DescribeAutoScalingGroupsCommand,
    {
      AutoScalingGroupNames: 'all',
      IncludeInstances: 'all',
      IncludeManagedResources: 'all',
      Filters: 'all',
      NextToken: 'all',
      MaxRecords: 'all',
    },
    (input) => {
      const { AutoScalingGroupNames: names, MaxRecords: most = DEFAULT_NAMES } = input;
      // ledger: describe-groups-names
      assertAtMost(most, names ?? [], 'ValidationError', 'Group names');
      // Names that no group has are left out without a word.
      const named = names?.length
        ? names.flatMap((name) => state.groups.get(name) ?? [])
        : [...state.groups.values()];
      const { IncludeManagedResources: includesManaged = true } = input;
      const tests = (input.Filters ?? []).map(tagTest);
      if (!includesManaged) tests.push(({ operator }) => operator === undefined);
      const { items, token } = page(
        named.filter((group) => tests.every((test) => test(group))),
        { limit: input.MaxRecords, token: input.NextToken },
      );
      const { IncludeInstances: includesInstances = true } = input;
      const described = items.map((group) => describeGroup(state, group));
      return {
        AutoScalingGroups: includesInstances
          ? described
          : described.map((group) => ({ ...group, Instances: [] })),
        NextToken: token,
      };
    },
  );
}

function tagTest({ Name: name = '', Values = [] }: Filter) {
  const values = new Set(Values);
  if (name === 'tag-key') return ({ tags }: Group) => [...tags.keys()].some((key) => values.has(key));
  if (name === 'tag-value')
    return ({ tags }: Group) => [...tags.values()].some(({ value }) => values.has(value));
  if (name.startsWith('tag:')) {
    const key = name.slice('tag:'.length);
    return ({ tags }: Group) => values.has(tags.get(key)?.value ?? '');
  }
  // ledger: describe-groups-filters
  throw validationError(`Filter type ${name} is not correct.`);
}

function describeInstances(state: State): Operation {
  type Details = ReturnType<typeof describeInstanceDetails>;
  const page = createPager<Details>('DescribeAutoScalingInstances', {
    default: 50,
    max: 50,
    ...CODES,
  });
  return on(
    DescribeAutoScalingInstancesCommand,
    { InstanceIds: 'all', IncludeManagedResources: 'all', NextToken: 'all', MaxRecords: 'all' },
    (input) => {
      const ids = input.InstanceIds ?? [];
      // ledger: describe-instances-ids
      assertAtMost(50, ids, 'ValidationError', 'Instance ids');
      const wanted = new Set(ids);
      const details = [...state.groups.values()].flatMap((group) =>
        [...group.members.values(), ...(group.warmPool?.members.values() ?? [])]
          .filter(({ instance }) => !wanted.size || wanted.has(instance.id))
          .map((member) => describeInstanceDetails(state, group, member)),
      );
      const { items, token } = page(details, {
        limit: input.MaxRecords,
        token: input.NextToken,
      });
      return { AutoScalingInstances: [...items], NextToken: token };
    },
  );
}
