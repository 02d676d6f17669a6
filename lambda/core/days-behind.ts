import type { Decision } from './actions/decision.ts';
import { isOutdated } from './group/drift.ts';
import type { GroupAssessment } from './model/assessment.ts';
import type { Group, Instance } from './model/group.ts';
import type { Image, Launch } from './model/launch.ts';
import type { Observation } from './model/observation.ts';
import { secondsBetween } from './model/time.ts';

const DAY_SECONDS = 86_400;

/**
 * Days since an image newer than the members' was published, for a group or members that something keeps from
 * it. 0 if no newer image is known; never negative.
 *
 * @returns undefined if nothing is held back
 */
export function heldBackDays(
  { group, observation: { images, now } }: Pick<GroupAssessment, 'group' | 'observation'>,
  decision: Decision,
): number | undefined {
  const isHeld = decision.kind === 'paused' || decision.kind === 'planned';
  const members = keptBack(group, isHeld || withheld(group, images).length > 0);
  if (members.length === 0) return undefined;
  const days = chosenFor(group, images)
    .filter((image) => members.some((member) => isBehind(member, image, images)))
    .map(({ createdAt }) => secondsBetween(createdAt, now) / DAY_SECONDS);
  return Math.max(0, ...days.filter((each) => !Number.isNaN(each)));
}

/** All members if the group itself is held back, otherwise those that are left out individually. */
function keptBack(group: Group, isHeld: boolean): Instance[] {
  const ids = new Set(group.members.map(({ instanceId }) => instanceId));
  const members = group.instances.filter(({ instanceId, alive }) => alive && ids.has(instanceId));
  const isWhole = isHeld || group.excluded || group.notOurs !== undefined || isRejected(group);
  return isWhole ? members : members.filter(({ excluded }) => excluded);
}

function launchOf({ launch, offered }: Group): Launch | undefined {
  return 'obstacle' in launch ? offered : launch;
}

function isRejected(group: Group): boolean {
  return launchOf(group)?.sources.some(({ rejected }) => rejected !== undefined) ?? false;
}

/** What its sequence doesn't let it roll onto: any member could see to it that it never does. */
function withheld(group: Group, images: Observation['images']): Image[] {
  const sources = launchOf(group)?.sources ?? [];
  const names = sources.flatMap(({ target, inSequence: { newest = target.name } = {} }) =>
    newest === target.name ? [] : [newest],
  );
  return [...images.values()].filter(({ name }) => names.includes(name));
}

function chosenFor(group: Group, images: Observation['images']): Image[] {
  const sources = launchOf(group)?.sources ?? [];
  const chosen = sources.flatMap(({ target, rejected }) =>
    rejected === undefined ? [target] : (images.get(rejected) ?? []),
  );
  return [...chosen, ...withheld(group, images)];
}

/** An image of another architecture doesn't count. */
function isBehind({ imageId }: Instance, image: Image, images: Observation['images']): boolean {
  const architecture = images.get(imageId)?.architecture ?? image.architecture;
  return architecture === image.architecture && isOutdated(imageId, image, { images, exact: false });
}
