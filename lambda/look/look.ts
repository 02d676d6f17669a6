import { type DescribedGroup, describeWarmPool } from '../aws/autoscaling.ts';
import type { Aws } from '../aws/clients.ts';
import type { Member } from '../core/model/group.ts';
import type { Permit } from '../core/model/permit.ts';
import type { Settings } from '../core/model/settings.ts';
import type { Memory } from './memory.ts';

/**
 * The Auto Scaling groups that may belong to one cluster; `core/group/belongs.ts` decides whether they do.
 */
export interface Scope {
  readonly cluster: string;
  readonly groups: readonly string[];
}

/** What to look at, with which settings and when. */
export interface Look {
  readonly scope: Scope;
  readonly settings: Settings;
  readonly now: Date;
  /** Present if the stack is a member of a sequence. */
  readonly permit?: Permit;
}

/** What reading a group's details needs besides its assessment. */
export interface GroupLook {
  readonly record: DescribedGroup;
  readonly memory: Memory;
}

/** A group as Auto Scaling describes it, with its warm pool, which takes a call of its own. */
export interface SeenGroup {
  readonly record: DescribedGroup;
  readonly warmPool: readonly Member[];
}

export async function seenGroup(aws: Aws, record: DescribedGroup): Promise<SeenGroup> {
  return { record, warmPool: record.hasWarmPool ? await describeWarmPool(aws, record.name) : [] };
}
