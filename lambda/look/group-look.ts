import type { DescribedGroup } from '../aws/autoscaling.ts';
import type { Memory } from './memory.ts';

/** What reading a group's details needs besides its assessment. */
export interface GroupLook {
  readonly record: DescribedGroup;
  readonly memory: Memory;
}
