import type { DescribedGroup } from '../aws/autoscaling.ts';
import type { Settings } from '../core/model/settings.ts';
import type { Scope } from './discover.ts';
import type { Memory } from './memory.ts';

/** What to look at, with which settings and when. */
export interface Look {
  readonly scope: Scope;
  readonly settings: Settings;
  readonly now: Date;
}

/** What reading a group's details needs besides its assessment. */
export interface GroupLook {
  readonly record: DescribedGroup;
  readonly memory: Memory;
}
