import type { ImageOwner, ImageSource } from './choices.ts';

/** What the tags of groups may set beyond what is gentler. */
export interface GroupTagSettings {
  /**
   * Settings that a group's tag may set as it likes, written as in the tag: `max-surge`, not `maxSurge`.
   * Beyond these a tag may only make a roll gentler, or leave the group out.
   * @default none
   */
  readonly tagSettings?: string[];

  /**
   * What a group's tag `image` may say besides what `image` says. The role may read the parameters among
   * them.
   * @default none
   */
  readonly tagImages?: ImageSource[];

  /**
   * What a group's tag `image-owner` may say besides what `imageOwner` says, for any of these images.
   * @default none
   */
  readonly tagImageOwners?: ImageOwner[];
}
