import { DescribeWarmPoolCommand } from '@aws-sdk/client-auto-scaling';
import { type Operation, on } from '../../account/operation.ts';
import { createPager } from '../paging.ts';
import type { State } from '../state.ts';
import { describeMember, describeWarmPoolConfiguration } from './descriptions.ts';
import { findGroup } from './groups.ts';
import type { Member } from './model.ts';

export function describeWarmPool(state: State): Operation {
  const page = createPager<Member>('DescribeWarmPool', {
    default: 50,
    max: 50,
    tokenCode: 'InvalidNextToken',
    limitCode: 'ValidationError',
  });
  return on(DescribeWarmPoolCommand, 'all', (input) => {
    const group = findGroup(state, input.AutoScalingGroupName);
    const { warmPool } = group;
    const { items, token } = page([...(warmPool?.members.values() ?? [])], {
      limit: input.MaxRecords,
      token: input.NextToken,
    });
    return {
      ...(warmPool && { WarmPoolConfiguration: describeWarmPoolConfiguration(warmPool) }),
      Instances: items.map((member) => describeMember(state, group, member)),
      NextToken: token,
    };
  });
}
