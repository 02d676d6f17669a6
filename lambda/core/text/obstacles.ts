import type {
  Belongs,
  BelongsElsewhere,
  NamedPlace,
  Obstacle,
  ObstacleCode,
  ServiceBounds,
  TemplateUse,
} from '../model/obstacle.ts';
import type { MadeBefore } from '../model/step.ts';
import { describeImage, listIds, subject } from './describe.ts';
import { describeUnproven, UNPROTECT } from './hold-ups.ts';
import { describeOrigin, describeUnlaunchable } from './image-facts.ts';

const CHOOSE = 'choose another with IMAGE';

/** What keeps a group from being rolled, and what helps, as a sentence. */
export const OBSTACLES: { readonly [Code in ObstacleCode]: (obstacle: Obstacle<Code>) => string } = {
  'group-deleting': () => 'the group is being deleted',
  'group-managed': ({ operator }) => `${operator} manages the group, and only it may change it`,
  'group-gone': ({ left, unproven }) =>
    [
      'there is no Auto Scaling group of this name',
      ...(left.length === 0
        ? []
        : [`${left.join(', ')} still have our tags; drain and terminate them by hand`]),
      ...(unproven === undefined ? [] : [describeUnproven(unproven)]),
    ].join(', but '),
  'group-left-out': () => 'its tag leaves the group out',
  'capacity-not-in-units': ({ capacityType }) =>
    `the group's sizes are in ${capacityType}, not in instances, so nobody can tell how many instances a change of ` +
    'them makes; set its DesiredCapacityType to units',
  'launch-process-suspended': () =>
    "the group's Launch process is suspended, so it would launch no replacements; resume it",
  'load-balancer-process-suspended': () =>
    "the group's AddToLoadBalancer process is suspended, so no replacement would serve; resume it",
  'traffic-source-unreadable': ({ sources }) =>
    `the group is attached to ${sources.join(', ')}, whose health checks can't be read; set MAX_SURGE to 0 to replace its ` +
    'instances one after the other',
  'setting-tags-refused': ({ faults }) => faults.join('; '),
  'belongs-elsewhere': ({ because, ...belongs }) => {
    const isHere = belongs.registered.length > 0;
    const fix = isHere ? 'fix ECS_CLUSTER of these instances, or' : 'if it belongs to that cluster,';
    return `the group is left alone: ${describeBelongs(belongs)}, and ${describeElsewhere(because)}; ${fix} name it in GROUPS`;
  },
  'belonging-undecided': (belongs) => `${describeBelongs(belongs)}; waits for the agents of its new members`,
  'belonging-contested': ({ clusters }) =>
    `capacity providers or GROUPS of clusters ${clusters.join(' and ')} claim the group, but most of its members are ` +
    'registered in none of them',
  'image-missing': ({ imageId, origin }) =>
    `image ${imageId}, ${describeOrigin(origin)}, does not exist, or is not shared with or allowed in this account`,
  'image-unlaunchable': ({ image, fault, origin }) => {
    const what = describeUnlaunchable(fault);
    return origin === undefined
      ? `image ${describeImage(image)} ${what}; ${CHOOSE}`
      : `image ${describeImage(image)}, ${describeOrigin(origin)}, ${what}`;
  },
  'image-deprecated': ({ image, since }) =>
    `image ${describeImage(image)} has been deprecated since ${since.toISOString().slice(0, 10)}; ${CHOOSE}`,
  'image-architecture': ({ image, architecture, launched }) =>
    `image ${describeImage(image)} is for ${architecture}, and the group launches ${launched}; ${CHOOSE}`,
  'image-root-mapped': ({ image, root, mapped, isOldRoot }) =>
    `image ${describeImage(image)} has its root at ${root}, but the launch spec maps ${mapped}, ` +
    `${isOldRoot ? 'the root of the old image' : 'as if the root were there'}; change that mapping first, or ${CHOOSE}`,
  'image-unnamed': ({ name, owner, architecture }) => {
    const suited = architecture === undefined ? '' : ` for ${architecture}`;
    return `no available image${suited} of owner ${owner} is named ${name}; fix IMAGE or IMAGE_OWNER`;
  },
  'image-parameter-empty': ({ parameter }) => `parameter ${parameter} does not exist or holds no image id`,
  'image-family-unknown': ({ imageId, image, ownedBy }) => {
    const help = 'set IMAGE to ssm:<parameter>, name:<pattern> or an image id';
    const what = image === undefined ? `${imageId}, which is gone or hidden` : describeImage(image);
    return ownedBy === undefined
      ? `the group launches ${what}, whose ECS-optimized family can't be told; ${help}`
      : `the group launches ${what}, which has the name of an ECS-optimized image, but is not Amazon's: account ` +
          `${ownedBy} owns it; ${help}`;
  },
  'launch-configuration-missing': ({ name }) => `launch configuration ${name} does not exist`,
  'launch-template-version-missing': ({ templateId, version }) =>
    `launch template ${templateId} has no version ${version}, or EC2 doesn't show it yet`,
  'launch-spec-missing': () => 'the group has neither a launch configuration nor a launch template',
  'launch-image-missing': ({ place }) => `${describePlace(place)} names no image`,
  'launch-image-unresolved': ({ place, imageId }) =>
    `${describePlace(place)} has the image ${imageId}, which resolves to no image id`,
  'launch-template-shared': ({ others, imageAlone }) => {
    const way = imageAlone
      ? 'have those name a version by its number, set SHARED_TEMPLATES to update, or give this group a template of its own'
      : 'they launch another version, whose settings they would lose; have them name it by its number';
    return `the new version would change what others launch from the same template: ${listUses(others)}; ${way}`;
  },
  'root-from-other-snapshot': ({ place, image, device, snapshotId }) =>
    `${describeTemplate(place)} maps ${device} from ${snapshotId}, but image ${describeImage(image)} has its root there and ` +
    'starts only from its own snapshot; remove that snapshot from the mapping',
  'volume-too-small': ({ place, image, device, sizeGib, neededGib }) =>
    `${describeTemplate(place)} maps ${device} with ${sizeGib} GiB, too small for the ${neededGib} GiB that image ` +
    `${describeImage(image)} has there, so launches would fail; map ${neededGib} GiB or more, or leave the ` +
    'size out',
  'nowhere-to-move': ({ containerInstances, services }) =>
    `without a surge all of the cluster's ${containerInstances} container instances would drain at once, and service ` +
    `${services.join(', ')} must keep tasks meanwhile; set MAX_SURGE to 1 or more, or lower DRAIN_CONCURRENCY`,
  'service-cannot-move': (bounds) => {
    const { desired } = bounds;
    // The smallest sufficient change of either percentage: 134 or 66 for 3 tasks, 200 or 0 for one.
    const enough = Math.ceil(((desired + 1) * 100) / desired);
    const little = Math.floor(((desired - 1) * 100) / desired);
    return (
      `${describeBounds(bounds)}, so it can't move off an instance: raise its maximumPercent to ${enough}, lower its ` +
      `minimumHealthyPercent to ${little}, or set ON_DRAIN_TIMEOUT to force, which stops its tasks in the end`
    );
  },
  'service-fits-nowhere': ({ service, needs, has }) =>
    `service ${service} needs ${needs}, but what will stay or be launched has ${has}: change that constraint, or those subnets`,
  'service-needs-surge': ({ service, count, left }) =>
    (count === 1
      ? `service ${service} can run on one instance alone, and without a surge on none while that drains; `
      : `service ${service} needs ${count} instances, one for each task, but without a surge only ${left} ${left === 1 ? 'is' : 'are'} left while one drains; `) +
    'set MAX_SURGE to 1 or more',
  'addresses-lacking': ({ free, instances, withTrunk, zone }) => {
    const addresses = free === 1 ? '1 free address' : `${free} free addresses`;
    const count = instances === 1 ? '1 instance' : `${instances} instances`;
    const trunks = withTrunk ? ', each needing two for its trunk interface,' : '';
    return (
      `the subnets of the group have ${addresses}${inZone(zone)}, but up to ${count}${trunks} must be launched ` +
      'before old ones end; lower MAX_SURGE, or give the group another subnet'
    );
  },
  'reservation-full': ({ id, free, instances }) =>
    `the group launches only into Capacity Reservation ${id}, which has room for ${free} more, but up to ${instances} must be ` +
    'launched before old ones end, and these keep their places; set MAX_SURGE to 0, or make the reservation larger',
  'network-interface-named': ({ place, networkInterface }) =>
    `${describePlace(place)} names the network interface ${networkInterface}, which only one instance can have: ` +
    'no replacement can come before the old one goes; let the group be replaced in place, with MAX_SURGE=0',
  'instance-profile-unusable': ({ name, state }) =>
    state === 'missing'
      ? `instance profile ${name}, which the group launches with, does not exist; create it, or name another`
      : `instance profile ${name}, which the group launches with, has no role; add its role`,
  'launch-configurations-full': () =>
    'the account has reached its limit of launch configurations in this Region; delete some that nobody uses, or let the ' +
    'group use a launch template',
  'group-tags-full': ({ tooMany }) =>
    `the group may have 50 tags, and ours need room for ${tooMany} more; remove some`,
  'marks-propagated': ({ keys }) =>
    `the group passes its tags ${listIds(keys)} on to each instance it launches, which would then count as one to replace; ` +
    'remove them from the group, or let them not propagate at launch',
  'instance-tags-full': ({ instanceIds, most, ours }) =>
    `${subject(instanceIds, 'has', 'have')} more than ${most - ours} tags of the ${most} that AWS allows, and ours need room ` +
    `for ${ours}; remove some`,
  'termination-protected-before': ({ instanceIds }) =>
    `${subject(instanceIds, 'is', 'are')} protected from termination: remove the protection with ${UNPROTECT}; or set ` +
    'TERMINATE_HOOKS to run or MAX_SURGE to 0, as it does not keep a group from ending its own members',
  'configuration-not-former': ({ noted, name }) =>
    `${noted.join(' and ')}, which is noted as what the group launched from, is gone or not what ${name} was made from; give ` +
    'the group the launch configuration that it should have',
  'latest-version-used': ({ templateId, version, others }) =>
    `version ${version} of launch template ${templateId} can't be deleted, as others launch it: ${listUses(others)}; have ` +
    'those name another version, or make one of your own like the one before it',
  'override-images-merged': ({ imageId }) =>
    `overrides that had different images now launch ${imageId}; give each its own again`,
  'override-image-unproven': ({ imageId, noted }) =>
    `nothing proves that overrides which now launch ${imageId} had ${noted}, as the tags say; give them the image that ` +
    'they should have',
  'launches-failed-image': ({ imageIds }) => {
    const ids = imageIds.join(' and ');
    return (
      `the group would launch ${ids}, which failed or is no longer available, in place of what failed; give it another ` +
      `launch spec, or, if nothing is wrong with ${ids}, invoke {"action":"abort"} to leave it as it is`
    );
  },
};

