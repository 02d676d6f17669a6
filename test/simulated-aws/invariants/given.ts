import { launchesOf, templatesOf } from '../world/autoscaling/launch-sources.ts';
import type { Group, LaunchSpec } from '../world/autoscaling/model.ts';
import { recommendedImageId } from '../world/ec2/images.ts';
import type { Image } from '../world/ec2/model.ts';
import type { Listener, WorldEvent } from '../world/events.ts';
import { belongs, targetImageId, type Watch } from './expectations.ts';
import type { Ledger } from './ledger.ts';

/** What a group's owner has had it launch so far, or its members have run. */
interface OfOwner {
  readonly images: Set<string>;
  readonly profiles: Set<string>;
  readonly templates: Set<string>;
  readonly launchConfigurations: Set<string>;
}

/**
 * 7. What calls set a group to launch is an image that is, or was, the target, or one that its owner had it
 *    launch; with an instance profile and from a template that its owner had it use.
 */
export function watchGiven(watch: Watch, ledger: Ledger): Listener {
  const { state } = watch;
  const ofOwners = new Map<Group, OfOwner>();
  const seen = new Map<Group, LaunchSpec>();
  const chosen = new Set<string>();
  const groups = () => [...state.groups.values()].filter((group) => belongs(watch, group));

  const noteChosen = () => {
    for (const { family } of state.images.values()) {
      const imageId = family && recommendedImageId(state, family);
      if (imageId !== undefined) chosen.add(imageId);
    }
    for (const group of groups())
      for (const { instance } of group.members.values()) {
        const imageId = targetImageId(watch, instance);
        if (imageId !== undefined) chosen.add(imageId);
      }
  };
  const noteOwners = () => {
    for (const group of groups()) noteOwner(group);
  };
  const noteOwner = (group: Group) => {
    const had = ofOwners.get(group) ?? nothingYet();
    ofOwners.set(group, had);
    seen.set(group, group.launchSpec);
    if (group.launchSpec.kind === 'launch-configuration') had.launchConfigurations.add(group.launchSpec.name);
    for (const { instance } of group.members.values()) had.images.add(instance.imageId);
    for (const { template } of templatesOf(group.launchSpec)) had.templates.add(template.id);
    for (const launch of launchesOf(state, group.launchSpec)) {
      if (launch?.imageId !== undefined) had.images.add(launch.imageId);
      if (launch?.instanceProfile !== undefined) had.profiles.add(launch.instanceProfile);
    }
  };
  noteChosen();
  noteOwners();

  const mayBeChosen = (image: Image | undefined) =>
    image !== undefined && !watch.expectations.choosesNewest && isOfAccountOrAmazon(image, state.account);

  const check = (group: Group) => {
    const had = ofOwners.get(group);
    if (had === undefined) return;
    const expect = (holds: boolean, what: string) =>
      ledger.expect(
        7,
        holds,
        () => `${group.name} was set to launch ${what}, which neither its owner nor the roll chose`,
      );
    const { launchSpec: spec } = group;
    if (spec.kind === 'launch-configuration')
      expect(had.launchConfigurations.has(spec.name) || isCopy(state, spec.name), `from ${spec.name}`);
    for (const { template } of templatesOf(spec)) expect(had.templates.has(template.id), template.name);
    for (const launch of launchesOf(state, spec)) {
      if (launch === undefined) continue;
      const { imageId = '', instanceProfile = '' } = launch;
      expect(instanceProfile === '' || had.profiles.has(instanceProfile), `with ${instanceProfile}`);
      const isChosen =
        chosen.has(imageId) || had.images.has(imageId) || mayBeChosen(state.images.get(imageId));
      expect(imageId === '' || isChosen, imageId);
    }
  };

  return (event) => {
    if (event.kind === 'image-published') noteChosen();
    if (!isOfLaunchSpecs(event, seen)) return;
    if (event.cause !== 'call') return noteOwners();
    noteChosen();
    for (const group of groups()) check(group);
  };
}

const nothingYet = (): OfOwner => ({
  images: new Set(),
  profiles: new Set(),
  templates: new Set(),
  launchConfigurations: new Set(),
});

/** Whether what groups launch may be another by it. */
function isOfLaunchSpecs(event: WorldEvent, seen: Map<Group, LaunchSpec>): event is Written {
  if (event.kind === 'template-written') return true;
  if (event.kind !== 'group-written' || seen.get(event.group) === event.group.launchSpec) return false;
  seen.set(event.group, event.group.launchSpec);
  return true;
}

type Written = Extract<WorldEvent, { readonly kind: 'template-written' | 'group-written' }>;

const isCopy = ({ launchConfigurations }: Watch['state'], name: string) =>
  launchConfigurations.get(name)?.madeBy === 'call';

function isOfAccountOrAmazon({ family, ownerId }: Image, account: string): boolean {
  return family !== undefined || ownerId === account;
}
