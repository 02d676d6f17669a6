import type { Tags } from '../contract.ts';
import { AWS_GROUP_TAG, GROUP_TAGS, INSTANCE_TAGS, partKeys, TAG_PARTS } from '../contract.ts';
import type { Seal } from './seal.ts';

/**
 * Tags after opening: what we sealed is there without its seal, and our tags without a valid seal are
 * missing.
 */
export interface OpenedTags {
  readonly tags: Tags;
  /** Our keys whose value we didn't write for this resource, or that somebody has changed since. */
  readonly untrusted: readonly string[];
}

/** A group whose tags are sealed, and the cluster that it is rolled for. */
export interface SealedGroup {
  readonly cluster: string;
  /** The UUID in its ARN; another group of the same name has another. */
  readonly uuid: string;
}

/** Tags of a rejection outlast the roll, so their seals don't include its cluster. */
const OUTLASTS_ROLL: ReadonlySet<string> = new Set([GROUP_TAGS.rejected, GROUP_TAGS.rejectedBecause]);

const SEALED_ON_GROUPS: ReadonlySet<string> = new Set(sealedOnGroups());

function sealedOnGroups(): string[] {
  const { cluster: _, paused: __, previous, unsteady, ...single } = GROUP_TAGS;
  return [
    ...Object.values(single),
    ...partKeys(previous, TAG_PARTS.previous),
    ...partKeys(unsteady, TAG_PARTS.unsteady),
  ];
}

/**
 * Unsealed on instances, because the role's policies and other readers depend on their values. The seals of
 * the others cover them.
 */
const UNSEALED_ON_INSTANCES = [INSTANCE_TAGS.group, INSTANCE_TAGS.terminate, INSTANCE_TAGS.cluster] as const;

const SEALED_ON_INSTANCES: ReadonlySet<string> = new Set([
  INSTANCE_TAGS.detachStartedAt,
  INSTANCE_TAGS.drainStartedAt,
  INSTANCE_TAGS.drainGivenUpAt,
]);

/** A group's tags as they are to be written. */
export function sealGroupTags(seal: Seal, group: SealedGroup, tags: Tags): Tags {
  return mapped(tags, (key, text) =>
    SEALED_ON_GROUPS.has(key) ? seal.seal(text, groupContext(group, key)) : text,
  );
}

/** An instance's tags as they are to be written; the unsealed ones must be among them. */
export function sealInstanceTags(seal: Seal, instanceId: string, tags: Tags): Tags {
  return mapped(tags, (key, text) =>
    SEALED_ON_INSTANCES.has(key) ? seal.seal(text, instanceContext(instanceId, tags, key)) : text,
  );
}

/**
 * Tags that are written together with the cluster's name, so they show by themselves that there is a roll.
 * Any other may be left over from a write that came too late.
 */
const SHOWS_ROLL: readonly string[] = [GROUP_TAGS.startedAt, GROUP_TAGS.image];

/**
 * Opens a group's tags. Its cluster is the one for which the seals are valid, whatever the cluster tag
 * says: that one can't be sealed, because the role's policies have conditions on it.
 *
 * @param clusters the configured ones
 */
export function openGroupTags(seal: Seal, uuid: string, tags: Tags, clusters: readonly string[]): OpenedTags {
  const named = tags[GROUP_TAGS.cluster];
  const sealed = Object.entries(tags).filter(([key]) => SEALED_ON_GROUPS.has(key));
  if (named === undefined && sealed.length === 0) return { tags, untrusted: [] };
  const openings = [...new Set([named ?? '', ...clusters])].map((cluster) =>
    openedAs(seal, { cluster, uuid }, sealed),
  );
  const best = openings.reduce((most, each) => (each.rollSeals > most.rollSeals ? each : most));
  const { opened } = best;
  const isNamed = best.cluster === named || SHOWS_ROLL.some((key) => key in opened);
  const cluster = best.rollSeals > 0 && isNamed ? best.cluster : undefined;
  const requests = sealed.filter(([key, text]) => isRequest(key, text));
  const read = { ...Object.fromEntries(requests), ...opened };
  return {
    tags: {
      ...without(tags, isOurGroupTag),
      ...(cluster !== undefined && { [GROUP_TAGS.cluster]: cluster }),
      ...read,
    },
    untrusted: [
      ...(named === cluster ? [] : [GROUP_TAGS.cluster]),
      ...sealed.flatMap(([key]) => (key in read ? [] : [key])),
    ],
  };
}

