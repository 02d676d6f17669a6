import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Tags } from '../contract.ts';
import { AWS_GROUP_TAG, GROUP_TAGS, INSTANCE_TAGS, partKeys, TAG_PARTS } from '../contract.ts';
import { dateIn } from './times.ts';

/**
 * What a text was sealed for; its seal is valid nowhere else. A list of parts, so that no two contexts are
 * mistaken for one another.
 *
 *     ['group', 'web', '0f3c…', 'ecs-ami-deploy-image']
 */
export type SealContext = readonly string[];

/** Seals texts that others can change, and tells which of them are as we wrote them. */
export interface Seal {
  /** The text, a space and its seal. */
  seal(text: string, context: SealContext): string;
  /** The text, if its seal is valid for this context. */
  open(sealed: string, context: SealContext): string | undefined;
}

/** 128 bits, in base64url. */
const SEAL_LENGTH = 22;

/** How much longer sealing makes a text. */
export const SEAL_OVERHEAD = SEAL_LENGTH + 1;

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
  /** When its roll began, or was announced; absent if there is none. */
  readonly begun?: Date | undefined;
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

/**
 * A group's tags as they are to be written. Those of a roll end in its beginning, which the seal covers: put
 * back in a later roll, they count for nothing.
 */
export function sealGroupTags(seal: Seal, group: SealedGroup, tags: Tags): Tags {
  const begun = dateIn(tags[GROUP_TAGS.startedAt]) ?? group.begun;
  return mapped(tags, (key, text) => {
    if (!SEALED_ON_GROUPS.has(key)) return text;
    return seal.seal(OUTLASTS_ROLL.has(key) ? text : dated(text, begun), groupContext(group, key));
  });
}

/** `text mi9fk2g0`: the beginning in milliseconds, to the base 36. */
function dated(text: string, begun: Date | undefined): string {
  if (begun === undefined) throw new Error('a roll that has not begun has no tags');
  return `${text} ${begun.getTime().toString(36).padStart(8, '0')}`;
}

const DATED = /^(?<text>.*) (?<begun>[0-9a-z]{8})$/s;

/** Undefined if no beginning is there: where nobody can check seals, the text may be anybody's. */
function undated(dated: string): { readonly text: string; readonly begun: number } | undefined {
  const { text, begun } = DATED.exec(dated)?.groups ?? {};
  return text === undefined ? undefined : { text, begun: Number.parseInt(`${begun}`, 36) };
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
 * Two invocations may have begun the same roll at once, the later of which wrote first: their beginnings
 * differ by as much at most.
 */
const BEGUN_TWICE_MILLISECONDS = 5 * 60_000;

/**
 * Opens a group's tags. Its cluster is the one for which the seals are valid, whatever the cluster tag
 * says: that one can't be sealed, because the role's policies have conditions on it. Its roll is the latest
 * of which there is a seal: what an earlier one has sealed counts no more.
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
  const best = openings.reduce((most, each) => (isLater(each, most) ? each : most));
  const { opened, begun } = best;
  const isNamed = best.cluster === named || SHOWS_ROLL.some((key) => key in opened);
  const cluster = begun > 0 && isNamed ? best.cluster : undefined;
  const requests = sealed.filter(([key, text]) => isRequest(key, text));
  const read = { ...Object.fromEntries(requests), ...opened };
  return {
    tags: {
      ...without(tags, isOurGroupTag),
      ...(cluster !== undefined && {
        [GROUP_TAGS.cluster]: cluster,
        [GROUP_TAGS.startedAt]: new Date(begun).toISOString(),
      }),
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
  /** When the latest roll began of which there is a seal, in milliseconds; 0 if there is none. */
  readonly begun: number;
  /** The number of its valid seals. */
  readonly rollSeals: number;
}

function isLater(one: Opening, other: Opening): boolean {
  return one.begun === other.begun ? one.rollSeals > other.rollSeals : one.begun > other.begun;
}

function openedAs(
  seal: Seal,
  group: SealedGroup,
  sealed: readonly (readonly [key: string, text: string])[],
): Opening {
  const opened = sealed.flatMap(([key, sealedText]) => {
    const plain = seal.open(sealedText, groupContext(group, key));
    if (plain === undefined) return [];
    const read = OUTLASTS_ROLL.has(key) ? { text: plain, begun: undefined } : undated(plain);
    return read === undefined ? [] : [{ key, ...read }];
  });
  const ofRolls = opened.flatMap(({ begun }) => begun ?? []);
  const begun = Math.max(0, ...ofRolls);
  const isCurrent = (each: number) => each >= begun - BEGUN_TWICE_MILLISECONDS;
  const current = opened.filter((each) => each.begun === undefined || isCurrent(each.begun));
  return {
    cluster: group.cluster,
    opened: Object.fromEntries(current.map(({ key, text }) => [key, text])),
    begun,
    rollSeals: ofRolls.filter(isCurrent).length,
  };
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

/** @param keys the first one seals; seals of any of them are accepted */
export function createSeal(keys: readonly [Uint8Array, ...Uint8Array[]]): Seal {
  return {
    seal: (text, context) => `${text} ${sealOf(keys[0], text, context)}`,
    open(sealed, context) {
      const end = sealed.length - SEAL_OVERHEAD;
      if (sealed[end] !== ' ') return undefined;
      const [text, seal] = [sealed.slice(0, end), sealed.slice(end + 1)];
      return keys.some((key) => isSame(seal, sealOf(key, text, context))) ? text : undefined;
    },
  };
}

/** JSON keeps the parts apart, and keeps half a surrogate pair from turning into another character. */
function sealOf(key: Uint8Array, text: string, context: SealContext): string {
  const mac = createHmac('sha256', key).update(JSON.stringify([...context, text]));
  return mac.digest('base64url').slice(0, SEAL_LENGTH);
}

/**
 * Compares the encoded seals: the last character has spare bits, so four different texts would decode to
 * the same bytes.
 */
function isSame(seal: string, expected: string): boolean {
  const [given, wanted] = [Buffer.from(seal), Buffer.from(expected)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
