/** What a group launches from, and the images to roll it onto. */

import type { InSequence } from './permit.ts';

/**
 * What EC2 tells of an image even if it is gone, or hidden from this account, as long as instances run it.
 */
export interface ImageTrace {
  readonly imageId: string;
  /** Anyone can name an image like another's. */
  readonly name: string;
  /** The account: aliases such as `amazon` stand for others' too. */
  readonly ownerId: string;
  readonly createdAt: Date;
}

export interface Image extends ImageTrace {
  readonly rootDeviceName: string;
  /** Devices the image itself maps, including its root. */
  readonly devices: readonly MappedDevice[];
  /** Some of its snapshots are, or may be. */
  readonly encrypted?: true;
  /** As AWS writes it: `x86_64`, `arm64`, … */
  readonly architecture: string;
  /** As AWS writes it; instances launch only from an `available` one. */
  readonly state: string;
  readonly deprecatedAt?: Date;
  /** As AWS writes it: `windows`, or nothing. */
  readonly platform?: string;
  /** As AWS writes it; absent if an instance boots as its type does by default. */
  readonly bootMode?: string;
  /** Absent if its owner lets any type launch it. */
  readonly typeSpecification?: TypeSpecification;
}

/** Names of instance types, in which `*` is any text. */
export interface TypeSpecification {
  /** Empty if all are. */
  readonly supported: readonly string[];
  readonly unsupported: readonly string[];
}

/** Launches only into Capacity Reservations: into one, if it is named by its id. */
export interface Reserved {
  readonly id?: string;
  /** Not only: elsewhere, too, once they are full. */
  readonly orElsewhere?: true;
}

/** What an instance type can run; each empty if AWS doesn't say. */
export interface InstanceType {
  readonly architectures: readonly string[];
  readonly bootModes: readonly string[];
}

/** A device as an image, or a launch spec over it, maps it. */
export interface MappedDevice {
  readonly name: string;
  /** Present if the mapping names a snapshot. */
  readonly snapshotId?: string;
  /** Present if the mapping names a size. */
  readonly sizeGib?: number;
}

/** What the volume of a device is made from: AWS wants a snapshot or a size. */
export interface VolumeSource {
  readonly deviceName: string;
  readonly snapshotId?: string;
  /** The image's own; present if the mapping names neither a snapshot nor a size. */
  readonly sizeGib?: number;
}

/** How a group's owner refers to the launch template version; a roll keeps it that way. */
export type TemplateReference = '$Latest' | '$Default' | 'number';

/** Where a group's image comes from: usually one place, but a mixed instances policy may have many. */
export type LaunchPlace =
  | {
      readonly kind: 'launch-configuration';
      readonly name: string;
      /** The UUID in its ARN: distinguishes it from a later one of the same name. */
      readonly uuid: string;
    }
  | {
      readonly kind: 'launch-template';
      readonly templateId: string;
      readonly reference: TemplateReference;
      /** The version this resolves to now. */
      readonly version: number;
      /**
       * The template says `resolve:ssm:…` for its image: launches follow the parameter, so there is nothing
       * to write.
       */
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

/** A place whose image is in a launch template's version. */
export type TemplatePlace = Extract<LaunchPlace, { kind: 'launch-template' }>;

/** Its image is an SSM parameter, which launches follow by themselves. */
export function hasAlias(place: LaunchPlace): boolean {
  return 'alias' in place && place.alias !== undefined;
}

/** One image that a group launches, and the image to roll it onto. */
export interface LaunchSource {
  readonly place: LaunchPlace;
  readonly imageId: string;
  readonly target: Image;
  /**
   * No instance can be launched with what is launched now, or attached that runs it: it is gone or hidden.
   */
  readonly lost?: true;
  /** What is mapped where the target is launched; absent if nothing is. */
  readonly devices?: readonly MappedDevice[];
  /** Name or ARN of the instance profile. */
  readonly instanceProfile?: string;
  /** By the launch template, unless the group says otherwise. */
  readonly reserved?: Reserved;
  /** An existing network interface that its instance gets: only one can have it. */
  readonly networkInterface?: string;
  /**
   * Launches get the target already, but no member is replaced for it: it is too young, or stays only because
   * a newer image was rejected.
   */
  readonly onlyForNew?: boolean;
  /** The image that would be the target if it hadn't been rejected; the group keeps what it launches. */
  readonly rejected?: string;
  /** Absent unless the stack is a member of a sequence. */
  readonly inSequence?: InSequence;
  /** Images the roll recorded that are ignored here, as the settings wouldn't choose them. */
  readonly refused?: readonly string[];
}

/**
 * A change to a mixed instances policy: everything in it that names this version, or this image, gets the new
 * one.
 */
export type PolicyChange =
  | { readonly kind: 'version'; readonly templateId: string; readonly from: number; readonly to: number }
  | { readonly kind: 'image'; readonly from: string; readonly to: string };

/** A launch configuration or template version that this roll or an earlier one has made. */
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
      /** What it maps; absent if nothing. */
      readonly devices?: readonly MappedDevice[];
      /** It is the template's default, or some group names it by its number. */
      readonly inUse: boolean;
      readonly isDefault?: boolean;
      /** Somebody has deleted what it was made from. */
      readonly sourceGone?: boolean;
      /** EC2 has answered this invocation with it. Any other may be somebody else's, whatever it says. */
      readonly made: boolean;
    };

/** A group that launches from a template, by any reference, and the version that resolves to now. */
export interface TemplateUser {
  readonly templateId: string;
  readonly group: string;
  readonly reference: TemplateReference;
  readonly version: number;
}

/**
 * What a group launched from before a roll changed it, and its image now: everything we need to undo the
 * change.
 */
export type PreviousLaunchSpec =
  | { readonly kind: 'launch-configuration'; readonly name: string }
  | {
      readonly kind: 'launch-template';
      readonly templateId: string;
      readonly version: number;
      /** The image it got instead. */
      readonly imageId: string;
    }
  | { readonly kind: 'override'; readonly before: string; readonly imageId: string };

export type LaunchedFrom =
  | { readonly kind: 'launch-configuration'; readonly name: string }
  | { readonly kind: 'launch-template'; readonly templateId: string; readonly version: number };

export interface Launch {
  readonly sources: readonly LaunchSource[];
  /** The templates are in a mixed instances policy, and are changed there. */
  readonly mixed: boolean;
}

/** None of a group whose launch is unknown or unsupported. */
export function sourcesOf(launch: Launch | { readonly obstacle?: unknown }): readonly LaunchSource[] {
  return 'sources' in launch ? launch.sources : [];
}

/** The number of a template version not made yet. */
export const VERSION_TO_COME = 0;

/** An instance refresh in progress. */
export interface RunningRefresh {
  /** Its id and status. */
  readonly status: string;
  /** It has a desired configuration: the group launches that, and its own can't be changed. */
  readonly decidesLaunches: boolean;
}
