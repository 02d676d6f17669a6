import { type DescribedGroup, describeWarmPool } from '../aws/autoscaling.ts';
import type { Aws } from '../aws/clients.ts';
import type { Member } from '../core/model/group.ts';

/** A group as Auto Scaling describes it, with its warm pool, which takes a call of its own. */
export interface SeenGroup {
  readonly record: DescribedGroup;
  readonly warmPool: readonly Member[];
}

export async function seenGroup(aws: Aws, record: DescribedGroup): Promise<SeenGroup> {
  return { record, warmPool: record.hasWarmPool ? await describeWarmPool(aws, record.name) : [] };
}