/** The group's zones are kept even. */
const inZone = (zone: string | undefined) =>
  zone === undefined
    ? ''
    : ` in ${zone}, the only zone that balanced-only lets it launch in for what it has there`;

function describeBelongs({ cluster, registered, members }: Belongs): string {
  const are = registered.length > 1 ? 'are' : 'is';
  const which = registered.length === 0 ? 'none' : `${registered.length}`;
  const ids = registered.length === 0 ? '' : ` (${listIds(registered)})`;
  return `${which} of its ${members} members${ids} ${are} registered in cluster ${cluster}`;
}

function describeElsewhere(because: BelongsElsewhere): string {
  switch (because.kind) {
    case 'rolled-for':
      return `its roll is for cluster ${because.cluster}`;
    case 'registered-in':
      return `most of its members are registered in cluster ${because.cluster}`;
    case 'not-named':
      return 'it has no capacity provider, nor does GROUPS name it';
  }
}

function describePlace(place: NamedPlace): string {
  const what = describeTemplate(place);
  return place.kind === 'override' ? `an override of ${what}` : what;
}

/** For an override, the version that it overrides. */
function describeTemplate(place: NamedPlace): string {
  if (place.kind === 'launch-configuration') return `launch configuration ${place.name}`;
  return `version ${place.version} of launch template ${place.templateId}`;
}

function listUses(uses: readonly TemplateUse[]): string {
  return uses.map(({ group, reference }) => `${group} (on ${reference})`).join(', ');
}

/** The limits that keep ECS from moving any task of a service. */
export function describeBounds(bounds: ServiceBounds): string {
  const { service, desired, minimumHealthyPercent, maximumPercent } = bounds;
  const both = `minimumHealthyPercent ${minimumHealthyPercent} and maximumPercent ${maximumPercent}`;
  return `with ${both} of ${desired}, service ${service} may neither stop a task nor start one more`;
}

/** A template version of an earlier roll that the group doesn't launch. */
export function describeMadeBefore({ templateId, version, imageId }: MadeBefore): string {
  return (
    `version ${version} of ${templateId} was made for ${imageId} before, but the group does not launch it: if somebody ` +
    'has set it back, it is rolled again each time; if it was rolled back, the tag that kept it from the image is gone'
  );
}

/** Images recorded for a roll but ignored, as one sentence. */
export function describeRefused(imageIds: readonly string[]): string {
  return (
    `${imageIds.join(' and ')} ${imageIds.length === 1 ? 'is' : 'are'} recorded for this roll, but not what IMAGE chooses ` +
    'there now, by name, owner and age; another is chosen'
  );
}
