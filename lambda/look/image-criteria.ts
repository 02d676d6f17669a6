import type { GroupSettings } from '../core/model/settings.ts';
import type { ImageCatalog } from './images.ts';

/** What decides which image is chosen. */
export interface ImageCriteria {
  readonly images: ImageCatalog;
  /** The group's settings. */
  readonly settings: GroupSettings;
  readonly now: Date;
  /** Images that the group must not be rolled onto again. */
  readonly rejected: readonly string[];
  /** Instances of the group, by the image that they run. */
  readonly runners: ReadonlyMap<string, readonly string[]>;
}
