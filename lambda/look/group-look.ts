import type { DescribedGroup } from '../aws/autoscaling.ts';
import type { Memory } from './memory.ts';

/** What the details of a group are read with, beside its assessment. */
export interface GroupLook {
  readonly record: DescribedGroup;
  readonly memory: Memory;
}
