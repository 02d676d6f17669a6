import type { Image } from './launch.ts';

/** An image, as messages name it. */
export type NamedImage = Pick<Image, 'imageId' | 'name'>;

/**
 * What keeps a group from being rolled, or its roll from starting or going back. `text/obstacles.ts` has the
 * words.
 */
export interface ObstacleFacts
  extends GroupObstacles,
    ImageObstacles,
    LaunchObstacles,
    VolumeObstacles,
    PreflightObstacles,
    RestoreObstacles {}

/** Obstacles in what the group is or how it is set up. */
interface GroupObstacles {
  'group-deleting': unknown;
  'group-managed': { readonly operator: string };
  'group-gone': {
    /** Instances that still carry our tags. */
    readonly left: readonly string[];
    /** Those among them that aren't known to have been detached. */
    readonly unproven?: UnprovenInstances;
  };
  /** Never reported: such a group is left alone earlier. */
  'group-left-out': unknown;
  'capacity-not-in-units': { readonly capacityType: string };
  'launch-process-suspended': unknown;
  'load-balancer-process-suspended': unknown;
  'traffic-source-unreadable': { readonly sources: readonly string[] };
  /** Set by its owner's tags, in the words of `settings/owner-tags.ts`. */
  'setting-tags-refused': { readonly faults: readonly string[] };
  'belongs-elsewhere': Belongs & { readonly because: BelongsElsewhere };
  'belonging-undecided': Belongs;
  'belonging-contested': { readonly clusters: readonly string[] };
}

/** How many of a group's members are registered in a cluster. */
export interface Belongs {
  readonly cluster: string;
  readonly registered: readonly string[];
  readonly members: number;
}

export type BelongsElsewhere =
  | { readonly kind: 'rolled-for' | 'registered-in'; readonly cluster: string }
  | { readonly kind: 'not-named' };

/** The part of an instance that messages name. */
export interface NamedInstance {
  readonly instanceId: string;
}

/** The part of several instances that messages name. */
export interface NamedInstances {
  readonly instanceIds: readonly string[];
}

/** Instances that carry our tags but aren't known to be ours. */
export interface UnprovenInstances extends NamedInstances {
  readonly group: string;
}

/** Obstacles in the image the group would launch. */
interface ImageObstacles {
  'image-missing': { readonly imageId: string; readonly origin: ImageOrigin };
  'image-unlaunchable': { readonly image: NamedImage; readonly fault: Unlaunchable } & (
    | { readonly origin: ImageOrigin }
    | { readonly origin?: undefined }
  );
  'image-deprecated': { readonly image: NamedImage; readonly since: Date };
  'image-architecture': {
    readonly image: NamedImage;
    readonly architecture: string;
    readonly launched: string;
  };
  'image-root-mapped': {
    readonly image: NamedImage;
    readonly root: string;
    readonly mapped: string;
    /** It is the old image's root device; otherwise it only has the name of one. */
    readonly isOldRoot: boolean;
  };
  'image-unnamed': { readonly name: string; readonly owner: string; readonly architecture?: string };
  'image-parameter-empty': { readonly parameter: string };
  'image-family-unknown': {
    readonly imageId: string;
    /** Absent if the image no longer exists. */
    readonly image?: NamedImage;
    /** The account that owns it, if it is named like one of Amazon's images. */
    readonly ownedBy?: string;
  };
}

/** How an image was chosen. */
export type ImageOrigin =
  | { readonly kind: 'named' | 'launched' }
  /** No other image is that many days old yet. */
  | { readonly kind: 'kept'; readonly minImageAgeDays: number }
  | { readonly kind: 'parameter'; readonly parameter: string }
  | { readonly kind: 'alias'; readonly alias: string };

export type Unlaunchable =
  | { readonly kind: 'state'; readonly state: string }
  | {
      readonly kind: 'architecture';
      readonly architecture: string;
      readonly instanceTypes: readonly string[];
    }
  | {
      /** As AWS writes it: `uefi` or `legacy-bios`. */
      readonly kind: 'boot-mode';
      readonly bootMode: string;
      readonly instanceTypes: readonly string[];
    }
  /** The image's owner doesn't let it be launched as these. */
  | { readonly kind: 'instance-type'; readonly instanceTypes: readonly string[] };

