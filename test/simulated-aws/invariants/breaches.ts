import type { Violation } from './ledger.ts';

/** Such as `i-1 was detached untagged`, or `Service web has 2 healthy tasks, fewer than 3 (for 420 s)`. */
export function describeBreach({ what, seconds, until }: Violation): string {
  if (until === undefined) return `${what} (for ${Math.round(seconds)} s, and still)`;
  return seconds === 0 ? what : `${what} (for ${Math.round(seconds)} s)`;
}

/** Such as `3 of invariant 1, for 420 s; 2 of invariant 3`. Empty where there are none. */
export function describeBreaches(violations: readonly Violation[]): string {
  const numbers = [...new Set(violations.map(({ invariant }) => invariant))].sort((a, b) => a - b);
  return numbers
    .map((number) => violations.filter(({ invariant }) => invariant === number))
    .map((each) => {
      const seconds = Math.round(secondsBroken(each));
      return `${each.length} of invariant ${each[0]?.invariant}${seconds > 0 ? `, for ${seconds} s` : ''}`;
    })
    .join('; ');
}

/** For how long at least one of them lasted. */
export function secondsBroken(violations: readonly Violation[]): number {
  const spans = violations
    .map(({ at, seconds }) => ({ from: Date.parse(at) / 1000, until: Date.parse(at) / 1000 + seconds }))
    .sort((a, b) => a.from - b.from);
  let total = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const { from, until } of spans) {
    total += Math.max(0, until - Math.max(from, end));
    end = Math.max(end, until);
  }
  return total;
}
