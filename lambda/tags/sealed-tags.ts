import { AWS_GROUP_TAG, GROUP_TAGS, INSTANCE_TAGS, partKeys, TAG_PARTS } from '../contract.ts';
import type { Seal } from './seal.ts';
import type { Tags } from './tag-values.ts';

/** Tags as they are read: what we sealed is there without its seal, and what bears none that holds is not there. */
export interface OpenedTags {
  readonly tags: Tags;
  /** Keys of ours whose text we did not write for this resource, or that somebody has changed since. */
  readonly untrusted: readonly string[];
}

/** A group whose tags are sealed, and the cluster that it is rolled for. */
export interface SealedGroup {
  readonly cluster: string;
  /** The UUID in its ARN: another group of the same name has another. */
  readonly uuid: string;
}

/** What each tag of a group is sealed for. Those of a rejection outlast the roll, and so its cluster. */
const OUTLASTING: ReadonlySet<string> = new Set([GROUP_TAGS.rejected, GROUP_TAGS.rejectedBecause]);

const SEALED_ON_GROUPS: ReadonlySet<string> = new Set(sealedOnGroups());

function sealedOnGroups(): string[] {
  const { cluster: _, paused: __, previous, unsteady, ...single } = GROUP_TAGS;
  return [
    ...Object.values(single),
    ...partKeys(previous, TAG_PARTS.previous),
    ...partKeys(unsteady, TAG_PARTS.unsteady),
  ];
}

/** Plain on instances, as conditions of the role's policies and other readers go by them; under the seals of the others. */
const PLAIN_ON_INSTANCES = [INSTANCE_TAGS.group, INSTANCE_TAGS.terminate, INSTANCE_TAGS.cluster] as const;

const SEALED_ON_INSTANCES: ReadonlySet<string> = new Set([
  INSTANCE_TAGS.detachStartedAt,
  INSTANCE_TAGS.drainStartedAt,
  INSTANCE_TAGS.drainGivenUpAt,
]);

/** The tags of a group as they are to be written. */
export function sealGroupTags(seal: Seal, group: SealedGroup, tags: Tags): Tags {
  return mapped(tags, (key, text) =>
    SEALED_ON_GROUPS.has(key) ? seal.seal(text, groupContext(group, key)) : text,
  );
}

/** The tags of one instance as they are to be written: the plain ones must be among them. */
export function sealInstanceTags(seal: Seal, instanceId: string, tags: Tags): Tags {
  return mapped(tags, (key, text) =>
    SEALED_ON_INSTANCES.has(key) ? seal.seal(text, instanceContext(instanceId, tags, key)) : text,
  );
}

/** Written with the name of the cluster alone, so that these tell of a roll by themselves. Another may have come too late. */
const TELLS_OF_ROLL: readonly string[] = [GROUP_TAGS.startedAt, GROUP_TAGS.image];

/**
 * Opens the tags of a group. Its cluster is the one under which its seals hold, whatever the tag of it says: that one is
 * plain, for conditions of the role's policies go by it.
 *
 * @param clusters the configured ones
 */
export function openGroupTags(seal: Seal, uuid: string, tags: Tags, clusters: readonly string[]): OpenedTags {
  const told = tags[GROUP_TAGS.cluster];
  const sealed = Object.entries(tags).filter(([key]) => SEALED_ON_GROUPS.has(key));
  if (told === undefined && sealed.length === 0) return { tags, untrusted: [] };
  const openings = [...new Set([told ?? '', ...clusters])].map((cluster) =>
    openedAs(seal, { cluster, uuid }, sealed),
  );
  const best = openings.reduce((most, each) => (each.ofRoll > most.ofRoll ? each : most));
  const { opened } = best;
  const isNamed = best.cluster === told || TELLS_OF_ROLL.some((key) => key in opened);
  const cluster = best.ofRoll > 0 && isNamed ? best.cluster : undefined;
  const requests = sealed.filter(([key, text]) => isRequest(key, text));
  const read = { ...Object.fromEntries(requests), ...opened };
  return {
    tags: {
      ...without(tags, isOfGroup),
      ...(cluster !== undefined && { [GROUP_TAGS.cluster]: cluster }),
      ...read,
    },
    untrusted: [
      ...(told === cluster ? [] : [GROUP_TAGS.cluster]),
      ...sealed.flatMap(([key]) => (key in read ? [] : [key])),
    ],
  };
}

interface Opening {
  readonly cluster: string;
  readonly opened: Tags;
  /** How many seals of a roll hold. */
  readonly ofRoll: number;
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
  const ofRoll = opened.filter(([key]) => !OUTLASTING.has(key)).length;
  return { cluster: group.cluster, opened: Object.fromEntries(opened), ofRoll };
}

/** Whoever may tag the group may ask for so much, by hand: it can't be sealed, and is but a word. */
function isRequest(key: string, text: string): boolean {
  return key === GROUP_TAGS.course && (text === 'rollback' || text === 'abort');
}

/**
 * Opens the tags of an instance. It bears a mark only where we have marked this one, with the plain tags that it bears: the
 * time at which that was tells so, or, of a member of that group, any other time that we noted since. Lest one that drains
 * be nobody's for want of one tag.
 */
export function openInstanceTags(seal: Seal, instanceId: string, tags: Tags): OpenedTags {
  const ours = Object.keys(tags).filter(isOfInstance);
  if (ours.length === 0) return { tags, untrusted: [] };
  const opened = ours.flatMap((key) => {
    const plain = seal.open(tags[key] ?? '', instanceContext(instanceId, tags, key));
    return SEALED_ON_INSTANCES.has(key) && plain !== undefined ? [[key, plain] as const] : [];
  });
  const sealed = Object.fromEntries(opened);
  const others = without(tags, isOfInstance);
  const isMember = tags[AWS_GROUP_TAG] !== undefined && tags[AWS_GROUP_TAG] === tags[INSTANCE_TAGS.group];
  const isMarked = INSTANCE_TAGS.detachStartedAt in sealed || (isMember && opened.length > 0);
  if (!isMarked) return { tags: others, untrusted: ours };
  const plain = PLAIN_ON_INSTANCES.flatMap((key) => (key in tags ? [[key, tags[key] ?? ''] as const] : []));
  return {
    tags: { ...others, ...Object.fromEntries(plain), ...sealed },
    untrusted: ours.filter((key) => SEALED_ON_INSTANCES.has(key) && !(key in sealed)),
  };
}

function groupContext({ cluster, uuid }: SealedGroup, key: string): string[] {
  return OUTLASTING.has(key) ? ['group', uuid, key] : ['roll', cluster, uuid, key];
}

function instanceContext(instanceId: string, tags: Tags, key: string): string[] {
  return ['instance', instanceId, ...PLAIN_ON_INSTANCES.map((plain) => tags[plain] ?? ''), key];
}

function isOfGroup(key: string): boolean {
  return key === GROUP_TAGS.cluster || SEALED_ON_GROUPS.has(key);
}

function isOfInstance(key: string): boolean {
  return PLAIN_ON_INSTANCES.some((plain) => plain === key) || SEALED_ON_INSTANCES.has(key);
}

function without(tags: Tags, isLeftOut: (key: string) => boolean): Tags {
  return Object.fromEntries(Object.entries(tags).filter(([key]) => !isLeftOut(key)));
}

function mapped(tags: Tags, change: (key: string, text: string) => string): Tags {
  return Object.fromEntries(Object.entries(tags).map(([key, text]) => [key, change(key, text)]));
}
