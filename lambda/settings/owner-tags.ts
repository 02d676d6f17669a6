import * as z from 'zod/mini';
import { EXCLUDE_TAG, SETTING_TAG_PREFIX } from '../contract.ts';
import { GENTLE_SETTINGS, gentler } from '../core/gentler.ts';
import type { GroupSettings, Settings } from '../core/settings.ts';
import { driftByAge, malformed, type Naming, type Texts, textsIn } from './rules.ts';
import { GROUP_SETTINGS, nameInTags, type Setting, settingsIn } from './table.ts';

/** What the tags of a group say of it. */
export interface Overrides {
  /** What holds for the group instead of the function's settings; nothing when there are faults. */
  readonly settings: Partial<GroupSettings>;
  /** Whether the group is to be left alone. */
  readonly excluded: boolean;
  /** One sentence for each tag that can't be used: then nobody knows what was wanted of the group. */
  readonly faults: readonly string[];
  /** One sentence for each tag that says what it may not, and so has no effect. */
  readonly ignored: readonly string[];
}

type Tags = Readonly<Record<string, string>>;

const GROUP_SETTING_NAMES = settingsIn(GROUP_SETTINGS.shape);

const tagOf: Naming = (setting) => SETTING_TAG_PREFIX + nameInTags(setting);

const TAG_KEYS = [...GROUP_SETTING_NAMES.map(tagOf), EXCLUDE_TAG];

/**
 * Reads what the tags of a group set otherwise for it. Whoever may tag a group isn't always who may roll it: a tag may make
 * the roll gentler, and else only what the stack lets it.
 */
export function parseOverrides(tags: Tags, stack: Settings): Overrides {
  const given = textsIn(tags, GROUP_SETTING_NAMES, tagOf);
  const images = imagesIn(given, stack);
  const free = settingsIn(given).filter((setting) => !isImage(setting) && isFree(setting, given, stack));
  const texts = { ...only(given, [...GENTLE_SETTINGS, ...free]), ...images.texts };
  const parsed = z.safeParse(z.partial(GROUP_SETTINGS), texts);
  const faults = [
    ...unknownTags(tags),
    ...malformed(parsed.error, texts, tagOf),
    ...driftByAge(texts, tagOf, stack),
  ];
  const asked: Partial<GroupSettings> = parsed.success && faults.length === 0 ? parsed.data : {};
  const settings = { ...gentler(asked, stack), ...pick(asked, [...free, ...settingsIn(images.texts)]) };
  const others = settingsIn(given).filter((setting) => !isImage(setting));
  // What is at fault is told of by its fault.
  const ignored = others.filter((each) => !(each in texts) || (each in asked && !(each in settings)));
  return {
    settings,
    excluded: isExcluded(tags),
    faults,
    ignored: [
      ...images.ignored,
      ...ignored.map((setting) => tellIgnored(setting, given)),
      ...excludeFaults('the group', tags),
    ],
  };
}

/** Whether the tags of a group or an instance say that it is to be left alone. What is mistyped is read gently. */
export function isExcluded(tags: Tags): boolean {
  const text = tags[EXCLUDE_TAG]?.trim().toLowerCase();
  return text !== undefined && text !== 'false';
}

/** What is wrong with the tag that leaves something alone, if it is there. */
export function excludeFaults(what: string, tags: Tags): string[] {
  const text = tags[EXCLUDE_TAG];
  if (text === undefined || /^(true|false)$/i.test(text.trim())) return [];
  return [`${EXCLUDE_TAG} of ${what} was "${text}", and leaves it alone; it may be true or false`];
}

function isImage(setting: Setting): boolean {
  return setting === 'image' || setting === 'imageOwner';
}

function isFree(setting: Setting, given: Texts, stack: Settings): boolean {
  return stack.tagSettings.some((each) => each === setting) || saysOneOf(setting, given, [stack[setting]]);
}

function saysOneOf(setting: Setting, given: Texts, values: readonly Settings[Setting][]): boolean {
  const { data } = z.safeParse(z.partial(GROUP_SETTINGS), only(given, [setting]));
  const said = JSON.stringify(data);
  return values.some((value) => JSON.stringify({ [setting]: value }) === said);
}

function tellIgnored(setting: Setting, given: Texts): string {
  const may = GENTLE_SETTINGS.some((each) => each === setting)
    ? 'less gentle than the stack has it, it needs'
    : 'it needs';
  return `${tagOf(setting)} = "${given[setting]}" is ignored: ${may} ${nameInTags(setting)} in TAG_SETTINGS`;
}

/** An image and its owner are one wish: one without the other would choose what nobody has asked for. */
function imagesIn(given: Texts, stack: Settings): { readonly texts: Texts; readonly ignored: string[] } {
  const wish = settingsIn(given).filter(isImage);
  const ignored = wish.filter((setting) => !isAllowed(setting, given, stack));
  if (ignored.length === 0) return { texts: only(given, wish), ignored: [] };
  const tell = (setting: Setting) => {
    const list = setting === 'image' ? 'TAG_IMAGES' : 'TAG_IMAGE_OWNERS';
    const because = ignored.includes(setting) ? `it needs to be in ${list}` : 'it goes with that';
    return `${tagOf(setting)} = "${given[setting]}" is ignored: ${because}`;
  };
  const others = wish.filter((setting) => !ignored.includes(setting));
  return { texts: {}, ignored: [...ignored, ...others].map(tell) };
}

function isAllowed(setting: Setting, given: Texts, stack: Settings): boolean {
  return setting === 'image'
    ? saysOneOf(setting, given, [stack.image, ...stack.tagImages])
    : saysOneOf(setting, given, [stack.imageOwner, ...stack.tagImageOwners]);
}

function only(texts: Texts, settings: readonly Setting[]): Texts {
  return Object.fromEntries(Object.entries(texts).filter(([key]) => settings.some((each) => each === key)));
}

function pick(asked: Partial<GroupSettings>, settings: readonly Setting[]): Partial<GroupSettings> {
  return Object.fromEntries(Object.entries(asked).filter(([key]) => settings.some((each) => each === key)));
}

/** A mistyped tag would be ignored silently, and the group rolled as it was not meant to be. */
function unknownTags(tags: Tags): string[] {
  return Object.keys(tags)
    .filter((key) => key.startsWith(SETTING_TAG_PREFIX) && !TAG_KEYS.includes(key))
    .map((key) => `${key} is no setting of a group; there are ${TAG_KEYS.join(', ')}`);
}