interface Opening {
  readonly cluster: string;
  readonly opened: Tags;
  /** The number of valid seals of a roll. */
  readonly rollSeals: number;
}

function openedAs(
  seal: Seal,
  group: SealedGroup,
  sealed: readonly (readonly [key: string, text: string])[],
): Opening {
  const opened = sealed.flatMap(([key, text]) => {
    const plain = seal.open(text, groupContext(group, key));
    return plain === undefined ? [] : [[key, plain] as const];
  });
  const rollSeals = opened.filter(([key]) => !OUTLASTS_ROLL.has(key)).length;
  return { cluster: group.cluster, opened: Object.fromEntries(opened), rollSeals };
}

/**
 * Anybody who may tag the group may ask for this much by hand: such a tag can't have a seal, and is only a
 * request.
 */
function isRequest(key: string, text: string): boolean {
  return key === GROUP_TAGS.course && (text === 'rollback' || text === 'abort');
}

/**
 * Opens an instance's tags. It counts as marked only if we marked this instance with the unsealed tags it
 * has. The sealed time of marking proves that; for a member of that group any other sealed time does too,
 * so that one missing tag doesn't leave a draining instance to nobody.
 */
export function openInstanceTags(seal: Seal, instanceId: string, tags: Tags): OpenedTags {
  const ours = Object.keys(tags).filter(isOurInstanceTag);
  if (ours.length === 0) return { tags, untrusted: [] };
  const opened = ours.flatMap((key) => {
    const plain = seal.open(tags[key] ?? '', instanceContext(instanceId, tags, key));
    return SEALED_ON_INSTANCES.has(key) && plain !== undefined ? [[key, plain] as const] : [];
  });
  const sealed = Object.fromEntries(opened);
  const others = without(tags, isOurInstanceTag);
  const isMember = tags[AWS_GROUP_TAG] !== undefined && tags[AWS_GROUP_TAG] === tags[INSTANCE_TAGS.group];
  const isMarked = INSTANCE_TAGS.detachStartedAt in sealed || (isMember && opened.length > 0);
  if (!isMarked) return { tags: others, untrusted: ours };
  const plain = UNSEALED_ON_INSTANCES.flatMap((key) =>
    key in tags ? [[key, tags[key] ?? ''] as const] : [],
  );
  return {
    tags: { ...others, ...Object.fromEntries(plain), ...sealed },
    untrusted: ours.filter((key) => SEALED_ON_INSTANCES.has(key) && !(key in sealed)),
  };
}

function groupContext({ cluster, uuid }: SealedGroup, key: string): string[] {
  return OUTLASTS_ROLL.has(key) ? ['group', uuid, key] : ['roll', cluster, uuid, key];
}

function instanceContext(instanceId: string, tags: Tags, key: string): string[] {
  return ['instance', instanceId, ...UNSEALED_ON_INSTANCES.map((plain) => tags[plain] ?? ''), key];
}

function isOurGroupTag(key: string): boolean {
  return key === GROUP_TAGS.cluster || SEALED_ON_GROUPS.has(key);
}

function isOurInstanceTag(key: string): boolean {
  return UNSEALED_ON_INSTANCES.some((plain) => plain === key) || SEALED_ON_INSTANCES.has(key);
}

function without(tags: Tags, isLeftOut: (key: string) => boolean): Tags {
  return Object.fromEntries(Object.entries(tags).filter(([key]) => !isLeftOut(key)));
}

function mapped(tags: Tags, change: (key: string, text: string) => string): Tags {
  return Object.fromEntries(Object.entries(tags).map(([key, text]) => [key, change(key, text)]));
}
