import type { GroupSettings } from '../core/model/settings.ts';
import type { ImageCatalog } from './images.ts';

/** What targets are chosen by. */
export interface ImageCriteria {
  readonly images: ImageCatalog;
  /** Those of the group. */
  readonly settings: GroupSettings;
  readonly now: Date;
  /** Images that the group is not to be rolled onto again. */
  readonly rejected: readonly string[];
  /** What container instances tell as their operating system, by the image that they run. */
  readonly osFamilies: ReadonlyMap<string, ReadonlySet<string>>;
}
