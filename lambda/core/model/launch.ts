/** What a group launches from, and onto which images it is rolled: the nouns of images and launch specs. */

export interface Image {
  readonly imageId: string;
  /** Anybody can give his image the name of another's. */
  readonly name: string;
  /** The account. */
  readonly ownerId: string;
  /** As AWS writes it, where it has given the owner one: `amazon`, `aws-marketplace`, … */
  readonly ownerAlias?: string;
  readonly createdAt: Date;
  readonly rootDeviceName: string;
  /** Those that the image itself maps, its root among them. */
  readonly devices: readonly MappedDevice[];
  /** As AWS writes it: `x86_64`, `arm64`, … */
  readonly architecture: string;
  /** As AWS writes it; instances are launched from an `available` one only. */
  readonly state: string;
  readonly deprecatedAt?: Date;
  /** As AWS writes it: `windows`, or nothing. */
  readonly platform?: string;
}

/** A device as an image, or a launch spec over it, maps it. */
export interface MappedDevice {
  readonly name: string;
  /** Where the volume there is made from one that is named. */
  readonly snapshotId?: string;
  /** Where a size is named. */
  readonly sizeGib?: number;
}

/** Which snapshot the volume of a device is made from. */
export interface VolumeSnapshot {
  readonly deviceName: string;
  readonly snapshotId: string;
}

/** How a group's owner chose to name the version of a launch template; a rollout keeps it so. */
export type TemplateReference = '$Latest' | '$Default' | 'number';

/** Where a group has an image from: most have one such place, a mixed instances policy may have many. */
export type LaunchPlace =
  | {
      readonly kind: 'launch-configuration';
      readonly name: string;
      /** The UUID in its ARN: tells it from a later one of the same name. */
      readonly uuid: string;
    }
  | {
      readonly kind: 'launch-template';
      readonly templateId: string;
      readonly reference: TemplateReference;
      /** The version that this comes to now. */
      readonly version: number;
      /** The image is written there as `resolve:ssm:…`: launches follow the parameter, and nothing is to be written. */
      readonly alias?: string;
    }
  | {
      /** Overrides of a mixed instances policy that name an image of their own. */
      readonly kind: 'override';
      readonly templateId: string;
      readonly version: number;
      readonly instanceTypes: readonly string[];
      readonly alias?: string;
    };

/** Its image is what a parameter says: launches follow that by themselves. */
export function hasAlias(place: LaunchPlace): boolean {
  return 'alias' in place && place.alias !== undefined;
}

/** One image that a group launches, and the image to roll it onto. */
export interface LaunchSource {
  readonly place: LaunchPlace;
  readonly imageId: string;
  readonly target: Image;
  /** What is mapped where the target is launched; left out where nothing is. */
  readonly devices?: readonly MappedDevice[];
  /** Name or ARN of what instances get their role from. */
  readonly instanceProfile?: string;
  /** The target, which an alias has launched already, is too young yet to replace anything for. */
  readonly soaks?: boolean;
  /** This image would be the target, but the group is not to be rolled onto it again: it stays with what it launches. */
  readonly rejected?: string;
  /** What the roll has recorded, and isn't followed here, as the settings wouldn't choose it. */
  readonly refused?: readonly string[];
}

/** One place of a mixed instances policy: all that name the version, or the image, of a template there get the new one. */
export type PolicyChange =
  | { readonly kind: 'version'; readonly templateId: string; readonly from: number; readonly to: number }
  | { readonly kind: 'image'; readonly from: string; readonly to: string };

/** A launch configuration or template version that an earlier rollout, or this one, has made. */
export type OwnLaunchSpec =
  | {
      readonly kind: 'launch-configuration';
      readonly name: string;
      readonly createdAt: Date;
    }
  | {
      readonly kind: 'launch-template';
      readonly templateId: string;
      readonly version: number;
      readonly sourceVersion: number;
      readonly imageId: string;
      /** What it maps; left out where it maps nothing. */
      readonly devices?: readonly MappedDevice[];
      /** It is the template's default, or some group names it by its number. */
      readonly inUse: boolean;
    };

/** A group that launches from a template, by whichever reference, and what that comes to now. */
export interface TemplateUser {
  readonly templateId: string;
  readonly group: string;
  readonly reference: TemplateReference;
  readonly version: number;
}

/** What a group launched from before a roll changed it, and with which image it does so now: all that undoes the change. */
export type PreviousLaunchSpec =
  | { readonly kind: 'launch-configuration'; readonly name: string }
  | {
      readonly kind: 'launch-template';
      readonly templateId: string;
      readonly version: number;
      /** The image that was given instead. */
      readonly imageId: string;
    }
  | { readonly kind: 'override'; readonly before: string; readonly imageId: string };

export type LaunchedFrom =
  | { readonly kind: 'launch-configuration'; readonly name: string }
  | { readonly kind: 'launch-template'; readonly templateId: string; readonly version: number };

export interface Launch {
  readonly sources: readonly LaunchSource[];
  /** The templates stand in a mixed instances policy, and are changed there. */
  readonly mixed: boolean;
}

/** The number of a template version that is yet to be made. */
export const VERSION_TO_COME = 0;
