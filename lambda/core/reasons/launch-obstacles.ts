import { type KindOf, say } from './reason-of.ts';
import { describeImage, type NamedImage } from './words.ts';

/** Obstacles in what the group would launch: its image, its launch spec, and what it had before. */
export const LAUNCH_OBSTACLES = {
  'image-missing': (it: { imageId: string; origin: ImageOrigin }) =>
    `image ${it.imageId}, ${say(ORIGINS, it.origin.kind, it.origin)}, does not exist, or is not shared with or allowed in this account`,
  'image-unlaunchable': (
    it: { image: NamedImage; fault: Unlaunchable } & ({ origin: ImageOrigin } | { origin?: undefined }),
  ) => {
    const what = say(UNLAUNCHABLE, it.fault.kind, it.fault);
    return it.origin === undefined
      ? `image ${describeImage(it.image)} ${what}; ${CHOOSE}`
      : `image ${describeImage(it.image)}, ${say(ORIGINS, it.origin.kind, it.origin)}, ${what}`;
  },
  'image-deprecated': (it: { image: NamedImage; since: Date }) =>
    `image ${describeImage(it.image)} has been deprecated since ${it.since.toISOString().slice(0, 10)}; ${CHOOSE}`,
  'image-architecture': (it: { image: NamedImage; architecture: string; launched: string }) =>
    `image ${describeImage(it.image)} is for ${it.architecture}, and the group launches ${it.launched}; ${CHOOSE}`,
  'image-root-mapped': (it: {
    image: NamedImage;
    root: string;
    mapped: string;
    /** It is the old image's root device; otherwise it only has the name of one. */
    isOldRoot: boolean;
  }) =>
    `image ${describeImage(it.image)} has its root at ${it.root}, but the launch spec maps ${it.mapped}, ` +
    `${it.isOldRoot ? 'the root of the old image' : 'as if the root were there'}; change that mapping first, or ${CHOOSE}`,
  'image-unnamed': (it: { name: string; owner: string; architecture?: string }) => {
    const suited = it.architecture === undefined ? '' : ` for ${it.architecture}`;
    const own = it.owner === 'amazon' ? ' (self, for an image of your own)' : '';
    return `no available image${suited} of owner ${it.owner} is named ${it.name}; fix IMAGE or IMAGE_OWNER${own}`;
  },
  'image-parameter-empty': (it: { parameter: string }) =>
    `parameter ${it.parameter} does not exist or holds no image id`,
  'image-family-unknown': (it: {
    imageId: string;
    /** Absent if the image no longer exists. */
    image?: NamedImage;
    /** The account that owns it, if it is named like one of Amazon's images. */
    ownedBy?: string;
  }) => {
    const help = 'set IMAGE to ssm:<parameter>, name:<pattern> or an image id';
    const what = it.image === undefined ? `${it.imageId}, which is gone or hidden` : describeImage(it.image);
    return it.ownedBy === undefined
      ? `the group launches ${what}, whose ECS-optimized family can't be told; ${help}`
      : `the group launches ${what}, which has the name of an ECS-optimized image, but is not Amazon's: account ` +
          `${it.ownedBy} owns it; ${help}`;
  },

  'launch-configuration-missing': (it: { name: string }) => `launch configuration ${it.name} does not exist`,
  'launch-template-version-missing': (it: {
    templateId: string;
    version: string;
    /** Since this invocation first looked. */
    missedSince: Date;
  }) => `launch template ${it.templateId} has no version ${it.version}, or EC2 doesn't show it yet`,
  'launch-spec-missing': () => 'the group has neither a launch configuration nor a launch template',
  'launch-image-missing': (it: { place: NamedPlace }) => `${describePlace(it.place)} names no image`,
  'launch-image-unresolved': (it: { place: NamedPlace; imageId: string }) =>
    `${describePlace(it.place)} has the image ${it.imageId}, which resolves to no image id`,
  'launch-template-shared': (it: {
    others: readonly TemplateUse[];
    /** Only the image would change for them. */
    imageAlone: boolean;
  }) => {
    const way = it.imageAlone
      ? 'have those name a version by its number, set SHARED_TEMPLATES to update, or give this group a template of its own'
      : 'they launch another version, whose settings they would lose; have them name it by its number';
    return `the new version would change what others launch from the same template: ${listUses(it.others)}; ${way}`;
  },

  'root-from-other-snapshot': (it: {
    place: NamedPlace;
    image: NamedImage;
    device: string;
    snapshotId: string;
  }) =>
    `${describeTemplate(it.place)} maps ${it.device} from ${it.snapshotId}, but image ${describeImage(it.image)} has its root there and ` +
    'starts only from its own snapshot; remove that snapshot from the mapping',
  'volume-too-small': (it: {
    place: NamedPlace;
    image: NamedImage;
    device: string;
    sizeGib: number;
    neededGib: number;
  }) =>
    `${describeTemplate(it.place)} maps ${it.device} with ${it.sizeGib} GiB, too small for the ${it.neededGib} GiB that image ` +
    `${describeImage(it.image)} has there; map ${it.neededGib} GiB or more, or leave the ` +
    'size out',

  // In what a group's tags say it launched from.
  'configuration-not-former': (it: { noted: readonly string[]; name: string }) =>
    `${it.noted.join(' and ')}, which is noted as what the group launched from, is gone or not what ${it.name} was made from; give ` +
    'the group the launch configuration that it should have',
  'latest-version-used': (it: { templateId: string; version: number; others: readonly TemplateUse[] }) =>
    `version ${it.version} of launch template ${it.templateId} can't be deleted, as others launch it: ${listUses(it.others)}; have ` +
    'those name another version, or make one of your own like the one before it',
  'override-images-merged': (it: { imageId: string }) =>
    `overrides that had different images now launch ${it.imageId}; give each its own again`,
  'override-image-unproven': (it: { imageId: string; noted: string }) =>
    `nothing proves that overrides which now launch ${it.imageId} had ${it.noted}, as the tags say; give them the image that ` +
    'they should have',
  'launches-failed-image': (it: { imageIds: readonly string[] }) => {
    const ids = it.imageIds.join(' and ');
    return (
      `the group would launch ${ids}, which failed or is no longer available; give it another launch spec, ` +
      `or, if nothing is wrong with ${ids}, order \`ecs-ami-deploy abort\` to leave it as it is`
    );
  },
};