/** Where a group's image comes from. */
export type NamedPlace =
  | { readonly kind: 'launch-configuration'; readonly name: string }
  | { readonly kind: 'launch-template' | 'override'; readonly templateId: string; readonly version: number };

/** Obstacles in what the group launches from. */
interface LaunchObstacles {
  'launch-configuration-missing': { readonly name: string };
  'launch-template-version-missing': {
    readonly templateId: string;
    readonly version: string;
    /** Since this invocation first looked. */
    readonly missedSince: Date;
  };
  'launch-spec-missing': unknown;
  'launch-image-missing': { readonly place: NamedPlace };
  'launch-image-unresolved': { readonly place: NamedPlace; readonly imageId: string };
  'launch-template-shared': {
    readonly others: readonly TemplateUse[];
    /** Only the image would change for them. */
    readonly imageAlone: boolean;
  };
}

export interface TemplateUse {
  readonly group: string;
  readonly reference: string;
}

interface VolumeObstacles {
  'root-from-other-snapshot': {
    readonly place: NamedPlace;
    readonly image: NamedImage;
    readonly device: string;
    readonly snapshotId: string;
  };
  'volume-too-small': {
    readonly place: NamedPlace;
    readonly image: NamedImage;
    readonly device: string;
    readonly sizeGib: number;
    readonly neededGib: number;
  };
}

/** Obstacles found by checks before the first change. */
interface PreflightObstacles {
  'nowhere-to-move': { readonly containerInstances: number; readonly services: readonly string[] };
  'service-cannot-move': ServiceBounds;
  'service-fits-nowhere': { readonly service: string; readonly needs: string; readonly has: string };
  'service-needs-surge': { readonly service: string; readonly count: number; readonly left: number };
  'addresses-lacking': {
    readonly free: number;
    readonly instances: number;
    readonly withTrunk: boolean;
    /** Of a group that launches nowhere else to replace what it has there. */
    readonly zone?: string;
  };
  'reservation-full': { readonly id: string; readonly free: number; readonly instances: number };
  'network-interface-named': { readonly place: NamedPlace; readonly networkInterface: string };
  'instance-profile-unusable': { readonly name: string; readonly state: 'missing' | 'without-role' };
  'launch-configurations-full': unknown;
  'group-tags-full': { readonly tooMany: number };
  'marks-propagated': { readonly keys: readonly string[] };
  'instance-tags-full': {
    readonly instanceIds: readonly string[];
    readonly most: number;
    readonly ours: number;
  };
  'termination-protected-before': { readonly instanceIds: readonly string[] };
}

export interface ServiceBounds {
  readonly service: string;
  readonly desired: number;
  readonly minimumHealthyPercent: number;
  readonly maximumPercent: number;
}

/** Obstacles in what a group's tags say it launched from. */
interface RestoreObstacles {
  'configuration-not-former': { readonly noted: readonly string[]; readonly name: string };
  'latest-version-used': {
    readonly templateId: string;
    readonly version: number;
    readonly others: readonly TemplateUse[];
  };
  'override-images-merged': { readonly imageId: string };
  'override-image-unproven': { readonly imageId: string; readonly noted: string };
  'launches-failed-image': { readonly imageIds: readonly string[] };
}

export type ObstacleCode = keyof ObstacleFacts;

export type Obstacle<Code extends ObstacleCode = ObstacleCode> = {
  [Each in Code]: { readonly code: Each } & ObstacleFacts[Each];
}[Code];

export interface SeveralObstacles {
  readonly code: 'several';
  readonly reasons: readonly Obstacle[];
}

/** The only obstacle, or all of them as one. */
export function joinedObstacles(obstacles: readonly Obstacle[]): Obstacle | SeveralObstacles | undefined {
  const [first, ...others] = obstacles;
  return first === undefined || others.length === 0 ? first : { code: 'several', reasons: obstacles };
}
