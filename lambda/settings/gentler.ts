import type { Surge } from '../core/model/settings.ts';

/**
 * What a tag may ask for without TAG_SETTINGS, as whoever may tag a group need not be allowed to roll it:
 * what makes a roll slower, waits longer or leaves more alone. Nothing that changes what the group launches,
 * ends a task sooner, or quietly stops updates.
 *
 * @returns the value that then applies, or undefined if what is asked for is less gentle than the stack's
 */
export type Gentler<Value> = (asked: NonNullable<Value>, stack: Value) => NonNullable<Value> | undefined;

export const longer: Gentler<number> = (asked, stack) => (asked >= stack ? asked : undefined);

export const fewer: Gentler<number> = (asked, stack) => (asked <= stack ? asked : undefined);

/** Only this value, whatever the stack's is. */
export const only =
  <const Value extends string | boolean>(gentle: Value) =>
  (asked: string | boolean): Value | undefined =>
    asked === gentle ? gentle : undefined;

/** A smaller first batch, or any where the stack has none. */
export const smallerTrial: Gentler<number> = (asked, stack) => {
  if (stack === 0) return asked;
  return asked === 0 ? undefined : fewer(asked, stack);
};

/** Adds names to the stack's. */
export const furtherNames: Gentler<readonly string[] | undefined> = (asked, stack = []) => [
  ...new Set([...stack, ...asked]),
];

/**
 * Of a number and a percentage the group's size decides which is smaller. No surge at all is another
 * strategy.
 */
export const smallerSurge: Gentler<Surge> = (asked, stack) => {
  if (isNone(asked) !== isNone(stack)) return undefined;
  if (asked.kind === 'count' && stack.kind === 'count') return asked.count <= stack.count ? asked : undefined;
  if (asked.kind === 'percent' && stack.kind === 'percent')
    return asked.percent <= stack.percent ? asked : undefined;
  return { kind: 'least', of: [asked, stack] };
};

function isNone(surge: Surge): boolean {
  return surge.kind === 'count' && surge.count === 0;
}