const CHOOSE = 'choose another with IMAGE';

/** How an image was chosen. */
const ORIGINS = {
  named: () => 'which IMAGE names',
  launched: () => 'which the group launches',
  /** No other image is that many days old yet. */
  kept: (it: { minImageAgeDays: number }) => `which stays, as no other is ${it.minImageAgeDays} days old yet`,
  parameter: (it: { parameter: string }) => `which parameter ${it.parameter} holds`,
  alias: (it: { alias: string }) => `which ${it.alias} resolves to`,
};

export type ImageOrigin = KindOf<typeof ORIGINS>;

/** Why not every instance can run an image. */
const UNLAUNCHABLE = {
  state: (it: { state: string }) => `is ${it.state}, not available`,
  architecture: (it: { architecture: string; instanceTypes: readonly string[] }) =>
    `is for ${it.architecture}, which ${it.instanceTypes.join(' and ')} can't run`,
  /** As AWS writes it: `uefi` or `legacy-bios`. */
  'boot-mode': (it: { bootMode: string; instanceTypes: readonly string[] }) =>
    `boots by ${it.bootMode}, which ${it.instanceTypes.join(' and ')} can't`,
  /** The image's owner doesn't let it be launched as these. */
  'instance-type': (it: { instanceTypes: readonly string[] }) =>
    `may not be launched as ${it.instanceTypes.join(' and ')}, by its owner's list of instance types`,
};

export type Unlaunchable = KindOf<typeof UNLAUNCHABLE>;

/** Where a group's image comes from. */
export type NamedPlace =
  | { readonly kind: 'launch-configuration'; readonly name: string }
  | { readonly kind: 'launch-template' | 'override'; readonly templateId: string; readonly version: number };

export function describePlace(place: NamedPlace): string {
  const what = describeTemplate(place);
  return place.kind === 'override' ? `an override of ${what}` : what;
}

/** For an override, the version that it overrides. */
function describeTemplate(place: NamedPlace): string {
  if (place.kind === 'launch-configuration') return `launch configuration ${place.name}`;
  return `version ${place.version} of launch template ${place.templateId}`;
}

export interface TemplateUse {
  readonly group: string;
  readonly reference: string;
}

function listUses(uses: readonly TemplateUse[]): string {
  return uses.map(({ group, reference }) => `${group} (on ${reference})`).join(', ');
}
