import type { Surge } from '../core/model/settings.ts';

/**
 * What whoever may tag a group may ask of its roll, though the stack doesn't say so: what makes it slower, waits longer or
 * leaves more alone. None of it changes what the group launches, ends a task sooner, or stops updates without a word.
 *
 * @returns what then holds, or undefined for what is less gentle than what the stack has
 */
export type Gentler<Value> = (asked: NonNullable<Value>, stack: Value) => NonNullable<Value> | undefined;

export const longer: Gentler<number> = (asked, stack) => (asked >= stack ? asked : undefined);

export const fewer: Gentler<number> = (asked, stack) => (asked <= stack ? asked : undefined);

/** This value alone, whatever the stack has. */
export const only =
  <const Value extends string | boolean>(gentle: Value) =>
  (asked: string | boolean): Value | undefined =>
    asked === gentle ? gentle : undefined;

/** Any trial is gentler than none, and a smaller one than a larger one. */
export const smallerTrial: Gentler<number> = (asked, stack) => {
  if (stack === 0) return asked;
  return asked === 0 ? undefined : fewer(asked, stack);
};

/** Beside the stack's. */
export const furtherNames: Gentler<readonly string[] | undefined> = (asked, stack = []) => [
  ...new Set([...stack, ...asked]),
];

/** Whether a number or a share is the smaller, the size of the group tells. None at all is another strategy. */
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
