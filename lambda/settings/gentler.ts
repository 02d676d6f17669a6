import type { GroupSettings, SurgeLimit } from '../core/model/settings.ts';

/**
 * What a tag may ask for without TAG_SETTINGS. Somebody who may tag a group may not be allowed to roll it, so
 * a tag may make a roll slower, wait longer or leave more alone, but not change what the group launches, end
 * a task sooner, or quietly stop updates.
 *
 * @returns the value that applies, or undefined if the tag asks for something less gentle than the stack
 */
export type Gentler<Value> = (asked: NonNullable<Value>, stack: Value) => NonNullable<Value> | undefined;

export const longer: Gentler<number> = (asked, stack) => (asked >= stack ? asked : undefined);

const fewer: Gentler<number> = (asked, stack) => (asked <= stack ? asked : undefined);

/** How many `auto` comes to isn't known beforehand, but it is never less than one. */
export const fewerDrains: Gentler<number | 'auto'> = (asked, stack) => {
  if (asked === stack || asked === 1) return asked;
  return asked === 'auto' || stack === 'auto' ? undefined : fewer(asked, stack);
};

/** Only this value, whatever the stack's is. */
export const only =
  <const Value extends string | boolean>(gentle: Value) =>
  (asked: string | boolean): Value | undefined =>
    asked === gentle ? gentle : undefined;

/** A smaller first batch, or any if the stack has none. */
export const smallerTrial: Gentler<number> = (asked, stack) => {
  if (stack === 0) return asked;
  return asked === 0 ? undefined : fewer(asked, stack);
};

/** Adds names to the stack's. */
export const furtherNames: Gentler<readonly string[] | undefined> = (asked, stack = []) => [
  ...new Set([...stack, ...asked]),
];

/** Narrows the stack's windows to what both leave open. */
export const furtherWindows: Gentler<GroupSettings['windows']> = (asked, stack = []) => [...stack, ...asked];

/**
 * Whether a number or a percentage is smaller depends on the group's size. No surge at all is another
 * strategy.
 */
export const smallerSurge: Gentler<SurgeLimit> = (asked, stack) => {
  if (isNone(asked) !== isNone(stack)) return undefined;
  if (asked.kind === 'count' && stack.kind === 'count') return asked.count <= stack.count ? asked : undefined;
  if (asked.kind === 'percent' && stack.kind === 'percent')
    return asked.percent <= stack.percent ? asked : undefined;
  return { kind: 'least', of: [asked, stack] };
};

function isNone(surge: SurgeLimit): boolean {
  return surge.kind === 'count' && surge.count === 0;
}
