import { type DescribedGroup, describeWarmPool } from '../aws/autoscaling.ts';
import type { Aws } from '../aws/clients.ts';
import type { Member } from '../core/model/group.ts';

/** A group as Auto Scaling has it, with its warm pool, of which that tells apart. */
export interface SeenGroup {
  readonly record: DescribedGroup;
  readonly warmPool: readonly Member[];
}

export async function seenGroup(aws: Aws, record: DescribedGroup): Promise<SeenGroup> {
  return { record, warmPool: record.hasWarmPool ? await describeWarmPool(aws, record.name) : [] };
}
