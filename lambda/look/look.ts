import type { Settings } from '../core/model/settings.ts';
import type { Scope } from './discover.ts';

/** What to look at, with which settings and when. */
export interface Look {
  readonly scope: Scope;
  readonly settings: Settings;
  readonly now: Date;
}
