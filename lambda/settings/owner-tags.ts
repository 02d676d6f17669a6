import { EXCLUDE_TAG, SETTING_TAG_PREFIX, type Tags } from '../contract.ts';
import type { GroupSettings, Settings } from '../core/model/settings.ts';
import type { TagIgnored, Warning } from '../core/reasons/warnings.ts';
import { driftByAge } from './rules.ts';
import { GROUP_TABLE, type GroupRow, type GroupSetting, keysOf, nameInTags, TABLE } from './table.ts';
import { malformed, type Naming, type Texts, textsIn, valuesIn } from './texts.ts';

/** What an owner's tags on a group say. */
export interface Overrides {
  /** Settings of the group that replace the function's; none if there are faults. */
  readonly settings: Partial<GroupSettings>;
  /** Whether the group is to be left alone. */
  readonly excluded: boolean;
  /** A sentence for each tag that can't be used. If there are any, we can't know what the owner wanted. */
  readonly faults: readonly string[];
  /** For each tag that asks for more than it may, and so has no effect. */
  readonly ignored: readonly Warning[];
}

const GROUP_SETTINGS = keysOf(GROUP_TABLE);

const tagOf: Naming = (setting) => SETTING_TAG_PREFIX + nameInTags(TABLE[setting]);

const TAG_KEYS = [...GROUP_SETTINGS.map(tagOf), EXCLUDE_TAG];

/**
 * Reads the settings in a group's tags. Somebody who may tag a group may not be allowed to roll it: a tag may
 * make the roll gentler, and set anything else only as far as the stack lets it.
 */
export function parseOverrides(tags: Tags, stack: Settings): Overrides {
  const given = textsIn(tags, GROUP_SETTINGS, tagOf);
  const said = GROUP_SETTINGS.filter((setting) => setting in given);
  // An image and its owner go together: one without the other would choose an image that nobody asked for.
  const unlisted = said.filter((each) => isImage(each) && !saysOneOf(each, given, listedFor(each, stack)));
  const isFree = (setting: GroupSetting) =>
    isImage(setting)
      ? unlisted.length === 0
      : stack.tagSettings.some((each) => each === setting) || saysOneOf(setting, given, [stack[setting]]);
  const free = said.filter(isFree);
  const texts = only(
    given,
    said.filter((each) => free.includes(each) || mayBeGentler(each)),
  );
  const faults = [...unknownTags(tags), ...malformed(texts, tagOf), ...driftByAge(texts, tagOf, stack)];
  const asked: Partial<GroupSettings> = faults.length === 0 ? valuesIn(texts) : {};
  const settings = { ...gentler(asked, stack), ...only(asked, free) };
  // A value that can't be read has a fault instead.
  const others = said.filter((each) => !(each in texts) || (each in asked && !(each in settings)));
  const ignored = [...unlisted, ...others.filter(isImage), ...others.filter((each) => !isImage(each))];
  return {
    settings,
    excluded: isExcluded(tags),
    faults,
    ignored: [
      ...[...new Set(ignored)].map((setting): Warning => {
        const because = ignoredBecause(setting, unlisted);
        return { code: 'setting-tag-ignored', tag: tagOf(setting), value: given[setting], because };
      }),
      ...excludeFaults(tags),
    ],
  };
}

/**
 * The values that apply, for settings asked for that are no less gentle than the stack's; the rest is left
 * out.
 */
export function gentler(asked: Partial<GroupSettings>, stack: GroupSettings): Partial<GroupSettings> {
  const settings: Partial<GroupSettings> = {};
  for (const setting of keysOf(asked)) putGentler(settings, GROUP_TABLE, setting, asked, stack);
  return settings;
}

/** The setting's name ties a value to its rule, which the compiler follows only through a type parameter. */
function putGentler<S extends GroupSetting>(
  settings: { [Name in S]?: GroupSettings[Name] },
  rows: { readonly [Name in S]: GroupRow<GroupSettings[Name]> },
  setting: S,
  asked: { readonly [Name in S]?: GroupSettings[Name] },
  stack: Pick<GroupSettings, S>,
): void {
  const { tag } = rows[setting];
  const value = asked[setting];
  const then = typeof tag === 'string' || value == null ? undefined : tag(value, stack[setting]);
  if (then !== undefined) settings[setting] = then;
}

/** Whether the tags of a group or an instance exclude it. A mistyped value counts as yes. */
export function isExcluded(tags: Tags): boolean {
  const text = tags[EXCLUDE_TAG]?.trim().toLowerCase();
  return text !== undefined && text !== 'false';
}

/**
 * What is wrong with the tag that excludes something, if it has one.
 *
 * @param instanceId absent if the tags are the group's
 */
export function excludeFaults(tags: Tags, instanceId?: string): Warning[] {
  const text = tags[EXCLUDE_TAG];
  if (text === undefined || /^(true|false)$/i.test(text.trim())) return [];
  return [{ code: 'exclude-tag-mistyped', tag: EXCLUDE_TAG, value: text, instanceId }];
}

function isImage(setting: GroupSetting): boolean {
  return GROUP_TABLE[setting].tag === 'if-value-listed';
}

function mayBeGentler(setting: GroupSetting): boolean {
  return typeof GROUP_TABLE[setting].tag !== 'string';
}

/** A text that can't be read says none of them, even if the stack leaves the setting out. */
function saysOneOf(setting: GroupSetting, given: Texts, values: readonly Settings[GroupSetting][]): boolean {
  const said = valuesIn(only(given, [setting]))[setting];
  return said !== undefined && values.some((value) => JSON.stringify(value) === JSON.stringify(said));
}

/** Which images, or owners of images, a tag may name. */
function listedFor(setting: GroupSetting, { image, tagImages, imageOwner, tagImageOwners }: Settings) {
  return setting === 'image' ? [image, ...tagImages] : [imageOwner, ...tagImageOwners];
}

function ignoredBecause(setting: GroupSetting, unlisted: readonly GroupSetting[]): TagIgnored {
  if (!isImage(setting))
    return {
      kind: 'setting-not-listed',
      setting: nameInTags(GROUP_TABLE[setting]),
      variable: TABLE.tagSettings.variable,
      isLessGentle: mayBeGentler(setting),
    };
  const { variable } = setting === 'image' ? TABLE.tagImages : TABLE.tagImageOwners;
  return unlisted.includes(setting) ? { kind: 'value-not-listed', variable } : { kind: 'other-ignored' };
}

/** Of texts or values those of these settings. */
function only<All extends object>(all: All, settings: readonly GroupSetting[]): Partial<All> {
  const kept = Object.entries(all).filter(([key]) => settings.some((each) => each === key));
  return Object.fromEntries(kept) as Partial<All>;
}

/** Without this a mistyped tag would be ignored silently, and the group rolled in a way nobody meant. */
function unknownTags(tags: Tags): string[] {
  return Object.keys(tags)
    .filter((key) => key.startsWith(SETTING_TAG_PREFIX) && !TAG_KEYS.includes(key))
    .map((key) => `${key} is no setting of a group; there are ${TAG_KEYS.join(', ')}`);
}
